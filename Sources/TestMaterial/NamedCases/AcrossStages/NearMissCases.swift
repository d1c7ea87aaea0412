import Gateways
import Minting
import PaymentToken
import TestCases

/// Faults of a single bit, byte or length: they find planted bugs that all other cases miss.
extension CaseList {
  mutating func addNearMissCases() {
    addContinuationCases()
    addTrailingBitCases()
    addAlphabetCases()
    addEscapeCases()
    addLargestCases()
    addCutCases()
    addPaymentTypeCases()
    addSignByteCases()
    addAttributeOrderCases()
    addAlgorithmCases()
    addEndCases()
    addWrappedLengthCases()
  }

  // MARK: Text

  private mutating func addContinuationCases() {
    for character: [UInt8] in [[0xC3, 0xA9], [0xE2, 0x82, 0xAC], [0xF0, 0x9F, 0x98, 0x80]] {
      for index in character.indices.dropFirst() {
        for (name, byte) in [("7f", 0x7F), ("c0", 0xC0)] as [(CaseName, UInt8)] {
          var broken = character
          broken[index] = byte
          unknownValue(
            "2.2", "byte-\(index + 1)-of-\(character.count)-of-a-character-is-\(name)", .malformedJSON,
            [0x22] + broken + Array(" plain\"".utf8))
        }
      }
    }
  }

  /// The base64 of each member ends in this group.
  private mutating func lastGroup(_ name: CaseName, _ group: String) {
    for member in [TokenMember.data, .signature, .ephemeralPublicKey, .publicKeyHash] {
      reject("4.1", .standing(.ofHash(member), "\(member.label)-with-\(name)"), .invalidBase64, member) {
        $0.characters(of: member) { $0.end(with: group) }
      }
    }
  }

  private static let trailingBits = [
    ("1-of-4", "AB=="), ("2-of-4", "AC=="), ("3-of-4", "AE=="), ("4-of-4", "AI=="), ("1-of-2", "AAB="),
    ("2-of-2", "AAC="),
  ]

  private mutating func addTrailingBitCases() {
    for (name, group) in Self.trailingBits {
      lastGroup(.standing(.trailingBits, "trailing-bit-\(name)"), group)
      base64InPayload(.standing(.encryptedTrailingBits, "with-trailing-bit-\(name)"), .string("AAAA\(group)"))
    }
  }

  /// The last group of base64 is often decoded apart from the others.
  private mutating func addAlphabetCases() {
    for (name, group) in [
      (.standing(.foreignCharacter, "a-hyphen-in-its-last-group"), "A-A="),
      (.standing(.foreignCharacter, "an-underscore-in-its-last-group"), "A_A="),
      (.standing(.foreignCharacter, "a-hyphen-in-its-last-byte"), "-A=="),
      (.standing(.foreignCharacter, "a-space-in-its-last-group"), "A A="),
      ("a-high-byte-in-its-last-group", "é=="),
    ] as [(CaseName, String)] { lastGroup(name, group) }
    for (name, text) in [
      ("a-hyphen", "AA-A"), ("an-underscore", "AA_A"), ("a-hyphen-in-its-last-group", "AAAAA-A="),
      ("padding-before-its-end", "AA==AAAA"), ("three-paddings", "AAAAA==="),
    ] { cryptogram("with-\(name)", .string(text)) }
  }

  /// Characters of several bytes, escaped in the string around a token, with plain text right behind them.
  private mutating func addEscapeCases() {
    for (name, escape) in [
      ("two", #"\u00e9"#), ("three", #"\u20ac"#), ("four", #"\ud83d\ude00"#),
    ] {
      request("0.7", "mpgs-around-a-token-with-an-escaped-character-of-\(name)-bytes") { draft in
        draft.json { $0.append("unknown", .string("XYZXYZ and plain text behind it")) }
        draft.enclose(.mpgs)
        draft.requestText { $0.replace("XYZXYZ", with: escape) }
      }
    }
  }

  /// The text ends where a reader looks ahead.
  private mutating func addCutCases() {
    for (name, end) in [
      ("a-literal", Array("fals".utf8)), ("an-escape", Array(#""\u12"#.utf8)), ("a-backslash", Array(#""\"#.utf8)),
      ("a-surrogate-pair", Array(#""\ud83d\"#.utf8)), ("a-character", [0x22, 0xF0, 0x9F]), ("a-number", [0x2D]),
    ] as [(CaseName, [UInt8])] {
      reject("2.1", "a-token-that-ends-within-\(name)", .malformedJSON) { $0.token = Array("{\"a\":".utf8) + end }
      plaintext("13.1", "payload-that-ends-within-\(name)") { $0 = Array("{\"a\":".utf8) + end }
    }
  }

  /// The payload has what both types need, so that only the name of the type is wrong.
  private mutating func addPaymentTypeCases() {
    for (name, type) in [
      ("unknown", "Contactless"), ("empty", ""), ("emv-in-small-letters", "emv"), ("emv-and-a-space", "EMV "),
      ("3-d-secure-in-capitals", "3DSECURE"), ("3-d-secure-cut-short", "3DSecur"),
    ] {
      payload("13.2", "payment-data-type-\(name)-with-the-members-of-both") { object in
        object["paymentDataType"] = .string(type)
        object.edit("paymentData") { $0["emvData"] = .string("AAAA") }
      }
    }
  }

  // MARK: Numbers and lengths

  /// Attributes of two values: the reference engine has no cross-check of them, since OpenSSL sorts the values.
  private mutating func addAttributeOrderCases() {
    let two = ASN1Node.sequence([OID.unknown, .set([.integer(2), .integer(1)])])
    attributes("5.11", "an-unknown-attribute-of-two-values-out-of-order", nil) { $0.append(two) }
    let edits: Named<Edit<[ASN1Node]>> = [
      "digest-with-its-last-bit-flipped": { $0[3][1][0].contents[31] ^= 1 },
      "digest-with-its-first-bit-flipped": { $0[3][1][0].contents[0] ^= 0x80 },
    ]
    for (name, edit) in edits {
      attributes(
        "8.1", .standing(.apple, .apple, .high, "\(name)-beside-an-attribute-of-two-values"), .signatureMismatch
      ) {
        edit(&$0)
        $0.append(two)
      }
    }
    reject("8.2", "signed-with-another-key-beside-an-attribute-of-two-values", .signatureMismatch) { draft in
      draft.layers.signer.key = draft.minter.foreign.leafKey
      try draft.attributes { $0.append(two) }
    }
  }

  private mutating func addSignByteCases() {
    for (name, indices) in [("r", [0]), ("s", [1]), ("r-and-s", [0, 1])] {
      reject(
        "8.3", "ecdsa-\(name)-without-the-byte-of-the-sign", .signatureMismatch,
        note: "a negative number whose bytes are those of the right one"
      ) { draft in
        for _ in 0..<1_000 {
          var value = try draft.signed().value.node
          if indices.allSatisfy({ value[$0].contents[0] == 0 }) {
            for index in indices { value[index].contents.removeFirst() }
            return try draft.sign(value: value.encoded)
          }
          draft.layers.transactionId = draft.stream.bytes(32)
        }
        throw MintingError.recipe("no such signature")
      }
    }
  }

  /// Algorithms that cmsAlgorithmProtection does not contradict: it is absent, or repeats them.
  private mutating func addAlgorithmCases() {
    let forms: [(CaseName, ASN1Node)] = [
      ("sha-1-with-rsa", .sequence([OID.sha1WithRSA, .null])), ("sha-384-with-rsa", Algorithms.rsaSHA384),
      ("sha-512-with-rsa", .sequence([OID.sha512WithRSA, .null])), ("rsa-pss", .sequence([OID.rsaPSS, .null])),
      ("ecdsa-with-sha-1", .sequence([OID.ecdsaWithSHA1])), ("ecdsa-with-sha-384", Algorithms.ecdsaSHA384),
      (.standing(.holder, .rfc(5753, "2.1.1"), .strictness, "ec-public-key"), .sequence([OID.ecPublicKey])),
      ("sha-256", .sequence([OID.sha256])),
      ("unknown", .sequence([OID.unknown])), ("unknown-with-null", .sequence([OID.unknown, .null])),
    ]
    for (name, node) in forms {
      for isRepeated in [false, true] {
        // The protection is signed, so only Apple can make the cases that repeat the algorithm.
        let name: CaseName =
          isRepeated
          ? .standing(.apple, .apple, .strictness, "signature-algorithm-\(name)-repeated-in-its-protection")
          : .standing(
            name.ownStanding ?? Standing(.holder, .apple, .strictness), "signature-algorithm-\(name)-without-protection"
          )
        underBothVersions { list in
          list.reject("5.10", name, .malformedSignature) { draft in
            draft.layers.signatureRecipe.attributes = isRepeated ? .four : .three
            draft.layers.signatureRecipe.protectedAlgorithm = node
            try draft.signature { $0.signerInfo[4] = node }
          }
        }
      }
    }
  }

  /// The signature ends where a value is missing: neither an end of contents nor another value follows.
  private mutating func addEndCases() {
    func end(_ name: CaseName, _ edit: @escaping @Sendable (inout ASN1Node) -> Void) {
      reject("5.7", "a-signature-that-ends-\(name)", .malformedSignature) { draft in
        draft.layers.signatureRecipe.wrappers = .shortest
        try draft.signature(edit)
      }
    }
    let parts: [(String, any Path, Int)] = [("signed-data", \.signedData, 5), ("signer-info", \.signerInfo, 6)]
    for (name, path, all) in parts {
      for count in 0..<all {
        end(.standing(.forgery, "after-\(count)-values-of-\(name)")) {
          $0[keyPath: path].children.removeLast(all - count)
        }
      }
    }
    end(.standing(.forgery, "in-no-digest-algorithm")) {
      $0.digestAlgorithms.children = []
      $0.signedData.children = Array($0.signedData.children.prefix(2))
    }
    end(.standing(.forgery, "in-no-signer-info")) { $0.signerInfos.children = [] }
    end(.standing(.forgery, "in-the-tag-of-signer-infos")) { $0.signerInfos = .raw([0x31]) }
    end(.standing(.forgery, "in-half-a-length-of-signer-infos")) { $0.signerInfos = .raw([0x31, 0x82, 1]) }
    for (name, bytes) in [
      ("a-tag", [4]), ("a-length-of-lengths", [4, 0x82]), ("half-a-length", [4, 0x82, 1]), ("a-length", [4, 1]),
    ] as [(CaseName, [UInt8])] {
      end(.standing(.holder, .rfc(5652, "5.3"), .strictness, "in-\(name)")) {
        $0.signerInfo.children.append(.raw(bytes))
      }
      end(.standing(.forgery, "in-\(name)-for-a-value")) { $0.signerInfo[5] = .raw(bytes) }
    }
  }

  /// Lengths of which only the lowest 8, 16, 24, 32, 56 or 64 bits are right.
  private mutating func addWrappedLengthCases() {
    for bytes in [1, 2, 3, 4, 7, 8] {
      let bits = 8 * bytes
      let high = [0x80 | UInt8(bytes + 1), 1] + zeros(bytes - 1)
      attributeValue(
        "5.3", .choice(.holder, "a-length-2-to-the-\(bits)-too-large"), .malformedSignature,
        ASN1Node(
          identifier: [4], length: .verbatim(high + [0x90]), body: .primitive(zeros(0x90))))
      guard bytes > 1 else { continue }
      let names = ["content-info", "signed-data", "certificates", "signer-infos"]
      for (name, path) in CaseList.wrappers where names.contains(name) {
        signature("5.2", "\(name)-with-a-length-2-to-the-\(bits)-too-large") { node in
          let count = node[keyPath: path].contents.count
          let low = (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
          node[keyPath: path].length = .verbatim([0x80 | UInt8(bytes + 1), 1] + low)
        }
      }
    }
  }
}
