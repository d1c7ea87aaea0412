import PaymentToken
import StrictJSON

/// The way to a token inside some bytes: through JSON around it, and through other encodings around that.
struct Unwrapping {
  /// The token as the commands write it.
  let token: JSON
  /// The shell commands that lead there, each reading the output of the one before; empty when the bytes are the token,
  /// nil where no command works.
  let commands: [String]?

  /// The maximum number of layers that are taken off.
  static let limit = 4

  /// The way to the token in `content`: what is left of an input when `layers` + 1 layers are taken off. Nil if there
  /// is no token in it, or the budget is spent.
  init?(_ content: [UInt8], layers: Int, _ budget: SearchBudget) {
    guard budget.spend(content.count) else { return nil }
    self.init(
      content, as: layers + 1 < Self.limit ? InputForm(content, layers: layers + 1, budget, seeksToken: true) : nil)
  }

  /// Nil when neither `content` as JSON nor the form of it has a token inside.
  init?(_ content: [UInt8], as form: @autoclosure () -> InputForm?) {
    if let place = TokenPlace(in: content) {
      token = place.token
      commands = place.commands
      return
    }
    guard let form = form(), let token = form.token else { return nil }
    self.token = token
    commands = form.command.map { [$0] }
  }

  /// One command that reads the bytes and writes the token; nil if there is none, or nothing to take off.
  var command: String? {
    guard let commands, !commands.isEmpty else { return nil }
    return commands.joined(separator: " | ")
  }
}

/// The form of some bytes and the token inside them, each searched for at most once.
final class TokenSearch {
  let bytes: [UInt8]
  private(set) lazy var form = InputForm(bytes)
  private(set) lazy var unwrapping = Unwrapping(bytes, as: form)

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// A token in a document, in a form that needs more than JSON and base64 to read: within other text, in a form's field,
/// in hexadecimal, or as an array of bytes.
enum HiddenToken {
  /// Strings and arrays shorter than this hold no token.
  private static let minimumCount = 64
  /// The maximum number of strings and arrays that are looked into.
  private static let maximumTries = 32

  /// The form of a document with such a token; nil if there is none.
  static func form(in document: JSON, layers: Int, _ budget: SearchBudget) -> InputForm? {
    var tries = 0
    return document.firstResult(strings: 0) { value, path in
      switch value {
      case .object(let members):
        // JSON.stringify writes a Uint8Array as an object with its indices for names.
        guard members.count >= minimumCount, members.enumerated().allSatisfy({ $0.element.name == String($0.offset) })
        else { return nil }
        return byteArray(members.map(\.value), at: path, "[.[]] | implode", layers, budget, &tries)
      case .array(let elements): return byteArray(elements, at: path, "implode", layers, budget, &tries)
      case .string(let text):
        guard text.utf8.count >= minimumCount, tries < maximumTries, layers < Unwrapping.limit else { return nil }
        tries += 1
        let inside = InputForm(Array(text.utf8), layers: layers + 1, budget)
        guard inside.token != nil else { return nil }
        return InputForm(
          words: "a JSON string with \(inside.words)", diagnosis: inside.diagnosis,
          subject: path.text ?? inside.subject,
          command: joined(path.filter.map { "jq -r '\($0)'" }, inside.command), token: inside.token)
      case .null, .boolean, .number, .verbatim: return nil
      }
    }
  }

  /// The form of a document that has no token, but a string that a program prints in place of an object's bytes.
  static func lostBytes(in document: JSON, _ budget: SearchBudget) -> InputForm? {
    guard TokenPlace(in: document) == nil else { return nil }
    var tries = 0
    return document.firstResult(strings: 0) { value, path in
      guard let text = value.string, tries < maximumTries else { return nil }
      tries += 1
      guard let lost = InputForm.lostBytes(InputText(Array(text.utf8), layers: 1, budget)) else { return nil }
      let subject = [path.text, lost.subject].compactMap(\.self).joined(separator: ": ")
      return InputForm(words: "a string with \(lost.words)", diagnosis: lost.diagnosis, subject: subject)
    }
  }

  private static func byteArray(
    _ elements: [JSON], at path: ValuePath, _ filter: String, _ layers: Int, _ budget: SearchBudget, _ tries: inout Int
  ) -> InputForm? {
    guard tries < maximumTries, let bytes = asciiBytes(elements) else { return nil }
    tries += 1
    guard let inside = Unwrapping(bytes, layers: layers, budget) else { return nil }
    let take = path.filter.map { "jq -r '\($0 == "." ? "" : "\($0) | ")\(filter)'" }
    let rest = inside.commands.map { $0.joined(separator: " | ") }
    return InputForm(
      words: "an array of bytes", diagnosis: .byteArray, subject: path.text, command: joined(take, rest),
      token: inside.token)
  }

  private static func joined(_ first: String?, _ second: String?) -> String? {
    guard let first, let second else { return nil }
    return second.isEmpty ? first : "\(first) | \(second)"
  }

  /// The bytes of an array of numbers below 128, which jq's `implode` converts to the same bytes.
  private static func asciiBytes(_ elements: [JSON]) -> [UInt8]? {
    guard elements.count >= minimumCount else { return nil }
    var bytes: [UInt8] = []
    for element in elements {
      guard let byte = element.integer(UInt8.self), byte < 0x80 else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
