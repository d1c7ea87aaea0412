import Gateways
import Minting
import PaymentToken

/// Names that nearly equal known ones. A reader that compares only the first 8 or 16 bytes, or characters instead of
/// bytes, takes such a name for the known one. It then finds a repeated name, or reads the wrong value.
extension CaseList {
  mutating func addNameEndCases() {
    surrounded("with-names-that-end-otherwise-beside-them") { $0.surroundWithNamesThatEndOtherwise() }
    payload("13.5", "emv-payload-with-names-that-end-otherwise-beside-them", nil) {
      $0.becomeEMV(["emvData": .string("AAAA")])
      $0.surroundWithNamesThatEndOtherwise()
    }
  }

  /// U+00E9 is equivalent to an e with U+0301. U+212A is equivalent to a K, which three names contain.
  mutating func addEquivalentNameCases() {
    surrounded("with-names-of-equivalent-characters-beside-them") { $0.surroundWithEquivalentNames() }
    for member in [TokenMember.publicKeyHash, .ephemeralPublicKey] {
      let name = "\"\(member.names.last ?? "")\""
      reject(member == .publicKeyHash ? "3.1" : "3.3", "\(member.label)-with-a-kelvin-sign", .missingMember, member) {
        $0.text { $0.replace(name, with: name.withKelvinSign) }
      }
    }
    rsa("3.3", "wrapped-key-with-a-kelvin-sign", .missingMember, .wrappedKey) {
      $0.text { $0.replace("\"wrappedKey\"", with: "\"wrappedKey\"".withKelvinSign) }
    }
  }

  /// Requests of every form, and tokens and payloads of both versions, with additional unknown members.
  private mutating func surrounded(_ name: CaseName, _ edit: @escaping Edit<JSONObject>) {
    for form in RequestForm.all { request("0.3", form, name, nil, edit) }
    underBothVersions { list in
      list.accept("2.6", "token-\(name)") { $0.json(edit) }
      list.payload("13.5", "payload-\(name)", nil, edit)
    }
  }
}

extension JSONObject {
  /// Puts a member before and after each member, also in inner objects: its name with another last letter, and null.
  fileprivate mutating func surroundWithNamesThatEndOtherwise() {
    forEachObject { object in
      object.members = object.members.flatMap { [$0.endingOtherwise(1), $0, $0.endingOtherwise(2)] }
    }
  }

  /// Puts members at the front of this object and of inner ones. Their names are equivalent to each other or to names
  /// of the object.
  fileprivate mutating func surroundWithEquivalentNames() {
    forEachObject { object in
      let names = object.members.map { String(decoding: $0.name, as: UTF8.self) }
      let others = names.filter { $0.utf8.contains(UInt8(ascii: "K")) }.map(\.withKelvinSign)
      object.members.insert(
        contentsOf: (["\"\u{E9}\"", "\"e\u{301}\""] + others).map { .init(rawName: $0, .raw("null")) }, at: 0)
    }
  }

  /// Edits the object and those in it, but none in an array; the innermost first.
  private mutating func forEachObject(_ edit: (inout JSONObject) -> Void) {
    for index in members.indices {
      guard case .object(var object) = members[index].value else { continue }
      object.forEachObject(edit)
      members[index].value = .object(object)
    }
    edit(&self)
  }
}

extension JSONObject.Member {
  fileprivate func endingOtherwise(_ difference: UInt8) -> JSONObject.Member {
    var other = self
    // The last letter is before the quote.
    other.name[name.count - 2] ^= difference
    other.value = .raw("null")
    return other
  }
}

extension String {
  fileprivate var withKelvinSign: String { replacing("K", with: "\u{212A}") }
}
