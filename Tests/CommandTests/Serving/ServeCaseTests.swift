import Foundation
import Gateways
import Minting
import NamedCases
import PaymentToken
import TestCases
import TestSupport
import Testing

/// The named cases of the minter, through the protocol.
@Suite(.blocking) struct ServeCaseTests {
  @Test(arguments: Conversation.engines)
  func `every named case that the protocol can express gets its one right answer`(engine: String) throws {
    let minter = try Conversation.minter.get()
    var groups: [UInt32?: [MintedCase]] = [:]
    for recipe in stride(from: 0, to: CaseRecipe.all.count, by: Ring.isDeep ? 1 : 8).map({ CaseRecipe.all[$0] }) {
      let minted = try minter.make(recipe)
      guard minted.anchors == minter.anchors.certificates else { continue }
      guard let window = Self.window(of: minted) else { continue }
      groups[window, default: []].append(minted)
    }
    var count = 0
    for (window, cases) in groups {
      let withRSA = cases.contains { Data($0.test.request).range(of: Data("RSA".utf8)) != nil }
      var conversation = try Conversation(hello: try Conversation.hello(window: window, withRSA: withRSA))
      for minted in cases { try conversation.add(Self.message(minted)) }
      let answers = try conversation.run(engine: engine)
      try #require(answers.count == cases.count + 1)
      for (minted, answer) in zip(cases, answers.dropFirst()) { Self.check(answer, minted) }
      count += cases.count
    }
    print("serve \(engine): \(count) of \(CaseRecipe.all.count) named cases")
    #expect(count > (Ring.isDeep ? 1_800 : 220))
  }

  /// The window in seconds, or `.some(nil)` for no window; `.none` if the protocol cannot express the case.
  private static func window(of minted: MintedCase) -> UInt32?? {
    guard UnixTime(rfc3339: minted.test.context.now.rfc3339) == minted.test.context.now, envelope(of: minted) != nil
    else { return .none }
    guard minted.test.context.hasRoom else { return .none }
    return switch minted.test.context.policy.freshness {
    case .window(let seconds, _): .some(seconds)
    case .windowOff: .some(nil)
    case .signingTime: .none
    }
  }

  /// The protocol's name of the envelope; nil if it has none for the policy's choice.
  private static func envelope(of minted: MintedCase) -> String? {
    switch minted.test.context.policy.envelope {
    case .named(let envelope): Envelope.named(envelope.name) == envelope ? envelope.name : nil
    case .automatic(let list): list == Envelope.all ? "auto" : nil
    }
  }

  private static func message(_ minted: MintedCase) -> [String: Any] {
    let expectations = minted.test.context.policy.expectations
    var replay = false
    if case .window(_, .some) = minted.test.context.policy.freshness { replay = true }
    var message: [String: Any] = [
      "id": minted.test.name, "token": Data(minted.test.request).base64EncodedString(),
      "at": minted.test.context.now.rfc3339,
    ]
    if minted.isSingleToken { return message }
    message["prelude"] = minted.test.context.prelude.map { Data($0).base64EncodedString() }
    message["policy"] =
      [
        "envelope": envelope(of: minted) ?? "", "unsigned": minted.test.context.policy.isUnsigned, "replay": replay,
        "revoked": minted.test.context.policy.revoked.map(\.hex),
        "expect": [
          "currency": expectations.currencyCode ?? NSNull(),
          "amount": expectations.transactionAmount.map { NSNumber(value: $0) } ?? NSNull(),
          "applicationData": expectations.applicationData?.hex ?? NSNull(),
        ] as [String: Any],
      ] as [String: Any]
    return message
  }

  private static func check(_ answer: [String: Any], _ minted: MintedCase) {
    let name = Comment(rawValue: minted.test.name)
    #expect(answer["id"] as? String == minted.test.name)
    switch minted.test.expected {
    case .accept(let plaintext)?, .acceptUnsigned(let plaintext)?:
      #expect(answer.accepted == true, name)
      #expect(
        (answer["signed"] as? Bool == false) == (minted.test.expected == .acceptUnsigned(plaintext: plaintext)), name)
      #expect(answer["plaintext"] as? String == Data(plaintext).base64EncodedString(), name)
    case .reject(let fault)?:
      #expect(answer.accepted == false, name)
      #expect(answer.code == fault.code.rawValue, name)
      #expect(answer["stage"] as? Int == Int(fault.stage.rawValue), name)
      #expect(answer["member"] as? String == fault.member?.path, name)
      #expect(answer["plaintext"] == nil, name)
    case nil: Issue.record("no case without an answer")
    }
  }
}
