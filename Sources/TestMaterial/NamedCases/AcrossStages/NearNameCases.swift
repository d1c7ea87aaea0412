import Gateways
import Minting
import PaymentToken

/// Names that are nearly known ones. A reader that compares the first 8 or 16 bytes, or characters in place of bytes,
/// takes one for the other: beside the known name it is then a repetition, or the value of the known one.
extension CaseList {
  mutating func addNameEndCases() {
    surrounded("with-names-that-end-otherwise-beside-them") { $0.surroundWithNamesThatEndOtherwise() }
    payload("13.5", "emv-payload-with-names-that-end-otherwise-beside-them", nil) {
      $0.becomeEMV(["emvData": .string("AAAA")])
      $0.surroundWithNamesThatEndOtherwise()
    }
  }

  /// U+00E9 is equivalent to an e with U+0301, and U+212A to a K, which is in three names.
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

  /// Requests of every form, tokens and payloads of both versions with more members, which nobody reads.
  private mutating func surrounded(_ name: CaseName, _ edit: @escaping Edit<JSONObject>) {
    for form in RequestForm.all { request("0.3", form, name, nil, edit) }
    underBothVersions { list in
      list.accept("2.6", "token-\(name)") { $0.json(edit) }
      list.payload("13.5", "payload-\(name)", nil, edit)
    }
  }
}

extension JSONObject {
  /// Puts a member before and after each, in every object; their names have another last letter, and their value is
  /// null.
  fileprivate mutating func surroundWithNamesThatEndOtherwise() {
    forEachObject { object in
      object.members = object.members.flatMap { [$0.endingOtherwise(1), $0, $0.endingOtherwise(2)] }
    }
  }

  /// Puts members before those of every object, whose names are equivalent to each other or to known ones.
  fileprivate mutating func surroundWithEquivalentNames() {
    forEachObject { object in
      let names = object.members.map { String(decoding: $0.name, as: UTF8.self) }
      let others = names.filter { $0.utf8.contains(UInt8(ascii: "K")) }.map(\.withKelvinSign)
      object.members.insert(
        contentsOf: (["\"\u{E9}\"", "\"e\u{301}\""] + others).map { .init(rawName: $0, .raw("null")) }, at: 0)
    }
  }

  /// Edits every object, the innermost first.
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
    // Before the quote.
    other.name[name.count - 2] ^= difference
    other.value = .raw("null")
    return other
  }
}

extension String {
  fileprivate var withKelvinSign: String { replacing("K", with: "\u{212A}") }
}
