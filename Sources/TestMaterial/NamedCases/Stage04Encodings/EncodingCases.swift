import Minting
import PaymentToken
import TestCases

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
      .standing(.foreignCharacter, "with-a-space"): { $0.insert(0x20, at: 4) },
      .standing(.foreignCharacter, "with-a-line-break-escape"): { $0.insert(contentsOf: Array("\\n".utf8), at: 4) },
      .standing(.foreignCharacter, "with-a-hyphen"): { $0[5] = UInt8(ascii: "-") },
      .standing(.foreignCharacter, "with-an-underscore"): { $0[5] = UInt8(ascii: "_") },
      .standing(.foreignCharacter, "with-an-exclamation-mark"): { $0[5] = UInt8(ascii: "!") },
      "with-a-null-escape": { $0.replaceSubrange(5..<6, with: Array("\\u0000".utf8)) },
      .standing(.foreignCharacter, "with-a-letter-beyond-ascii"): { $0.replaceSubrange(5..<7, with: [0xC3, 0xA9]) },
      "cut-by-one-character": { $0.removeLast() },
      "with-one-character-more": { $0.append(UInt8(ascii: "A")) },
      .standing(.needlessPadding, "with-one-padding-more"): { $0.append(UInt8(ascii: "=")) },
      .standing(.needlessPadding, "with-four-paddings-more"): { $0 += Array("====".utf8) },
      "with-padding-in-the-middle": { $0.replaceSubrange(4..<8, with: Array("AA==".utf8)) },
      "with-padding-at-the-start": { $0.insert(UInt8(ascii: "="), at: 0) },
      "in-hexadecimal-of-odd-length": { $0 = Array("abc".utf8) },
      .standing(.trailingBits, "with-nonzero-trailing-bits"): { $0.end(with: "AB==") },
      .standing(.trailingBits, "with-nonzero-trailing-bits-of-three"): { $0.end(with: "AAB=") },
      "of-paddings-alone": { $0 = Array("====".utf8) }, "of-one-character": { $0 = Array("A".utf8) },
      "with-one-padding-where-two-belong": { $0.end(with: "AA=") },
    ]
    for member in [TokenMember.data, .signature, .ephemeralPublicKey, .publicKeyHash] {
      for (name, edit) in faults {
        var sample = [UInt8](repeating: 0x41, count: 64)
        edit(&sample)
        // A signature of at most four characters of base64 leaves nothing to verify.
        let standing: Standing? = member == .signature && sample.count <= 4 ? .forgery : .ofHash(member)
        reject("4.1", .standing(standing, "\(member.label)-\(name)"), .invalidBase64, member) { draft in
          draft.characters(of: member, edit)
        }
      }
    }
    reject("4.1", "public-key-hash-without-padding", .invalidBase64, .publicKeyHash) { draft in
      draft.set(.publicKeyHash, .raw(draft.value(.publicKeyHash).filter { $0 != UInt8(ascii: "=") }))
    }
    reject(
      "4.1", "public-key-hash-with-its-trailing-bits-set", .invalidBase64, .publicKeyHash,
      note: "32 bytes leave four bits over"
    ) { $0.characters(of: .publicKeyHash) { $0.setTrailingBits(1, at: $0.count - 2) } }
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
    reject("4.3", .standing(.apple, .apple, .strictness, "data-of-a-tag-over-nothing"), .invalidLength, .data) {
      draft in
      try draft.reseal([])
    }
    reject("13.1", "data-of-17-bytes", .malformedPayload, note: "a tag and one byte pass stage 4") { draft in
      try draft.reseal(Array("0".utf8))
    }
    reject("4.3", "signature-of-no-bytes", .invalidLength, .signature) { $0.layers.signature = [] }
    reject("5.6", .standing(.forgery, "signature-of-one-byte"), .malformedSignature) { $0.layers.signature = [0x30] }
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
    reject(
      "4.3", .standing(.apple, .rfc(5480, "2.2"), .choice, "ephemeral-public-key-compressed"), .invalidLength,
      .ephemeralPublicKey
    ) { draft in
      let point = draft.layers.ephemeral.point
      try draft.sign(\.ephemeralPublicKey, CaseList.info([2 + (point[64] & 1)] + point[1...32]).encoded)
    }
    for count in [0, 20, 31, 33, 64] {
      reject("4.3", "public-key-hash-of-\(count)-bytes", .invalidLength, .publicKeyHash) { draft in
        let hash = draft.layers.publicKeyHash
        draft.layers.publicKeyHash = Array((hash + hash).prefix(count))
      }
      let empty = count == 0 ? Standing(.apple, .apple, .strictness) : nil
      reject("4.3", .standing(empty, "transaction-id-of-\(count)-bytes"), .invalidLength, .transactionId) {
        try $0.sign(random: \.transactionId, count: count)
      }
      let added = count == 0 ? Standing(.holder, .apple, .strictness) : nil
      reject("4.3", .standing(added, "application-data-of-\(count)-bytes"), .invalidLength, .applicationData) { draft in
        try draft.signApplicationData(count: count)
      }
    }
    accept("4.3", "application-data-of-32-bytes") { try $0.signApplicationData() }
  }

  private mutating func addEncodingOrderCases() {
    reject("4", .standing(.forgery, "data-and-signature-that-are-no-base64"), .invalidBase64, .data) {
      $0.set([.signature: .string("!"), .data: .string("!")])
    }
    reject("4", .standing(.forgery, "data-too-short-before-signature-that-is-no-base64"), .invalidLength, .data) {
      $0.set([.signature: .string("!"), .data: .string("AAAA")])
    }
    reject(
      "4", .standing(.holder, .apple, .critical, "public-key-hash-too-short-before-transaction-id-that-is-no-hex"),
      .invalidLength, .publicKeyHash
    ) {
      $0.set([.transactionId: .string("zz"), .publicKeyHash: .string("AAAA")])
    }
    reject("4", "a-short-data-that-is-no-base64", .invalidBase64, .data) { $0.set(.data, .string("AB==")) }
    reject("4", "ephemeral-public-key-before-public-key-hash", .invalidBase64, .ephemeralPublicKey) {
      $0.set([.publicKeyHash: .string(""), .ephemeralPublicKey: .string("AAA")])
    }
    reject("4", .standing(.forgery, "encodings-before-the-signature"), .invalidLength, .applicationData) { draft in
      draft.layers.signature = [0]
      draft.set(.applicationData, .string(""))
    }
  }
}

/// Ends of hexadecimal: the digits after the last full group of eight are often decoded separately.
extension CaseList {
  mutating func addHexEndCases() {
    for member in [TokenMember.transactionId, .applicationData] {
      for count in [66, 68, 70] {
        for (place, index) in [("a-wrong-last-digit", count - 1), ("a-wrong-digit-before-the-last", count - 2)] {
          reject("4.2", "\(member.label)-of-\(count)-digits-with-\(place)", .invalidHex, member) {
            var digits = [UInt8](repeating: UInt8(ascii: "a"), count: count)
            digits[index] = UInt8(ascii: "g")
            $0.set(member, .raw([0x22] + digits + [0x22]))
          }
        }
      }
    }
  }
}

/// Ends of base64: padding that is left out, and bits that belong to no byte. Where the length of a member is free, its
/// bytes are those of a valid token, so that a reader that ignores the fault accepts it.
extension CaseList {
  mutating func addBase64EndCases() {
    for member in [TokenMember.data, .signature, .ephemeralPublicKey, .publicKeyHash] {
      for characters in [2, 3] {
        for (name, edit) in CaseList.ends(of: characters) {
          reject("4.1", .standing(.ofHash(member), "\(member.label)-\(name)"), .invalidBase64, member) {
            try $0.setEnd(member, characters, edit)
          }
        }
      }
    }
    for (characters, key) in [(2, 0), (3, 2)] {
      for (name, edit) in CaseList.ends(of: characters) {
        rsa("4.1", "wrapped-key-\(name)", .invalidBase64, .wrappedKey, key: key) { draft in
          try draft.setEnd(.wrappedKey, characters, edit)
        }
      }
      for member in ["data", "signature"] {
        for (name, _) in CaseList.ends(of: characters) { underRSA("\(member)-\(name)") }
      }
    }
  }

  /// Every fault of a last group of two or three characters, with its name.
  private static func ends(of characters: Int) -> [(name: CaseName, edit: Edit<[UInt8]>)] {
    let name = "ending-in-\(characters)-characters"
    var ends: [(name: CaseName, edit: Edit<[UInt8]>)] = [("\(name)-unpadded", { $0.removeLast(4 - characters) })]
    // Four bits of the second character belong to no byte, two of the third.
    for bits in characters == 2 ? [1, 2, 4, 8, 15] : [1, 2, 3] {
      ends.append(
        (
          .standing(.trailingBits, "\(name)-with-trailing-bits-\(bits)"),
          { $0.setTrailingBits(bits, at: $0.count - 5 + characters) }
        ))
    }
    return ends
  }
}

extension [UInt8] {
  /// Replaces the last group of base64, so that the fault of this group is the only one.
  mutating func end(with group: String) { self = prefix(count / 4 * 4 - 4) + Array(group.utf8) }

  /// Sets bits of the value of a character of base64.
  fileprivate mutating func setTrailingBits(_ bits: Int, at place: Int) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    if let index = alphabet.firstIndex(of: self[place]) { self[place] = alphabet[index | bits] }
  }
}

extension CaseDraft {
  /// Gives a member a length at which the last group of its base64 has `characters` characters, and edits the base64.
  fileprivate mutating func setEnd(
    _ member: TokenMember, _ characters: Int, _ edit: (inout [UInt8]) -> Void
  ) throws {
    var text = Array(Base64.encode(try bytes(of: member, beyondThirds: characters - 1)).utf8)
    edit(&text)
    set(member, .raw([0x22] + text + [0x22]))
  }

  /// A member's bytes, after their number was changed to `rest` more than a multiple of three.
  private mutating func bytes(of member: TokenMember, beyondThirds rest: Int) throws -> [UInt8] {
    switch member {
    case .data:
      while layers.data.count % 3 != rest { try reseal(layers.plaintext + [0x20]) }
      return layers.data
    case .signature:
      // The length of an ECDSA value varies at random.
      for count in 0..<100 {
        let filler = [UInt8](repeating: 0x5A, count: count)
        try attributes { $0.append(.sequence([OID.unknown, .set([.octetString(filler)])])) }
        if layers.signature.count % 3 == rest { return layers.signature }
      }
      throw MintingError.recipe("no signature of that length")
    case .ephemeralPublicKey: return layers.ephemeralPublicKey + (rest == 1 ? [] : [0])
    case .publicKeyHash: return rest == 2 ? layers.publicKeyHash : Array(layers.publicKeyHash.dropLast())
    case .wrappedKey where layers.wrappedKey.count % 3 == rest: return layers.wrappedKey
    default: throw MintingError.recipe("a member of another number of bytes")
    }
  }
}
