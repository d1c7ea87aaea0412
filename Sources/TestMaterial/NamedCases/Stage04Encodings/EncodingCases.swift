import Minting
import PaymentToken

/// Stage 4: base64, hexadecimal and lengths.
extension CaseList {
  mutating func addEncodingCases() {
    addBase64Cases()
    addHexCases()
    addLengthCases()
    addEncodingOrderCases()
  }

  private mutating func addBase64Cases() {
    let faults: Named<Edit<[UInt8]>> = [
      "with-a-space": { $0.insert(0x20, at: 4) },
      "with-a-line-break-escape": { $0.insert(contentsOf: Array("\\n".utf8), at: 4) },
      "with-a-hyphen": { $0[5] = UInt8(ascii: "-") }, "with-an-underscore": { $0[5] = UInt8(ascii: "_") },
      "with-an-exclamation-mark": { $0[5] = UInt8(ascii: "!") },
      "with-a-null-escape": { $0.replaceSubrange(5..<6, with: Array("\\u0000".utf8)) },
      "with-a-letter-beyond-ascii": { $0.replaceSubrange(5..<7, with: [0xC3, 0xA9]) },
      "cut-by-one-character": { $0.removeLast() },
      "with-one-character-more": { $0.append(UInt8(ascii: "A")) },
      "with-one-padding-more": { $0.append(UInt8(ascii: "=")) },
      "with-four-paddings-more": { $0 += Array("====".utf8) },
      "with-padding-in-the-middle": { $0.replaceSubrange(4..<8, with: Array("AA==".utf8)) },
      "with-padding-at-the-start": { $0.insert(UInt8(ascii: "="), at: 0) },
      "in-hexadecimal-of-odd-length": { $0 = Array("abc".utf8) },
      "with-nonzero-trailing-bits": { $0 += Array("AB==".utf8) },
      "with-nonzero-trailing-bits-of-three": { $0 += Array("AAB=".utf8) },
      "of-paddings-alone": { $0 = Array("====".utf8) }, "of-one-character": { $0 = Array("A".utf8) },
      "with-one-padding-where-two-belong": { $0 += Array("AA=".utf8) },
    ]
    for member in [TokenMember.data, .signature, .ephemeralPublicKey, .publicKeyHash] {
      for (name, edit) in faults {
        reject("4.1", "\(member.label)-\(name)", .invalidBase64, member) { draft in
          // Appended groups must follow a whole one: the fault named is the only one.
          var text = Array(draft.value(member).dropFirst().dropLast())
          if name.hasPrefix("with-nonzero") || name.hasSuffix("two-belong") {
            text = Array(text.prefix(text.count / 4 * 4 - 4))
          }
          edit(&text)
          draft.set(member, .raw([0x22] + text + [0x22]))
        }
      }
    }
    reject("4.1", "public-key-hash-without-padding", .invalidBase64, .publicKeyHash) { draft in
      draft.set(.publicKeyHash, .raw(draft.value(.publicKeyHash).filter { $0 != UInt8(ascii: "=") }))
    }
    reject(
      "4.1", "public-key-hash-with-its-trailing-bits-set", .invalidBase64, .publicKeyHash,
      note: "32 bytes leave four bits over"
    ) { draft in
      var text = draft.value(.publicKeyHash)
      let last = text.count - 3
      let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
      if let index = alphabet.firstIndex(of: text[last]) { text[last] = alphabet[index | 1] }
      draft.set(.publicKeyHash, .raw(text))
    }
  }

  private mutating func addHexCases() {
    let faults: Named<Edit<[UInt8]>> = [
      "of-odd-length": { $0.removeLast() }, "with-a-letter-g": { $0[9] = UInt8(ascii: "g") },
      "with-0x-before-it": { $0 = Array("0x".utf8) + $0 },
      "with-0x-in-it": { $0.replaceSubrange(0..<2, with: Array("0x".utf8)) },
      "with-a-space": { $0[7] = 0x20 }, "with-a-colon": { $0[2] = UInt8(ascii: ":") },
      "with-a-null-escape": { $0.replaceSubrange(3..<4, with: Array("\\u0000".utf8)) },
      "with-full-width-digits": { $0.replaceSubrange(0..<6, with: Array("１２".utf8)) },
      "with-a-hyphen": { $0[8] = UInt8(ascii: "-") },
      "with-an-at-sign": { $0[8] = UInt8(ascii: "@") }, "with-a-slash": { $0[8] = UInt8(ascii: "/") },
      "with-a-grave-accent": { $0[8] = UInt8(ascii: "`") },
      "in-base64": { $0 = Array("q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=".utf8) },
    ]
    for member in [TokenMember.transactionId, .applicationData] {
      for (name, edit) in faults {
        reject("4.2", "\(member.label)-\(name)", .invalidHex, member) { draft in
          try draft.signApplicationData()
          draft.characters(of: member, edit)
        }
      }
    }
    accept("4.2", "hexadecimal-in-capitals") { draft in
      draft.layers.applicationData = draft.stream.bytes(32)
      draft.layers.style.upperCaseHex = true
      try draft.sign()
    }
    accept("4.2", "hexadecimal-in-mixed-case") { draft in
      draft.layers.transactionId = [UInt8](repeating: 0xAB, count: 32)
      try draft.sign()
      draft.set(.transactionId, .string(String(repeating: "aBAb", count: 16)))
    }
  }

  private mutating func addLengthCases() {
    for count in [0, 1, 15, 16] {
      reject("4.3", "data-of-\(count)-bytes", .invalidLength, .data, note: "forgery J: shorter than a tag and one byte")
      { try $0.sign { $0.data = Array($0.data.prefix(count)) } }
    }
    reject("4.3", "data-of-a-tag-over-nothing", .invalidLength, .data) { draft in
      draft.layers.plaintext = []
      try draft.reseal()
    }
    reject("13.1", "data-of-17-bytes", .malformedPayload, note: "one byte is long enough for stage 4") { draft in
      draft.layers.plaintext = Array("0".utf8)
      try draft.reseal()
    }
    reject("4.3", "signature-of-no-bytes", .invalidLength, .signature) { $0.layers.signature = [] }
    reject("5.6", "signature-of-one-byte", .malformedSignature) { $0.layers.signature = [0x30] }
    for count in [0, 33, 65, 90, 92, 120] {
      reject("4.3", "ephemeral-public-key-of-\(count)-bytes", .invalidLength, .ephemeralPublicKey) { draft in
        let key = draft.layers.ephemeralPublicKey
        draft.layers.ephemeralPublicKey =
          count == 65
          ? draft.layers.ephemeral.point
          : Array((key + zeros(40)).prefix(count))
        try draft.sign()
      }
    }
    reject("4.3", "ephemeral-public-key-compressed", .invalidLength, .ephemeralPublicKey) { draft in
      let point = draft.layers.ephemeral.point
      let compressed = [2 + (point[64] & 1)] + point[1...32]
      let info = ASN1Node.sequence([.sequence([OID.ecPublicKey, OID.p256]), .bitString(compressed)])
      draft.layers.ephemeralPublicKey = info.encoded
      try draft.sign()
    }
    for count in [0, 20, 31, 33, 64] {
      reject("4.3", "public-key-hash-of-\(count)-bytes", .invalidLength, .publicKeyHash) { draft in
        let hash = draft.layers.publicKeyHash
        draft.layers.publicKeyHash = Array((hash + hash).prefix(count))
      }
      reject("4.3", "transaction-id-of-\(count)-bytes", .invalidLength, .transactionId) {
        try $0.sign(random: \.transactionId, count: count)
      }
      reject("4.3", "application-data-of-\(count)-bytes", .invalidLength, .applicationData) { draft in
        try draft.signApplicationData(count: count)
      }
    }
    accept("4.3", "application-data-of-32-bytes") { try $0.signApplicationData() }
  }

  private mutating func addEncodingOrderCases() {
    reject("4", "data-and-signature-that-are-no-base64", .invalidBase64, .data) {
      $0.set([.signature: .string("!"), .data: .string("!")])
    }
    reject("4", "data-too-short-before-signature-that-is-no-base64", .invalidLength, .data) {
      $0.set([.signature: .string("!"), .data: .string("AAAA")])
    }
    reject("4", "public-key-hash-too-short-before-transaction-id-that-is-no-hex", .invalidLength, .publicKeyHash) {
      $0.set([.transactionId: .string("zz"), .publicKeyHash: .string("AAAA")])
    }
    reject("4", "a-short-data-that-is-no-base64", .invalidBase64, .data) { $0.set(.data, .string("AB==")) }
    reject("4", "ephemeral-public-key-before-public-key-hash", .invalidBase64, .ephemeralPublicKey) {
      $0.set([.publicKeyHash: .string(""), .ephemeralPublicKey: .string("AAA")])
    }
    reject("4", "encodings-before-the-signature", .invalidLength, .applicationData) { draft in
      draft.layers.signature = [0]
      draft.set(.applicationData, .string(""))
    }
  }
}
