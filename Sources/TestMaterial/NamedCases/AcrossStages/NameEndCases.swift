import Gateways
import Minting
import PaymentToken

/// Names that differ from known ones in their last letter alone. A reader that compares the first 8 or 16 bytes takes
/// one for the other; beside the known name it is then a repetition, or the value of the known one.
extension CaseList {
  mutating func addNameEndCases() {
    let name = "with-names-that-end-otherwise-beside-them"
    for form in RequestForm.all { request("0.3", form, name) { $0.surroundWithNamesThatEndOtherwise() } }
    underBothVersions { list in
      list.accept("2.6", "token-\(name)") { $0.json { $0.surroundWithNamesThatEndOtherwise() } }
      list.payload("13.5", "payload-\(name)", nil) { $0.surroundWithNamesThatEndOtherwise() }
    }
    payload("13.5", "emv-payload-\(name)", nil) {
      $0.becomeEMV(["emvData": .string("AAAA")])
      $0.surroundWithNamesThatEndOtherwise()
    }
  }
}

extension JSONObject {
  /// Puts a member before and after each, in every object; their names have another last letter, and their value is null.
  fileprivate mutating func surroundWithNamesThatEndOtherwise() {
    members = members.flatMap { member in
      var inner = member
      if case .object(var object) = member.value {
        object.surroundWithNamesThatEndOtherwise()
        inner.value = .object(object)
      }
      return [member.endingOtherwise(1), inner, member.endingOtherwise(2)]
    }
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
