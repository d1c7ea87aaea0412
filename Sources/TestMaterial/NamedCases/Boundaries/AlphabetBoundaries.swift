import Gateways
import Minting
import PaymentToken
import TestCases

/// Rules 4.1 and 4.2: every byte in every member that has an alphabet, as it is and as an escape.
extension CaseList {
  private static let base64Alphabet = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let hexAlphabet = Set("0123456789abcdefABCDEF".utf8)

  /// Where in the text the byte is.
  private enum Place: String, CaseIterable {
    case start, middle, end

    /// An index before the last group of four, whose characters may have trailing bits.
    func index(in count: Int) -> Int {
      switch self {
      case .start: 0
      case .middle: count / 2
      case .end: count - 8
      }
    }
  }

  /// How the byte is written.
  private enum Form: String, CaseIterable {
    case raw, escaped
    /// An escape of the character 0x100 higher, whose low byte equals this byte.
    case twin

    func text(_ byte: UInt8) -> [UInt8] {
      switch self {
      case .raw: [byte]
      case .escaped: JSONText.escape(UInt16(byte))
      case .twin: JSONText.escape(0x100 + UInt16(byte))
      }
    }
  }

  mutating func addAlphabetBoundaries() {
    for member in [TokenMember.data, .signature, .ephemeralPublicKey, .publicKeyHash, .wrappedKey] {
      addAlphabet("4.1", member, Self.base64Alphabet, .invalidBase64)
    }
    for member in [TokenMember.transactionId, .applicationData] {
      addAlphabet("4.2", member, Self.hexAlphabet, .invalidHex)
    }
  }

  private mutating func addAlphabet(
    _ clause: String, _ member: TokenMember, _ alphabet: Set<UInt8>, _ code: TokenFault.Code
  ) {
    let isRSA = member == .wrappedKey
    for place in Place.allCases where member != .signature || place == .middle {
      for byte in UInt8.min...UInt8.max {
        for form in Form.allCases {
          let isInAlphabet = alphabet.contains(byte) && form != .twin
          guard form != .twin || alphabet.contains(byte) else { continue }
          let fault =
            isInAlphabet
            ? TokenFault(member == .publicKeyHash ? .unknownMerchantKey : .signatureMismatch)
            : form == .raw && Self.isMalformed(byte) ? .malformedJSON : TokenFault(code, member: member)
          let name: CaseName =
            "\(isRSA ? "rsa-" : "")\(member.label)-with-byte-\(byte)-\(form.rawValue)-at-its-\(place.rawValue)"
          bound(clause, .standing(.ofHash(member), name), fault) { draft in
            if isRSA { try draft.becomeRSA() }
            if member == .applicationData { try draft.signApplicationData() }
            let start = member == .signature ? try draft.digestIndex() : nil
            draft.characters(of: member) { text in
              let index = start ?? place.index(in: text.count)
              // Another character changes too, so that the value differs even if this byte was there before.
              let other = start.map { $0 + 4 } ?? (index < 9 ? index + 9 : index - 9)
              text[other] = text[other] == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
              // An A after a backslash makes no valid escape.
              if byte == UInt8(ascii: "\\") { text[index + 1] = UInt8(ascii: "A") }
              text.replaceSubrange(index...index, with: form.text(byte))
            }
          }
        }
      }
    }
  }

  /// Whether a byte, followed by ASCII, is malformed in a string.
  static func isMalformed(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  // MARK: The payload

  /// Rules 13.2 and 13.4: the same for the strings of the payload.
  mutating func addPayloadAlphabetBoundaries() {
    let digits = Set("0123456789".utf8)
    let strings: [(path: [String], text: String, index: Int, alphabet: Set<UInt8>)] = [
      (["applicationPrimaryAccountNumber"], "4111111111111111", 0, digits),
      (["applicationPrimaryAccountNumber"], "4111111111111111", 15, digits),
      (["applicationExpirationDate"], "301231", 1, digits), (["currencyCode"], "978", 0, digits),
      (["currencyCode"], "978", 2, digits), (["deviceManufacturerIdentifier"], "040010030273", 0, Self.hexAlphabet),
      (["deviceManufacturerIdentifier"], "040010030273", 11, Self.hexAlphabet),
      (["paymentData", "eciIndicator"], "07", 0, digits), (["paymentData", "eciIndicator"], "07", 1, digits),
      (["paymentData", "onlinePaymentCryptogram"], "AAAAAAAAAAAAAAAA", 0, Self.base64Alphabet),
      (["paymentData", "onlinePaymentCryptogram"], String(repeating: "A", count: 64), 33, Self.base64Alphabet),
      (["paymentData", "emvData"], "AAAAAAAAAAAA", 9, Self.base64Alphabet),
    ]
    for (path, text, index, alphabet) in strings {
      for byte in UInt8.min...UInt8.max {
        for form in Form.allCases where form != .twin || alphabet.contains(byte) {
          let isIn = alphabet.contains(byte) && form != .twin
          let name: CaseName =
            "\((path.last ?? "").kebabCase)-with-byte-\(byte)-\(form.rawValue)-at-\(index)-of-\(text.utf8.count)"
          bound(path.count > 1 ? "13.4" : "13.2", name, isIn ? nil : .malformedPayload) { draft in
            var value = Array(text.utf8)
            if byte == UInt8(ascii: "\\"), index + 1 < value.count { value[index + 1] = UInt8(ascii: "A") }
            value.replaceSubrange(index...index, with: form.text(byte))
            let quoted = JSONValue.raw([0x22] + value + [0x22])
            try draft.payload { object in
              if path.last == "emvData" {
                object.becomeEMV(["emvData": quoted])
              } else {
                object[path] = quoted
              }
            }
          }
        }
      }
    }
  }
}

extension CaseDraft {
  /// The index of a character of the signature's base64 that encodes bits of the message digest alone.
  fileprivate func digestIndex() throws -> Int {
    guard let place = layers.signature.firstRange(of: Hashing.sha256(layers.signedContent)) else {
      throw MintingError.recipe("a message digest")
    }
    return (place.lowerBound + 8) / 3 * 4
  }
}
