import Gateways
import Testing

@Suite struct SandboxTests {
  @Test(
    arguments: [
      ("5656", "APPROVED"), ("5757", "DECLINED"), ("5858", "TIMED_OUT"), ("5959", "UNSPECIFIED_FAILURE"),
      ("6161", "PARTIALLY_APPROVED"), ("6262", "SYSTEM_ERROR"), ("6363", "UNKNOWN"),
    ])
  func `the Mastercard Gateway answers by the amount, with decimals or without`(_ amount: String, _ code: String) throws
  {
    for text in [amount, amount + ".0", amount + ".00", amount + ".000"] {
      #expect(MastercardResponse.Code(sandboxAmount: text)?.rawValue == code)
    }
    for (currency, units) in [("USD", 100), ("JPY", 1), ("KWD", 1_000)] {
      let currency = try #require(Currency.alphabetic(currency))
      let whole = try #require(Int64(amount))
      #expect(MastercardResponse.Code(sandboxMinorUnits: whole * Int64(units), in: currency)?.rawValue == code)
      #expect(MastercardResponse.Code(sandboxMinorUnits: whole * Int64(units) + 1, in: currency) == nil)
    }
  }

  @Test(arguments: ["", "6060", "56.56", "5656.01", "5656.", "05656", " 5656"])
  func `other amounts are not in the table`(_ amount: String) {
    #expect(MastercardResponse.Code(sandboxAmount: amount) == nil)
    #expect(MastercardResponse.Code.allCases.count == 7)
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
