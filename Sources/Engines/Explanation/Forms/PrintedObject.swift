import PaymentToken

/// How a text writes the names of an object: the quotation marks, brackets and signs around one name show the program.
struct PrintedObject {
  /// What stands directly before the name: a quotation mark, or part of the text around it.
  private let mark: Character
  /// What is between the name and its value.
  private let joint: String
  /// The last characters up to the object's opening bracket; empty without one.
  private let opening: String
  /// The first character of the value, within its quotation mark.
  private let value: Character
  private let text: [UInt8]
  /// Whether at least three names are those of a token.
  private let isToken: Bool

  /// The maximum number of bytes before the name that are searched for the opening bracket.
  private static let openingLimit = 4_096

  /// Nil for text that neither begins with an object in braces nor has three names of a token's members.
  init?(_ text: [UInt8]) {
    var names: Set<String> = []
    var first: (start: Int, end: Int)?
    for index in text.indices where names.count < 3 {
      guard let (name, end) = PrintedMembers.name(in: text, at: index), !Self.isBare(text[end]) else { continue }
      names.insert(name)
      first = first ?? (index, end)
    }
    let isToken = names.count == 3
    guard let place = Self.firstMember(of: text) ?? (isToken ? first : nil) else { return nil }
    self.init(text, place, isToken)
  }

  private init?(_ text: [UInt8], _ name: (start: Int, end: Int), _ isToken: Bool) {
    let joint = text[name.end...].prefix(PrintedMembers.widestJoint).prefix { !PrintedMembers.isValue($0) }
    guard let value = text[joint.endIndex...].first else { return nil }
    self.text = text
    self.isToken = isToken
    mark = name.start == 0 ? " " : Character(Unicode.Scalar(text[name.start - 1]))
    self.joint = String(streamSafe: joint)
    self.value = Character(Unicode.Scalar(value))
    // In PHP, square brackets are around the name, and open nothing.
    let start = name.start - (joint.first == UInt8(ascii: "]") ? 1 : 0)
    opening = Self.opening(in: text, before: max(0, start))
  }

  /// Whether a byte behind a name makes it a word of a sentence.
  private static func isBare(_ byte: UInt8) -> Bool { ".?!)".utf8.contains(byte) }

  /// The range of the first member's name in text that begins with a brace, whatever the name is.
  private static func firstMember(of text: [UInt8]) -> (start: Int, end: Int)? {
    guard text.first == UInt8(ascii: "{") else { return nil }
    let inside = text.dropFirst().drop(while: InputText.isSpace).drop { "'\":@".utf8.contains($0) }
    let name = inside.prefix { PrintedMembers.isLetter($0) || $0 == UInt8(ascii: "_") }
    return name.isEmpty ? nil : (name.startIndex, name.endIndex)
  }

  /// The text that ends with the innermost bracket that is open before an index.
  private static func opening(in text: [UInt8], before index: Int) -> String {
    var depth = 0
    for place in text[..<index].indices.suffix(openingLimit).reversed() {
      switch text[place] {
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth += 1
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        if depth == 0 { return String(streamSafe: text[...place].suffix(24)) }
        depth -= 1
      default: break
      }
    }
    return ""
  }

  // MARK: Printers

  /// A language or a library, and the diagnosis of what it prints.
  struct Printer: Sendable {
    let name: String
    let words: String
    let diagnosis: Diagnosis
    fileprivate let prints: @Sendable (PrintedObject) -> Bool

    fileprivate init(
      _ name: String, _ words: String? = nil, _ diagnosis: Diagnosis = .printedObject,
      prints: @escaping @Sendable (PrintedObject) -> Bool
    ) {
      self.name = name
      self.words = words ?? "an object as \(name) prints it"
      self.diagnosis = diagnosis
      self.prints = prints
    }
  }

  /// The first of `printers` that writes names in this form; nil for JSON and for unknown forms.
  var printer: Printer? {
    Self.printers.first { (isToken || $0.diagnosis != .printedObject) && $0.prints(self) }
  }

  private static let printers = [
    Printer("PHP", "the output of PHP's print_r", .phpPrintR) { $0.mark == "[" && $0.joint.hasPrefix("] =>") },
    Printer("Elixir") { $0.opening.hasSuffix("%{") },
    Printer("Erlang") { $0.opening.hasSuffix("#{") },
    Printer("Node.js's Map") { $0.mark == "'" && $0.opening.contains(/Map\([0-9]+\) \{$/) },
    Printer("Perl's Data::Dumper") { $0.mark == "'" && $0.joint.contains("=>") },
    Printer("PostgreSQL's hstore") { $0.opening.isEmpty && $0.mark == "\"" && $0.joint.hasPrefix("\"=>") },
    Printer("Ruby", "a Ruby hash", .rubyHash) { $0.joint.drop { "\" ".contains($0) }.hasPrefix("=>") },
    Printer("Scala's Map") { $0.joint.contains("->") },
    Printer("Ruby's inspect") { $0.mark == "@" || $0.joint == "=\"" && InputText.contains($0.text, "#<struct") },
    Printer("Python's repr") { $0.joint == "='" },
    Printer("JavaScript", "names in single quotes, as in JavaScript", .objectLiteral) {
      $0.mark == "'" && $0.joint.hasPrefix("'") && $0.hasWordsOfJavaScript
    },
    Printer("Python", "names in single quotes, as in a Python dict", .pythonDict) {
      $0.mark == "'" && $0.joint.hasPrefix("'")
    },
    Printer("PowerShell") { $0.opening.hasSuffix("@{") },
    Printer("NSDictionary") { $0.joint.hasPrefix(" = ") && $0.text.contains(UInt8(ascii: ";")) },
    Printer("C#") { $0.joint == " = " },
    Printer("Kotlin, Lombok or Scala") { $0.joint.hasPrefix("=") && $0.opening.hasSuffix("(") },
    Printer("Java's record") { $0.joint.hasPrefix("=") && $0.opening.hasSuffix("[") },
    Printer("java.util.Map") { $0.joint.hasPrefix("=") && $0.opening.hasSuffix("{") },
    Printer("Go") { $0.opening.hasSuffix("map[") || $0.joint == ":" && $0.opening.hasSuffix("{") && $0.isToken },
    Printer("Go") { $0.joint == ":\"" && $0.opening.contains(/[A-Za-z0-9_]\{$/) },
    Printer("Go") { $0.isQuotedLikeJSON && $0.opening.contains(/\]([a-z]+|interface ?\{\})\{$/) },
    Printer("Swift's Dictionary") { $0.isQuotedLikeJSON && $0.opening.hasSuffix("[") },
    Printer("Rust") { $0.isQuotedLikeJSON && $0.value.isLetter && InputText.contains($0.text, "String(") },
    Printer("Clojure") { $0.mark == ":" && $0.joint.hasPrefix(" ") },
    Printer("Rust") { $0.joint == ": \"" && $0.opening.contains(/[A-Za-z0-9] \{$/) },
    Printer("Swift") { $0.joint == ": \"" && $0.opening.hasSuffix("(") },
    Printer("Dart's Map") { $0.joint == ": " && $0.opening.hasSuffix("{") && $0.isToken && !$0.hasQuotes },
    Printer("YAML") { $0.joint.hasPrefix(": ") && $0.opening.isEmpty },
    Printer("JavaScript", "names without quotes", .objectLiteral) {
      !"'\"".contains($0.mark) && $0.joint.drop { $0.isWhitespace }.hasPrefix(":")
    },
    // TOML, HCL, Lua, Haskell, properties files. The body of a form has neither spaces nor line ends.
    Printer("key=value") {
      $0.joint.drop { "\" ".contains($0) }.hasPrefix("=") && $0.text.contains { $0 == 0x20 || $0 == 0x0A }
    },
  ]

  /// Whether the name is written as in JSON, which other printers do within other brackets.
  private var isQuotedLikeJSON: Bool { mark == "\"" && joint.hasPrefix("\":") }

  private var hasQuotes: Bool { text.contains { "'\"".utf8.contains($0) } }

  /// Whether a value is a word that Python does not have.
  private var hasWordsOfJavaScript: Bool {
    String(streamSafe: text).contains(/[:,\[]\s*(null|true|false|undefined)\b/)
  }
}
