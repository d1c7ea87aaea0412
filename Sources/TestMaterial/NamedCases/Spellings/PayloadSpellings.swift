import Gateways
import Minting
import PaymentToken
import TestCases

extension Spelling {
  /// Other spellings of the payload, encrypted and signed again (rules 13.1 to 13.5).
  static let payloads: [Spelling] = [
    names("payload-names-escaped-at-their-start", .first), names("payload-names-escaped-at-their-end", .last),
    names("payload-with-all-names-escaped", .all),
    values("payload-values-escaped-at-their-start", .first), values("payload-values-escaped-in-their-middle", .middle),
    values("payload-values-escaped-at-their-end", .last), values("payload-with-all-values-escaped", .all),
    values("payload-with-solidus-escaped", .solidus),
    payload("payload-in-reverse-order", .payloadOrder) { $0.reversed },
    payload("payload-in-turned-order", .payloadOrder) { $0.turned },
    payload("payload-after-unknown-members", .payloadUnknown) { $0.withUnknown(atEnd: false) },
    payload("payload-before-unknown-members", .payloadUnknown) { $0.withUnknown(atEnd: true) },
    payload("payload-with-white-space-everywhere", .payloadSpace, space: Array(" \t\r\n".utf8)) { $0 },
  ]

  private static func names(_ name: String, _ choice: EscapeChoice) -> Spelling {
    payload(name, .payloadName) { $0.respelling(names: choice.escaping) }
  }

  private static func values(_ name: String, _ choice: EscapeChoice) -> Spelling {
    payload(name, .payloadValue) { $0.respelling(strings: choice.escaping) }
  }

  private static func payload(
    _ name: String, _ column: SpellingClass, space: [UInt8] = [], _ edit: @escaping @Sendable (JSONPiece) -> JSONPiece
  ) -> Spelling {
    let step = Step.payload { plaintext in
      guard let tree = JSONPiece(plaintext) else { throw Inapplicability.unreadable }
      let edited = edit(tree)
      guard edited.depth <= 32 || tree.depth > 32 else { throw Inapplicability.limit }
      let text = edited.text
      let written = space.isEmpty ? text : JSONPiece.spaced(text) { space }
      guard written != plaintext else { throw Inapplicability.absent }
      guard written.count < 8_000 else { throw Inapplicability.limit }
      return written
    }
    return Spelling(name: name, column: column, step: step)
  }
}

extension SpellingSubject {
  /// The case with another payload, encrypted and signed again.
  func withPayload(_ write: ([UInt8]) throws -> [UInt8]) throws -> SpellingSubject {
    guard stage >= 12, reaches(.payload) else { throw Inapplicability.early }
    guard draft.token == nil, draft.request == nil, draft.prelude.isEmpty else { throw Inapplicability.context }
    // If encrypting and signing again changes the token, the case is about the encryption or the signature itself.
    var again = draft.layers
    try again.encrypt()
    try again.sign()
    guard again.token == draft.layers.token else { throw Inapplicability.context }
    var other = draft
    try other.reseal(try write(draft.layers.plaintext))
    return SpellingSubject(other, of: recipe)
  }
}

extension JSONPiece {
  /// The members of every object in reverse order.
  fileprivate var reversed: JSONPiece {
    guard case .object(let members) = self else { return self }
    return .object(members.reversed().map { Member(name: $0.name, $0.value.reversed) })
  }

  /// Every object with the second half of its members before the first.
  fileprivate var turned: JSONPiece {
    guard case .object(let members) = self else { return self }
    let half = members.count / 2
    return .object((members[half...] + members[..<half]).map { Member(name: $0.name, $0.value.turned) })
  }

  /// An unknown member in every object, except those of 64 members.
  fileprivate func withUnknown(atEnd: Bool) -> JSONPiece {
    guard case .object(let members) = self else { return self }
    let inner = members.map { Member(name: $0.name, $0.value.withUnknown(atEnd: atEnd)) }
    guard inner.count != 64 else { return .object(inner) }
    let unknown = Member("unknown to all", .array([.object([]), .scalar(Array("1E-2".utf8))]))
    return .object(atEnd ? inner + [unknown] : [unknown] + inner)
  }
}
