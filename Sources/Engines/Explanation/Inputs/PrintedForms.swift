import StrictJSON

/// Tokens as programs print them.
extension InputForm {
  static func curlCommand(_ text: InputText) -> InputForm? {
    guard text.starts(with: "curl ") || text.starts(with: "$ curl ") else { return nil }
    return carved(text, "a curl command", .curlCommand)
      ?? InputForm(words: "a curl command", diagnosis: .curlCommand)
  }

  /// `var_dump`, `var_export` and `print_r`.
  static func phpDump(_ text: InputText) -> InputForm? {
    guard let string = text.string else { return nil }
    if ["array(", "object(", "string(", "array (", "(object) array("].contains(where: string.hasPrefix)
      || string.contains("\"]=>")
    {
      let words = "the output of PHP's var_dump"
      return carved(text, words, .phpVarDump) ?? InputForm(words: words, diagnosis: .phpVarDump)
    }
    guard string.hasPrefix("Array") || string.hasPrefix("stdClass Object"), string.contains("] => ") else { return nil }
    return InputForm(words: "the output of PHP's print_r", diagnosis: .phpPrintR)
  }

  /// `{"version"=>"EC_v1"` or `{:version=>"EC_v1"`.
  static func rubyHash(_ text: InputText) -> InputForm? {
    guard let inside = text.insideObject else { return nil }
    let name = inside.drop { ":\"".contains($0) }.drop { $0.isLetter || $0 == "_" }
    guard name.drop(while: { "\" ".contains($0) }).hasPrefix("=>") else { return nil }
    return layer(
      "a Ruby hash", .rubyHash, take: #"sed -E 's/:?"?([A-Za-z_]+)"? *=> */"\1":/g'"#, content: RubyHash.json(text.raw),
      of: text, isRepair: true) ?? InputForm(words: "a Ruby hash", diagnosis: .rubyHash)
  }

  /// `{'version': 'EC_v1'`, as Python prints it, and JavaScript in some programs.
  static func pythonDict(_ text: InputText) -> InputForm? {
    guard let string = text.string, text.insideObject != nil else { return nil }
    let words = "names in single quotes, as in a Python dict"
    if let json = PythonLiteral.json(string) {
      let take = "python3 -c 'import ast, json, sys; print(json.dumps(ast.literal_eval(sys.stdin.read().strip())))'"
      let form = layer(words, .pythonDict, take: take, content: Array(json.utf8), of: text, isRepair: true)
      if let form { return form }
    }
    guard text.insideObject?.hasPrefix("'") ?? false else { return nil }
    // JavaScript's words, which Python does not have.
    if string.contains(/[:,\[]\s*(null|true|false|undefined)\b/) {
      return InputForm(words: "names in single quotes, as in JavaScript", diagnosis: .objectLiteral)
    }
    return InputForm(words: words, diagnosis: .pythonDict)
  }

  /// `{ version: 'EC_v1'` or `{version: "EC_v1"`.
  static func objectLiteral(_ text: InputText) -> InputForm? {
    guard let inside = text.insideObject, inside.first?.isLetter ?? false,
      inside.drop(while: { $0.isLetter || $0 == "_" }).drop(while: { $0.isWhitespace }).hasPrefix(":")
    else { return nil }
    return InputForm(words: "names without quotes", diagnosis: .objectLiteral)
  }
}

/// Ruby's hashes as `inspect` prints them.
enum RubyHash {
  /// What the command makes of a hash: each name of letters before `=>` becomes one of JSON.
  static func json(_ text: [UInt8]) -> [UInt8] {
    let arrow = Array("=>".utf8)
    var json: [UInt8] = []
    var index = 0
    while index < text.count {
      guard text[index...].starts(with: arrow), let name = removeName(from: &json) else {
        json.append(text[index])
        index += 1
        continue
      }
      json += Array("\"".utf8) + name + Array("\":".utf8)
      index += arrow.count
      while index < text.count, text[index] == 0x20 { index += 1 }
    }
    return json
  }

  /// Removes `"name"` or `:name` and the spaces behind it from the end; nil if something else is there.
  private static func removeName(from text: inout [UInt8]) -> [UInt8]? {
    var end = text.endIndex
    func drop(_ character: Character) {
      if end > 0, text[end - 1] == character.asciiValue { end -= 1 }
    }
    while end > 0, text[end - 1] == 0x20 { end -= 1 }
    drop("\"")
    let name = Array(text[..<end].reversed().prefix { isNameCharacter($0) }.reversed())
    guard !name.isEmpty else { return nil }
    end -= name.count
    drop("\"")
    drop(":")
    text.removeSubrange(end...)
    return name
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
  }
}

/// The part of Python's literals that has the meaning of JSON.
enum PythonLiteral {
  /// The same value as JSON; nil for text with anything else in it, such as bytes and dates, and without strings in
  /// single quotes.
  static func json(_ text: String) -> String? {
    var json = ""
    var hasSingleQuotes = false
    var rest = Substring(text)
    while let character = rest.first {
      switch character {
      case "'", "\"":
        guard let (content, behind) = string(rest.dropFirst(), quote: character) else { return nil }
        json += JSON.string(content).text
        hasSingleQuotes = hasSingleQuotes || character == "'"
        rest = behind
      case _ where character.isLetter:
        let word = rest.prefix { $0.isLetter }
        guard let value = ["True": "true", "False": "false", "None": "null"][word] else { return nil }
        json += value
        rest = rest.dropFirst(word.count)
      case _ where character.isWhitespace || character.isNumber || "{}[]:,.-+".contains(character):
        json.append(character)
        rest = rest.dropFirst()
      default: return nil
      }
    }
    return hasSingleQuotes && JSON(lenient: Array(json.utf8)) != nil ? json : nil
  }

  /// A string's content and the text behind its closing quote; nil if it does not end, or has an unusual escape.
  private static func string(_ text: Substring, quote: Character) -> (String, Substring)? {
    let escapes: [Character: Character] = ["n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", "\"": "\""]
    var content = ""
    var rest = text
    while let character = rest.popFirst() {
      if character == quote { return (content, rest) }
      guard !character.isNewline else { return nil }
      guard character == "\\" else {
        content.append(character)
        continue
      }
      guard let escaped = rest.popFirst().flatMap({ escapes[$0] }) else { return nil }
      content.append(escaped)
    }
    return nil
  }
}
