import PaymentToken
import StrictJSON

/// What Apple's simulators give instead of a token: nothing, or members without content.
struct SimulatorToken {
  /// The path of the sign of a simulator; nil if that is the whole document.
  private let path: String?

  /// Nil when nothing in the document points to a simulator, or there is a token in it.
  init?(_ document: JSON) {
    guard let path = Self.path(to: document), TokenPlace(in: document) == nil else { return nil }
    self.path = path.isEmpty ? nil : path.joined(separator: ".")
  }

  var form: InputForm {
    InputForm(words: "the empty token of a simulator", diagnosis: .simulatorToken, subject: path)
  }

  /// The members that mark a simulated payment of PassKit, and their values.
  private static let marks = [
    "transactionIdentifier": "Simulated Identifier", "displayName": "Simulated Instrument",
  ]

  /// The path to the first sign of a simulator; empty when it is the value itself.
  private static func path(to value: JSON, isPaymentData: Bool = true) -> [String]? {
    if isPaymentData, isBlank(value) { return [] }
    switch value {
    case .object(let members):
      for member in members {
        if let mark = marks[member.name], member.value.string == mark { return [member.name] }
        let isData = member.name == "paymentData"
        if let rest = path(to: member.value, isPaymentData: isData) { return [member.name.shortName] + rest }
      }
      return nil
    case .array(let elements):
      return elements.firstResult { path(to: $0, isPaymentData: false) }
    case .string, .null, .boolean, .number, .verbatim:
      return nil
    }
  }

  /// Whether a value is `{}`, a blank string, the string `{}`, or a token whose data and signature are blank.
  private static func isBlank(_ value: JSON) -> Bool {
    switch value {
    case .object(let members):
      if members.isEmpty { return true }
      let texts = [TokenMember.data, .signature].compactMap { value[$0.name]?.string }
      return texts.count == 2 && texts.allSatisfy { $0.allSatisfy(\.isWhitespace) }
    case .string(let text):
      return text.allSatisfy(\.isWhitespace) || text == "{}"
    case .array, .null, .boolean, .number, .verbatim:
      return false
    }
  }
}
