import Minting
import PaymentToken

/// How base64 ends: padding that is left out, and bits that no byte has. The bytes are those of a sound token wherever
/// their number is free, so that a reader that forgives the end accepts it.
extension CaseList {
  mutating func addBase64EndCases() {
    for member in [TokenMember.data, .signature, .ephemeralPublicKey, .publicKeyHash] {
      for characters in [2, 3] {
        for (name, edit) in CaseList.ends(of: characters) {
          reject("4.1", "\(member.label)-\(name)", .invalidBase64, member) { try $0.setEnd(member, characters, edit) }
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

  private typealias End = @Sendable (inout [UInt8]) -> Void

  /// Every fault of a last group of two or three characters, with its name.
  private static func ends(of characters: Int) -> [(name: String, edit: End)] {
    let name = "ending-in-\(characters)-characters"
    var ends: [(name: String, edit: End)] = [("\(name)-unpadded", { $0.removeLast(4 - characters) })]
    // Four bits of the second character belong to no byte, two of the third.
    for bits in characters == 2 ? [1, 2, 4, 8, 15] : [1, 2, 3] {
      ends.append(
        (
          "\(name)-with-trailing-bits-\(bits)",
          { text in
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
            let last = text.count - 5 + characters
            if let index = alphabet.firstIndex(of: text[last]) { text[last] = alphabet[index | bits] }
          }
        ))
    }
    return ends
  }
}

extension CaseDraft {
  /// Gives a member as many bytes as end in that many characters, and edits its base64.
  fileprivate mutating func setEnd(
    _ member: TokenMember, _ characters: Int, _ edit: (inout [UInt8]) -> Void
  ) throws {
    var text = Array(Base64.encode(try octets(of: member, beyondThirds: characters - 1)).utf8)
    edit(&text)
    set(member, .raw([0x22] + text + [0x22]))
  }

  /// A member's bytes, after their number was changed to `rest` more than a multiple of three.
  private mutating func octets(of member: TokenMember, beyondThirds rest: Int) throws -> [UInt8] {
    switch member {
    case .data:
      while layers.data.count % 3 != rest {
        layers.plaintext.append(0x20)
        try reseal()
      }
      return layers.data
    case .signature:
      // An ECDSA value is as long as chance has it.
      for count in 0..<100 {
        let filler = [UInt8](repeating: 0x5A, count: count)
        try attributes { $0.append(.sequence([OID.unknown, .set([.octetString(filler)])])) }
        if layers.signature.count % 3 == rest { return layers.signature }
      }
      throw MintingError.recipe("no signature of that length")
    case .ephemeralPublicKey: return layers.ephemeralPublicKey + (rest == 1 ? [] : [0])
    case .publicKeyHash: return rest == 2 ? layers.publicKeyHash : Array(layers.publicKeyHash.dropLast())
    case .wrappedKey where layers.wrappedKey.count % 3 == rest: return layers.wrappedKey
    default: throw MintingError.recipe("a member of another number of octets")
    }
  }
}
