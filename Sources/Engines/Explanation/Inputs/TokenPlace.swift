import PaymentToken
import StrictJSON

/// Where a token is in a JSON document, and how it is wrapped there.
///
/// The search is a depth-first walk that also decodes strings: a token may be an object, a string with its JSON, or a
/// string with base64 of its JSON, in any combination.
struct TokenPlace {
  /// A step from the outermost value towards the token.
  enum Step: Hashable {
    case member(String)
    case element(Int)
    /// A string that holds JSON.
    case text
    /// A string that holds base64 of JSON.
    case base64
  }

  /// The steps in order; none when the document is the token.
  let steps: [Step]

  /// The first token in a document; nil when the document is not JSON or has none.
  init?(in document: some Sequence<UInt8>) {
    guard let value = JSON(lenient: Array(document)), let steps = Self.steps(to: value, strings: 0) else { return nil }
    self.steps = steps
  }

  /// How often strings are decoded on the way to a token, at most.
  private static let stringLimit = 3

  private static func steps(to value: JSON, strings: Int) -> [Step]? {
    switch value {
    case .object(let members):
      if isToken(members) { return [] }
      for member in members {
        if let rest = steps(to: member.value, strings: strings) { return [.member(member.name)] + rest }
      }
      return nil
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        if let rest = steps(to: element, strings: strings) { return [.element(index)] + rest }
      }
      return nil
    case .string(let text):
      guard strings < stringLimit else { return nil }
      for (step, content) in [(Step.text, Array(text.utf8)), (.base64, TextForm(text: Array(text.utf8)).base64 ?? [])] {
        if let inner = JSON(lenient: content), let rest = steps(to: inner, strings: strings + 1) {
          return [step] + rest
        }
      }
      return nil
    case .null, .boolean, .number, .verbatim:
      return nil
    }
  }

  /// Whether an object looks like a token by the names of its members.
  private static func isToken(_ members: [JSON.Member]) -> Bool {
    let names = Set(members.map(\.name))
    return names.contains(TokenMember.data.name) && names.intersection(knownNames).count >= 3
  }

  /// The names in a token object.
  static let knownNames: Set<String> = Set([TokenMember.version, .data, .signature, .header].map(\.name))

  // MARK: In words and commands

  /// The dotted path to the outermost wrapping, as in `token.paymentData` or `[0]`; nil for the document itself.
  var path: String? {
    var path = ""
    for step in steps {
      switch step {
      case .member(let name): path += (path.isEmpty ? "" : ".") + name.shortName
      case .element(let index): path += "[\(index)]"
      case .text, .base64: return path.isEmpty ? nil : path
      }
    }
    return path.isEmpty ? nil : path
  }

  /// The shell command that reads the document and writes the token; nil if nothing has to be taken off, or a name on the
  /// path is not one that belongs in a command.
  var command: String? {
    guard !steps.isEmpty else { return nil }
    var filters: [String] = []
    var path = ""
    func endPath() {
      if !path.isEmpty { filters.append(path) }
      path = ""
    }
    for step in steps {
      switch step {
      case .member(let name):
        guard name.isPlainName else { return nil }
        let isWord = !name.utf8.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
        path += isWord ? ".\(name)" : path.isEmpty ? ".[\"\(name)\"]" : "[\"\(name)\"]"
      case .element(let index): path += path.isEmpty ? ".[\(index)]" : "[\(index)]"
      case .text:
        endPath()
        filters.append("fromjson")
      case .base64:
        endPath()
        filters.append("@base64d | fromjson")
      }
    }
    endPath()
    return "jq -c '\(filters.joined(separator: " | "))'"
  }
}

extension JSON {
  /// Reads any value, even one whose names repeat: the engines decide what is strict. Nil for anything else.
  init?(lenient text: [UInt8]) {
    // Deeper than tokens may be, for arrays and envelopes around them.
    let limits = JSONLimits(depth: 40, namesRepeat: true)
    guard let value = try? JSON(reading: text.span, within: limits) else { return nil }
    self = value
  }

  /// The JSON type in words.
  var typeName: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "a boolean"
    case .null, .verbatim: "null"
    }
  }
}

extension String {
  /// Whether it is a name of letters, digits, `-`, `_` and `.` as programmers choose, which never holds part of a token.
  var isPlainName: Bool {
    (1...40).contains(utf8.count) && utf8.first.map { !(0x30...0x39).contains($0) } ?? false
      && utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "-_.".utf8.contains(byte)
      }
  }

  /// The name, shortened: names of a document may be anything, even a token.
  var shortName: String { utf8.count > 40 || contains("\"") ? "…" : self }
}
