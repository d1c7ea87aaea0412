import Gateways
import Minting
import PaymentToken

/// Tokens for which an engine of this project once had a bug; their notes name it.
extension CaseList {
  mutating func addRegressionCases() {
    /// Adds 60 members with long names to the token. `count` of the names differ, all in their last digits only.
    func longNames(_ count: Int) -> Build {
      {
        $0.json { object in
          for index in 0..<60 { object.append(String(repeating: "n", count: 200) + "\(index % count)", .raw("0")) }
        }
      }
    }
    reject(
      "13.3", .regression("an-amount-beyond-its-bound-by-its-exponent"), .malformedPayload,
      note: "999999999999e12 overflowed 64 bits and trapped"
    ) { try $0.payload { $0["transactionAmount"] = .raw("999999999999e12") } }
    accept(
      "2.6", .regression("60-long-names-that-begin-alike"),
      note: "all pairs of names were compared byte by byte, which took a hundred times as long as a token",
      longNames(60))
    reject(
      "2.6", .regression("a-repeated-name-among-60-long-ones"), .duplicateMember,
      note: "the same, with the last name equal to the first: equal hashes are not enough",
      longNames(59))
    leaf("5.15", .regression("a-leaf-of-hundreds-of-extensions"), nil) { leaf in
      for index in 0..<200 {
        leaf.extensions.append(
          .sequence([.primitive(6, [0x2A, 0x03, UInt8(index / 100 + 1), UInt8(index % 100)]), .octetString([])]))
      }
    }
    let attributes: [(CaseName, UInt64)] = [
      ("receipt-request", 1), ("signing-certificate", 12), ("signing-certificate-v2", 47),
    ]
    for (name, last) in attributes {
      accept(
        "5.11", .regression("an-attribute-\(name)-twice"),
        note: "the reference engine left the attribute to OpenSSL, which allows it only once"
      ) { draft in
        try draft.attributes { list in
          for _ in 0..<2 { list.append(.sequence([.oid([1, 2, 840, 113_549, 1, 9, 16, 2, last]), .set([.null])])) }
        }
      }
    }
    for (name, filler) in [("c3-81", "Á"), ("c2-80", "\u{80}"), ("c3-bf", "ÿ")] {
      reject(
        "4.1", .regression("a-block-of-base64-of-high-bytes-\(name)"), .invalidBase64, .data,
        note: "a table of 64 entries, indexed by the low bits of a byte, takes it for a letter"
      ) {
        let text = Array(String(repeating: filler, count: 32).utf8)
        $0.characters(of: .data) { $0.replaceSubrange(0..<64, with: text) }
      }
    }
  }
}
