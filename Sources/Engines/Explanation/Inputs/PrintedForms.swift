import StrictJSON

/// Tokens as programs print them, and tokens within other text.
extension InputForm {
  /// The shell command that removes the text before the first `{` and behind the last `}`.
  private static let carvingCommand = "tr -d '\\r\\n' | sed -E 's/^[^{]*(\\{.*\\})[^}]*$/\\1/'"

  static func curlCommand(_ text: InputText) -> InputForm? {
    guard text.starts(with: "curl ") || text.starts(with: "$ curl ") else { return nil }
    return InputForm(words: "a curl command", diagnosis: .curlCommand, command: carvedToken(text))
  }

  /// `var_dump`, `var_export` and `print_r`.
  static func phpDump(_ text: InputText) -> InputForm? {
    guard let string = text.string else { return nil }
    if ["array(", "object(", "string(", "array (", "(object) array("].contains(where: string.hasPrefix)
      || string.contains("\"]=>")
    {
      return InputForm(words: "the output of PHP's var_dump", diagnosis: .phpVarDump, command: carvedToken(text))
    }
    guard string.hasPrefix("Array") || string.hasPrefix("stdClass Object"), string.contains("] => ") else { return nil }
    return InputForm(words: "the output of PHP's print_r", diagnosis: .phpPrintR)
  }

  /// `{"version"=>"EC_v1"` or `{:version=>"EC_v1"`.
  static func rubyHash(_ text: InputText) -> InputForm? {
    guard let inside = text.insideObject else { return nil }
    let name = inside.drop { ":\"".contains($0) }.drop { $0.isLetter || $0 == "_" }
    guard name.drop(while: { "\" ".contains($0) }).hasPrefix("=>") else { return nil }
    return InputForm(
      words: "a Ruby hash", diagnosis: .rubyHash, command: #"sed -E 's/:?"?([A-Za-z_]+)"? *=> */"\1":/g'"#)
  }

  /// `{'version': 'EC_v1'`.
  static func pythonDict(_ text: InputText) -> InputForm? {
    guard text.insideObject?.hasPrefix("'") ?? false else { return nil }
    return InputForm(
      words: "single quotes, as in a Python dict", diagnosis: .pythonDict,
      command: "python3 -c 'import ast, json, sys; print(json.dumps(ast.literal_eval(sys.stdin.read())))'")
  }

  /// `{ version: 'EC_v1'` or `{version: "EC_v1"`.
  static func objectLiteral(_ text: InputText) -> InputForm? {
    guard let inside = text.insideObject, inside.first?.isLetter ?? false,
      inside.drop(while: { $0.isLetter || $0 == "_" }).drop(while: { $0.isWhitespace }).hasPrefix(":")
    else { return nil }
    return InputForm(words: "names without quotes", diagnosis: .objectLiteral)
  }

  /// A log line, or any text before and behind the token.
  static func surrounded(_ text: InputText) -> InputForm? {
    // An object that is cut off holds objects, and is no text around them.
    if text.starts(with: "{"), JSONDefect(text.bytes)?.isTruncation ?? false { return nil }
    for start in text.bytes.indices.filter({ text.bytes[$0] == UInt8(ascii: "{") }).prefix(8) {
      guard let end = text.bytes.lastIndex(of: UInt8(ascii: "}")), start < end else { return nil }
      let part = Array(text.bytes[start...end])
      guard part.count < text.bytes.count else { continue }
      guard TokenPlace(in: part) != nil || JSONFragment.escaped(part) != nil else { continue }
      return InputForm(words: "a token within other text", diagnosis: .surroundedByText, command: carvedToken(text))
    }
    return nil
  }

  /// The command that takes the token out of the text between the first `{` and the last `}`; nil if it is not there.
  private static func carvedToken(_ text: InputText) -> String? {
    let joined = text.bytes.filter { $0 != 0x0A && $0 != 0x0D }
    guard let start = joined.firstIndex(of: UInt8(ascii: "{")), let end = joined.lastIndex(of: UInt8(ascii: "}")),
      start < end
    else { return nil }
    let part = Array(joined[start...end])
    if let place = TokenPlace(in: part) { return carvingCommand + (place.command.map { " | \($0)" } ?? "") }
    return JSONFragment.escaped(part).map { _ in "\(carvingCommand) | \(JSONFragment.unescapingCommand)" }
  }
}
