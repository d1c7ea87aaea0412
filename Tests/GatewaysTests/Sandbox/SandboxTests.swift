import Gateways
import Testing

@Suite struct SandboxTests {
  @Test func `the Mastercard Gateway's sandbox answers by the amount`() {
    #expect(
      MastercardResponse.Code.allCases.map { [$0.sandboxAmount, $0.rawValue] }.sorted { $0[0] < $1[0] } == [
        ["5656", "APPROVED"], ["5757", "DECLINED"], ["5858", "TIMED_OUT"], ["5959", "UNSPECIFIED_FAILURE"],
        ["6161", "PARTIALLY_APPROVED"], ["6262", "SYSTEM_ERROR"], ["6363", "UNKNOWN"],
      ])
  }

  @Test func `AlphaPay's statuses`() {
    #expect(AlphaPayResultStatus(rawValue: "U") == .waiting)
    #expect(AlphaPayResultStatus.allCases.map(\.rawValue) == ["S", "F", "U"])
    #expect(AlphaPayPaymentStatus.allCases.map(\.rawValue) == ["SUCCESS", "FAILED", "PARTIAL_REFUND", "FULL_REFUND"])
  }

  @Test func `Bambora takes the money unless the request says otherwise`() {
    #expect(BamboraCompletion(complete: nil) == .purchase)
    #expect(BamboraCompletion(complete: true) == .purchase)
    #expect(BamboraCompletion(complete: false) == .preAuthorization)
    for completion in BamboraCompletion.allCases {
      #expect(BamboraCompletion(complete: completion.complete) == completion)
    }
  }
}
