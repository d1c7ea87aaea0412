import Gateways
import Minting
import PaymentToken

/// Stage 1: size.
extension CaseList {
  mutating func addSizeCases() {
    func padded(to count: Int) -> Build {
      { draft in draft.text { $0 += [UInt8](repeating: 0x20, count: count - $0.count) } }
    }
    accept("1.1", "token-of-65536-bytes", padded(to: 65_536))
    reject("1.1", "token-of-65537-bytes", .tokenTooLarge, nil, padded(to: 65_537))
    reject("1.1", .with(.exhaustiveOnly, "token-of-a-million-bytes"), .tokenTooLarge, nil, padded(to: 1_000_000))
    reject("1.1", "token-of-65537-bytes-that-are-no-json", .tokenTooLarge) {
      $0.token = [UInt8](repeating: 0xFF, count: 65_537)
    }
    reject("1.1", "token-with-a-long-unknown-member", .tokenTooLarge) {
      $0.json { $0.append("unknown", .string(String(repeating: "x", count: 65_536))) }
    }
  }

  /// As large as may be, in one part each, so that no buffer is too small for it.
  mutating func addLargestCases() {
    accept("1.1", "the-largest-token-by-its-ciphertext") { draft in
      draft.layers.applicationData = draft.stream.bytes(32)
      var length = 30_000
      for _ in 0..<2 {
        try draft.payload { $0.append("unknown", .string(String(repeating: "x", count: length))) }
        length += max(0, 65_536 - 16 - draft.bareToken.count) / 4 * 3
      }
      guard draft.bareToken.count > 65_000 else { throw MintingError.recipe("a large token") }
      draft.padToken(to: 65_536)
    }
    accept("1.1", "the-largest-token-by-its-signature") { draft in
      var length = 30_000
      for _ in 0..<2 {
        let filler = [UInt8](repeating: 0x5A, count: length)
        try draft.attributes { $0.append(.sequence([OID.unknown, .set([.octetString(filler)])])) }
        length += max(0, 65_536 - draft.bareToken.count) / 4 * 3 - 8
      }
      guard draft.bareToken.count > 65_000 else { throw MintingError.recipe("a large token") }
      draft.padToken(to: 65_536)
    }
    for (name, count) in [("131073", 131_073), ("190000", 190_000)] {
      let around: CaseName = "around-a-token-of-\(name)-bytes"
      let ofBambora: CaseName = .with(count < 190_000 ? .exhaustiveOnly : nil, around)
      request("1.1", .bambora, ofBambora, .tokenTooLarge, around: { $0.padToken(to: count) })
      request("1.1", .mpgs, .with(.exhaustiveOnly, around), .tokenTooLarge, around: { $0.padToken(to: count) })
    }
  }
}
