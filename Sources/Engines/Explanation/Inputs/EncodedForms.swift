import PaymentToken
import StrictJSON

/// Whole tokens in another encoding: percent encoding, forms, hexadecimal, base64, PEM.
extension InputForm {
  /// A command, followed by the one that takes the token out of the JSON that it writes.
  private static func chained(_ command: String, _ place: TokenPlace) -> String {
    command + (place.command.map { " | \($0)" } ?? "")
  }

  /// `application/x-www-form-urlencoded`, with the token or its base64 in one field.
  static func formBody(_ text: InputText) -> InputForm? {
    guard let string = text.string, let first = string.utf8.first, first != UInt8(ascii: "{") else { return nil }
    for field in string.split(separator: "&", maxSplits: 64) {
      let parts = field.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let shown = String(decoding: PercentEncoding.decoded(parts[0].utf8, plusIsSpace: true), as: UTF8.self)
      let value = PercentEncoding.decoded(parts[1].utf8, plusIsSpace: true)
      guard shown.split(whereSeparator: { "[]".contains($0) }).allSatisfy({ String($0).isPlainName }),
        let (place, decoder) = token(in: value)
      else { continue }
      let take = "import sys, urllib.parse as u; print(u.parse_qs(sys.stdin.read().strip())[\"\(shown)\"][0])"
      let words = "a form with the token in the field \(shown)"
      let command = chained("python3 -c '\(take)'" + decoder, place)
      guard let gateway = KnownRequest.named(byField: shown) else {
        return InputForm(words: words, diagnosis: .formBody, subject: shown, command: command)
      }
      return InputForm(
        words: words, diagnosis: .otherGatewayRequest, subject: "\(gateway), \(shown)", command: command)
    }
    return nil
  }

  /// The token in a field's value, which is its JSON or base64 of that, and the command that decodes the base64.
  private static func token(in value: [UInt8]) -> (TokenPlace, decoder: String)? {
    if let place = TokenPlace(in: value) { return (place, "") }
    guard let decoded = TextForm(text: value).base64, let place = TokenPlace(in: decoded) else { return nil }
    return (place, " | base64 -d")
  }

  static func percentEncoded(_ text: InputText) -> InputForm? {
    guard text.starts(with: "%") || text.starts(with: "{%") || text.starts(with: "{+%") else { return nil }
    // Base64 may have a plus sign: it is a space only where nothing else makes sense.
    for (plusIsSpace, function) in [(false, "unquote"), (true, "unquote_plus")] {
      let decoded = PercentEncoding.decoded(text.bytes, plusIsSpace: plusIsSpace)
      guard let place = TokenPlace(in: decoded) else { continue }
      let take = "import sys, urllib.parse as u; print(u.\(function)(sys.stdin.read().strip()))"
      return InputForm(
        words: "percent-encoded text", diagnosis: .percentEncodedToken, command: chained("python3 -c '\(take)'", place))
    }
    return InputForm(words: "percent-encoded text", diagnosis: .percentEncodedToken)
  }

  static func hexadecimal(_ text: InputText) -> InputForm? {
    let digits = text.bytes.filter { !InputText.isSpace($0) }
    guard digits.count >= 32, let decoded = Hex.decode(String(decoding: digits, as: UTF8.self)) else { return nil }
    if let place = TokenPlace(in: decoded) {
      return InputForm(
        words: "hexadecimal of a token", diagnosis: .hexEncodedToken, command: chained("xxd -r -p", place))
    }
    return member(decoded, in: "hexadecimal")
  }

  static func base64(_ text: InputText) -> InputForm? {
    guard text.bytes.count >= 64, let decoded = TextForm(text: text.bytes).repairedBase64 else { return nil }
    guard let place = TokenPlace(in: decoded) else { return member(decoded, in: "base64") }
    let isStrict = TextForm(text: text.bytes.filter { !InputText.isSpace($0) }).base64 != nil
    let take = isStrict ? "base64 -d" : "tr -d ' \\r\\n=' | tr '_-' '/+' | jq -Rr '@base64d'"
    return InputForm(words: "base64 of a token", diagnosis: .base64EncodedToken, command: chained(take, place))
  }

  static func pemArmour(_ text: InputText) -> InputForm? {
    guard text.starts(with: "-----BEGIN "), let lines = text.string?.split(whereSeparator: \.isNewline) else {
      return nil
    }
    if ["KEY", "CERTIFICATE"].contains(where: { lines[0].contains($0) }) {
      return InputForm(words: "a PEM file with a key or a certificate", diagnosis: .keyFileAsToken)
    }
    let content = lines.filter { !$0.hasPrefix("-----") }.joined()
    guard let decoded = TextForm(text: Array(content.utf8)).repairedBase64 else {
      return InputForm(words: "a damaged PEM file", diagnosis: .unknownText)
    }
    guard let place = TokenPlace(in: decoded) else { return member(decoded, in: "PEM") }
    return InputForm(
      words: "PEM armour around a token", diagnosis: .pemArmour,
      command: chained("sed '/^-----/d' | base64 -d", place))
  }

  /// Binary data, which is one member of a token: its signature if it is CMS, otherwise its data.
  private static func member(_ decoded: [UInt8], in encoding: String) -> InputForm? {
    if let value = JSON(lenient: decoded) {
      return InputForm(words: "\(encoding) of JSON without a token", diagnosis: .otherJSON, subject: value.typeName)
    }
    // id-signedData, near the start of every CMS SignedData.
    let signedData: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    let isSignature = decoded.first == 0x30 && decoded.prefix(24).contains(signedData)
    return InputForm(
      words: "\(encoding) of \(decoded.count) binary bytes", diagnosis: isSignature ? .signatureAlone : .dataAlone)
  }
}

/// Percent encoding (WHATWG URL, "application/x-www-form-urlencoded"), read leniently.
enum PercentEncoding {
  /// The decoded bytes; a percent sign without two digits stands for itself.
  static func decoded(_ text: some Sequence<UInt8>, plusIsSpace: Bool) -> [UInt8] {
    let text = Array(text)
    var bytes: [UInt8] = []
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "%"), index + 2 < text.count,
        let value = Hex.decode(String(decoding: text[(index + 1)...(index + 2)], as: UTF8.self))?.first
      {
        bytes.append(value)
        index += 3
        continue
      }
      let isSpace = plusIsSpace && text[index] == UInt8(ascii: "+")
      bytes.append(isSpace ? 0x20 : text[index])
      index += 1
    }
    return bytes
  }
}
