import PaymentToken
import ReferenceDecryption
import StrictJSON

/// Where a token is in a JSON document, and how it is wrapped there.
///
/// A token may be an object, a string with its JSON, or a string with base64 of its JSON, in any combination.
struct TokenPlace {
  /// The steps in order; none when the document is the token.
  var steps: [ValuePath.Step] { way.steps }
  /// The token, under the names that Apple gives its members.
  let token: JSON
  private let way: ValuePath
  /// The command that restores the names; nil if they are Apple's.
  private let renaming: String?

  /// The first token in a document; nil when the document is not JSON or has none.
  init?(in document: [UInt8]) {
    guard let value = JSON(lenient: document) else { return nil }
    self.init(in: value)
  }

  /// The first token in a document; nil when there is none.
  init?(in document: JSON) {
    let found = document.firstResult(strings: Self.stringLimit) { value, path in
      value.members.map(Self.isToken) ?? false ? (path, value) : nil
    }
    guard let (path, token) = found else { return nil }
    way = path
    let restored = ChangedNames.restored(token)
    self.token = restored
    renaming = restored == token ? nil : ChangedNames.command
  }

  /// The maximum number of strings, each inside the other, that are decoded on the way to a token.
  private static let stringLimit = 3

  /// Whether an object looks like a token by the names of its members, and not like a simulator's, whose data is blank,
  /// nor like a database's, whose values are objects.
  private static func isToken(_ members: [JSON.Member]) -> Bool {
    let names = Set(members.compactMap { ChangedNames.original(of: $0.name) })
    let data = members.first { ChangedNames.original(of: $0.name) == TokenMember.data.name }?.value
    guard let data, names.intersection(knownNames).count >= 3 else { return false }
    return data.members == nil && !(data.string?.allSatisfy(\.isWhitespace) ?? false)
  }

  /// The names in a token object.
  static let knownNames: Set<String> = Set([TokenMember.version, .data, .signature, .header].map(\.name))

  /// Whether the members of the token have Apple's names.
  var hasOriginalNames: Bool { renaming == nil }

  // MARK: In words and commands

  /// The dotted path to the token or to the outermost string around it, such as `[0]`; nil for the document itself.
  var path: String? { way.text }

  var last: ValuePath.Step? { steps.last }

  /// The shell commands that read the document and write the token; none if nothing has to be taken off. Nil if a name
  /// on the path is not plain (`isPlainName`), or if restoring the members' names does not restore the token.
  var commands: [String]? {
    guard let filter = way.filter, renaming == nil || token.isReadableToken else { return nil }
    return (steps.isEmpty ? [] : ["jq -c '\(filter)'"]) + (renaming.map { [$0] } ?? [])
  }

  /// The commands as one; nil if there is none.
  var command: String? { commands.flatMap { $0.isEmpty ? nil : $0.joined(separator: " | ") } }
}

/// The way from the outermost value of a document to one inside it.
struct ValuePath: Hashable {
  enum Step: Hashable {
    case member(String)
    case element(Int)
    /// A string that holds JSON.
    case text
    /// A string that holds base64 of JSON.
    case base64
  }

  private(set) var steps: [Step] = []

  func appending(_ step: Step) -> ValuePath {
    var path = self
    path.steps.append(step)
    return path
  }

  /// The dotted path to the outermost string that has to be decoded, or to the value; nil for the document itself.
  var text: String? {
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

  /// The filter of jq that takes the document to the value; nil if a name is not plain (`isPlainName`).
  var filter: String? {
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
        let isWord = !name.utf8.contains { "-.$".utf8.contains($0) }
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
    return filters.isEmpty ? "." : filters.joined(separator: " | ")
  }
}

extension Sequence {
  /// The first result that is not nil. Unlike `lazy.compactMap(transform).first`, it never computes a result twice.
  func firstResult<Result>(_ transform: (Element) -> Result?) -> Result? {
    for element in self {
      if let result = transform(element) { return result }
    }
    return nil
  }
}

extension JSON {
  /// The first result in a pre-order walk.
  ///
  /// - Parameter strings: how many strings, each inside the other, are read as JSON and as base64 of JSON.
  func firstResult<Result>(
    at path: ValuePath = ValuePath(), strings: Int, _ look: (JSON, ValuePath) -> Result?
  ) -> Result? {
    if let result = look(self, path) { return result }
    switch self {
    case .object(let members):
      return members.firstResult {
        $0.value.firstResult(at: path.appending(.member($0.name)), strings: strings, look)
      }
    case .array(let elements):
      return elements.enumerated().firstResult {
        $0.element.firstResult(at: path.appending(.element($0.offset)), strings: strings, look)
      }
    case .string(let text):
      guard strings > 0 else { return nil }
      let bytes = Array(text.utf8)
      let contents: [(ValuePath.Step, [UInt8])] = [(.text, bytes), (.base64, TextForm(text: bytes).base64 ?? [])]
      return contents.firstResult { step, content in
        JSON(lenient: content)?.firstResult(at: path.appending(step), strings: strings - 1, look)
      }
    case .null, .boolean, .number, .verbatim: return nil
    }
  }

  /// Reads any value, even one whose names repeat: the engines decide what is strict. Nil for anything else.
  init?(lenient text: [UInt8]) {
    // Deeper than tokens may be, for arrays and envelopes around them.
    let limits = JSONLimits(depth: 128, namesRepeat: true)
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

  /// Whether its data, signature and publicKeyHash are strict base64.
  var isIntactToken: Bool {
    let header = self[TokenMember.header.name]
    let texts = [self[TokenMember.data.name], self[TokenMember.signature.name], header?["publicKeyHash"]]
    return texts.allSatisfy { $0?.string.flatMap { TextForm(text: Array($0.utf8)).base64 } != nil }
  }

  /// Whether it passes stages 1 to 4, at least once its base64 is repaired.
  var isReadableToken: Bool {
    ([self] + Base64Repair.allCases.map { $0.repaired(self) }).contains { token in
      let bytes = Array(token.text.utf8)
      return ReferenceDecryptor.signedDigest(of: bytes.span, from: .named(.apple), withApplicationData: nil) != nil
    }
  }
}

extension String {
  /// Whether it looks like a name that a programmer chose, not like part of a token: 1 to 40 letters, digits, `-`, `_`,
  /// `.` and `$`, no digit first, and made of words (`isOfWords`).
  var isPlainName: Bool {
    (1...40).contains(utf8.count) && utf8.first.map { !(0x30...0x39).contains($0) } ?? false && isOfWords
      && utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "-_.$".utf8.contains(byte)
      }
  }

  /// The name, or `…` if it is long or not made of words: a name in a document may be anything, even a token.
  var shortName: String { utf8.count > 40 || contains("\"") || isEmpty || !isOfWords ? "…" : self }

  /// Whether it is short, or consists of words: base64 and hexadecimal have more digits or capitals.
  private var isOfWords: Bool {
    guard utf8.count > 12 else { return true }
    let digits = utf8.count { (0x30...0x39).contains($0) }
    let capitals = utf8.count { (0x41...0x5A).contains($0) }
    let isInCapitals = !utf8.contains { (0x61...0x7A).contains($0) }
    return digits <= 2 && (isInCapitals || capitals * 4 <= utf8.count) && !utf8.contains { "+/=".utf8.contains($0) }
  }
}
