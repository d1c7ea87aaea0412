import PaymentToken
import StrictJSON

/// Tokens within other text.
extension InputForm {
  /// A log line, or any text before and behind the token.
  static func surrounded(_ text: InputText) -> InputForm? {
    // An object that is cut off may contain whole objects, but it is not text around a token.
    if text.starts(with: "{"), JSONDefect(text.bytes)?.isTruncation ?? false { return nil }
    return carved(text, "a token within other text", .surroundedByText)
  }

  /// The form of text with a token in its midst; nil if there is none.
  static func carved(
    _ text: InputText, _ words: String, _ diagnosis: Diagnosis, subject: String? = nil
  ) -> InputForm? {
    var form =
      fromFirstToLastBrace(text, words, diagnosis) ?? firstValue(text, words, diagnosis)
      ?? firstBase64(text, words, diagnosis) ?? firstHexadecimal(text, words, diagnosis)
    form?.subject = subject
    return form
  }

  private static func fromFirstToLastBrace(_ text: InputText, _ words: String, _ diagnosis: Diagnosis) -> InputForm? {
    let joined = text.joined
    guard text.string != nil, let start = joined.firstIndex(of: UInt8(ascii: "{")),
      let end = joined.lastIndex(of: UInt8(ascii: "}")), start < end, end - start + 1 < text.bytes.count
    else { return nil }
    let content = Array(joined[start...end])
    // Between the braces there must be one JSON value. `firstValue` finds a token among other text.
    guard JSON(lenient: content) != nil || JSONFragment.unescaped(content) != nil else { return nil }
    return layer(
      words, diagnosis, take: #"tr -d '\r\n' | sed -E 's/^[^{]*(\{.*\})[^}]*$/\1/'"#, content: content, of: text)
  }

  /// The maximum number of places at which a value may begin.
  private static let maximumStarts = 64

  /// The first object or string that holds a token. Other brackets and quotation marks may come before it.
  private static func firstValue(_ text: InputText, _ words: String, _ diagnosis: Diagnosis) -> InputForm? {
    let starts = text.raw.indices.filter { "{\"".utf8.contains(text.raw[$0]) }.prefix(maximumStarts)
    var searched = 0
    for start in starts where start >= searched {
      let end = JSONFragment.end(of: text.raw, from: start)
      guard text.budget.spend((end ?? text.raw.count) - start) else { return nil }
      guard let end, end - start >= 64, end - start < text.bytes.count,
        let value = JSON(lenient: Array(text.raw[start..<end]))
      else { continue }
      let content = value.string.map { Array($0.utf8) } ?? Array(text.raw[start..<end])
      if let form = layer(words, diagnosis, take: decoding(from: start), content: content, of: text) {
        return hasToken(after: end, text) ? form.amongOthers : form
      }
      // An object is not searched again. A quotation mark may be part of other text, so only the mark is skipped.
      if value.string == nil { searched = end }
    }
    return nil
  }

  /// The shell command that reads the JSON value at an offset, whatever comes after it.
  private static func decoding(from start: Int) -> String {
    let text = "sys.stdin.buffer.read()[\(start):].decode(errors=\"replace\")"
    return "python3 -c 'import json, sys; v = json.JSONDecoder().raw_decode(\(text))[0]; "
      + "print(v if isinstance(v, str) else json.dumps(v))'"
  }

  private static func hasToken(after end: Int, _ text: InputText) -> Bool {
    let rest = Array(text.raw[end...])
    return rest.count >= 64 && InputForm(rest, layers: Unwrapping.limit - 1, text.budget).token != nil
  }

  /// The form if another token follows.
  private var amongOthers: InputForm {
    guard diagnosis == .surroundedByText else { return self }
    return InputForm(
      words: "several tokens within other text", diagnosis: .severalDocuments, command: command, token: token)
  }

  /// The first long run of base64, as in `Authorization: Bearer …`.
  private static func firstBase64(_ text: InputText, _ words: String, _ diagnosis: Diagnosis) -> InputForm? {
    guard text.string != nil, let run = firstRun(in: text.bytes), run.count < text.bytes.count,
      let base64 = Base64Lines(run)
    else { return nil }
    let find = "grep -oE '[A-Za-z0-9+/_-]{64,}={0,2}' | head -n 1"
    return layer(words, diagnosis, take: "\(find) | \(base64.take)", content: base64.decoded, of: text)
  }

  /// The first long run of pairs of hexadecimal digits, as in a row of a database.
  private static func firstHexadecimal(_ text: InputText, _ words: String, _ diagnosis: Diagnosis) -> InputForm? {
    guard let digits = firstDigits(in: text.bytes), digits.count < text.bytes.count,
      let content = Hex.decode(String(streamSafe: digits))
    else { return nil }
    let find = "grep -oE '([0-9A-Fa-f]{2} ?){64,}' | head -n 1"
    return layer(words, diagnosis, take: "\(find) | xxd -r -p", content: content, of: text)
  }

  /// The digits of the first 64 or more pairs, with at most one space behind each.
  private static func firstDigits(in text: [UInt8]) -> [UInt8]? {
    // If a run is too short, so is every run that starts at a pair inside it. So no pair is read twice.
    var isInShortRun = [Bool](repeating: false, count: text.count)
    for start in text.indices where isDigit(text[start]) && !isInShortRun[start] {
      var digits: [UInt8] = []
      var index = start
      while index + 1 < text.count, isDigit(text[index]), isDigit(text[index + 1]) {
        isInShortRun[index] = true
        digits += text[index...(index + 1)]
        index += index + 2 < text.count && text[index + 2] == 0x20 ? 3 : 2
      }
      if digits.count >= 128 { return digits }
    }
    return nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  /// The first 64 or more characters of base64, and their padding.
  private static func firstRun(in text: [UInt8]) -> [UInt8]? {
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex { !isBase64($0) } ?? text.count
      if end - start >= 64 {
        return Array(text[start..<end]) + text[end...].prefix(2).prefix { $0 == UInt8(ascii: "=") }
      }
      start = end + 1
    }
    return nil
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "+/_-".utf8.contains(byte)
    }
  }
}
