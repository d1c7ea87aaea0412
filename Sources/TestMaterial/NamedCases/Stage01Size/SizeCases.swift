import Gateways
import Minting
import PaymentToken
import TestCases

/// Stage 1: size.
extension CaseList {
  mutating func addSizeCases() {
    func padded(to count: Int) -> Build {
      { draft in draft.text { $0 += [UInt8](repeating: 0x20, count: count - $0.count) } }
    }
    let limit = RuleLimits.token
    accept("1.1", "token-of-\(.renamed(from: "65536", "16384"))-bytes", padded(to: limit))
    let tooLarge: CaseName = "token-of-\(.renamed(from: "65537", "16385"))-bytes"
    reject("1.1", tooLarge, .tokenTooLarge, nil, padded(to: limit + 1))
    reject("1.1", .with(.exhaustiveOnly, "token-of-a-million-bytes"), .tokenTooLarge, nil, padded(to: 1_000_000))
    reject("1.1", "\(tooLarge)-that-are-no-json", .tokenTooLarge) {
      $0.token = [UInt8](repeating: 0xFF, count: limit + 1)
    }
    reject("1.1", "token-with-a-long-unknown-member", .tokenTooLarge) {
      $0.json { $0.append("unknown", .string(String(repeating: "x", count: limit))) }
    }
  }

  /// The largest valid tokens, each with one large part: no buffer may be too small for it.
  mutating func addLargestCases() {
    let limit = RuleLimits.token
    accept("1.1", "the-largest-token-by-its-ciphertext") { draft in
      draft.layers.applicationData = draft.stream.bytes(32)
      var length = 7_000
      for _ in 0..<2 {
        try draft.payload { $0.append("unknown", .string(String(repeating: "x", count: length))) }
        length += max(0, limit - 16 - draft.bareToken.count) / 4 * 3
      }
      guard draft.bareToken.count > 16_000 else { throw MintingError.recipe("a large token") }
      draft.padToken(to: limit)
    }
    accept("1.1", "the-largest-token-by-its-signature") { draft in
      var length = 7_000
      for _ in 0..<2 {
        let filler = [UInt8](repeating: 0x5A, count: length)
        try draft.attributes { $0.append(.sequence([OID.unknown, .set([.octetString(filler)])])) }
        length += max(0, limit - draft.bareToken.count) / 4 * 3 - 8
      }
      guard draft.bareToken.count > 16_000 else { throw MintingError.recipe("a large token") }
      draft.padToken(to: limit)
    }
    // Beyond twice the limit, and nearly as large as base64 can be in a request.
    for (name, count) in [
      (.renamed(from: "131073", "32769"), 32_769), (.renamed(from: "190000", "47500"), 47_500),
    ] as [(CaseName, Int)] {
      let around: CaseName = "around-a-token-of-\(name)-bytes"
      let ofBambora: CaseName = .with(count < 47_500 ? .exhaustiveOnly : nil, around)
      request("1.1", .bambora, ofBambora, .tokenTooLarge, around: { $0.padToken(to: count) })
      request("1.1", .mpgs, .with(.exhaustiveOnly, around), .tokenTooLarge, around: { $0.padToken(to: count) })
    }
  }
}
