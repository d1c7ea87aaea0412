import MerchantKeys
import PaymentToken
import StrictJSON

/// Whole tokens in another encoding: byte orders, percent encoding, forms, hexadecimal, base64, PEM, quoted-printable,
/// HTML, compressed data.
extension InputForm {
  /// UTF-8, or UTF-16 or UTF-32 of either order, with a byte-order mark.
  static func byteOrderMark(_ text: InputText) -> InputForm? {
    guard let (take, content) = UnicodeMark.removed(from: text.raw) else { return nil }
    let words = "a byte-order mark before the text"
    return layer(words, .byteOrderMark, take: take, content: content, of: text)
      ?? InputForm(words: words, diagnosis: .byteOrderMark)
  }

  // MARK: Forms

  /// `application/x-www-form-urlencoded`, with the token in one field.
  static func formBody(_ text: InputText) -> InputForm? {
    // Forms encode quotation marks. Text with one may be a token after a name, as in a settings file.
    guard let string = text.string, !text.starts(with: "{"), !text.contains("\"") else { return nil }
    var seen: Set<String> = []
    for field in string.split(separator: "&", maxSplits: 64) {
      let parts = field.split(separator: "=", maxSplits: 1)
      // Forms encode spaces. A value with one may belong to an object as a program prints it.
      guard parts.count == 2, !parts[1].utf8.contains(UInt8(ascii: " ")) else { continue }
      let name = String(streamSafe: PercentEncoding.decoded(parts[0].utf8, plusIsSpace: true))
      let names = name.split(whereSeparator: { "[]".contains($0) })
      // The command takes the first field of a name.
      guard seen.insert(name).inserted, names.allSatisfy({ String($0).isPlainName }) else { continue }
      if let form = formField(name, parts[1], of: text) { return form }
    }
    return nil
  }

  private static func formField(_ name: String, _ value: Substring, of text: InputText) -> InputForm? {
    let gateway = KnownRequest.named(byField: name)
    let forms = [true, false].compactMap { plusIsSpace in
      let read = "sys.stdin.read().strip()" + (plusIsSpace ? "" : #".replace("+", "%2B")"#)
      return layer(
        "a form with the token in the field \(name)", gateway == nil ? .formBody : .otherGatewayRequest,
        subject: gateway.map { "\($0), \(name)" } ?? name,
        take: "python3 -c 'import sys, urllib.parse as u; print(u.parse_qs(\(read))[\"\(name)\"][0])'",
        content: PercentEncoding.decoded(value.utf8, plusIsSpace: plusIsSpace), of: text)
    }
    return forms.first { $0.token?.isIntactToken ?? false } ?? forms.first
  }

  static func percentEncoded(_ text: InputText) -> InputForm? {
    guard text.starts(with: "%") && !text.starts(with: "%{") || text.starts(with: "{"),
      text.bytes.contains(UInt8(ascii: "%"))
    else { return nil }
    // Base64 may have a plus sign, so a plus sign is read as a space only if reading it as itself finds no token.
    return [(false, "unquote"), (true, "unquote_plus")].firstResult { plusIsSpace, function in
      layer(
        "percent-encoded text", .percentEncodedToken,
        take: "python3 -c 'import sys, urllib.parse as u; print(u.\(function)(sys.stdin.read().strip()))'",
        content: PercentEncoding.decoded(text.bytes, plusIsSpace: plusIsSpace), of: text,
        isRepair: !text.starts(with: "%"))
    }
  }

  /// JSON whose quotation marks are character references, as in a page.
  static func htmlEscaped(_ text: InputText) -> InputForm? {
    guard let content = HTMLText.unescaped(text.bytes) else { return nil }
    return layer(
      "text with HTML's character references", .htmlEscapedToken,
      take: "python3 -c 'import html, sys; print(html.unescape(sys.stdin.read()))'", content: content, of: text,
      isRepair: true)
  }

  /// A field of CSV (RFC 4180), in which quotation marks are doubled.
  static func csvField(_ text: InputText) -> InputForm? {
    guard text.string != nil, text.contains("{\"\"") else { return nil }
    var isOpen = false
    let content = text.bytes.filter { byte in
      let isSecond = isOpen && byte == UInt8(ascii: "\"")
      isOpen = !isSecond && byte == UInt8(ascii: "\"")
      return !isSecond
    }
    return layer(
      "a field of CSV", .surroundedByText, subject: "CSV", take: #"sed 's/""/"/g'"#,
      content: content, of: text, isRepair: true)
  }

  /// Quoted-printable (RFC 2045, section 6.7), as mail programs send text.
  static func quotedPrintable(_ text: InputText) -> InputForm? {
    guard text.string != nil, text.contains("=\n") || text.contains("=\r\n") else { return nil }
    return layer(
      "quoted-printable text", .quotedPrintableToken,
      take: "python3 -c 'import quopri, sys; sys.stdout.buffer.write(quopri.decodestring(sys.stdin.buffer.read()))'",
      content: QuotedPrintable.decoded(text.raw), of: text, isRepair: true)
  }

  // MARK: Hexadecimal, base64, PEM

  /// Hexadecimal, alone or as a program prints bytes.
  static func hexadecimal(_ text: InputText) -> InputForm? {
    guard let hex = PrintedHexadecimal(text.bytes) else { return nil }
    return compressed(hex.decoded, "hexadecimal of compressed data", after: [hex.take])
      ?? layer(
        "hexadecimal of a token", .hexEncodedToken, subject: hex.printer, take: hex.take, content: hex.decoded, of: text
      )
      ?? (hex.isCertain ? withoutToken(hex.decoded, in: "hexadecimal", text) : nil)
  }

  /// The lines of xxd and of `hexdump -C`: an offset, bytes, and their characters.
  static func hexDump(_ text: InputText) -> InputForm? {
    let isCanonical = text.starts(with: "00000000  ")
    guard isCanonical || text.starts(with: "00000000: ") else { return nil }
    let columns = text.raw.split(separator: 0x0A).flatMap { $0.dropFirst(10).prefix(isCanonical ? 48 : 39) }
    let digits = columns.filter { !InputText.isSpace($0) }
    guard let content = Hex.decode(digits[...]) else { return nil }
    return layer(
      "a dump of a token's bytes", .hexEncodedToken, subject: isCanonical ? "hexdump" : "xxd",
      take: "cut -c11-\(isCanonical ? 58 : 49) | xxd -r -p", content: content, of: text)
  }

  /// The decimal numbers of bytes between brackets, as Go, Node.js and Elixir print them.
  static func decimalBytes(_ text: InputText) -> InputForm? {
    let numbers = text.bytes.drop { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "<") }
    guard numbers.count >= 64, text.bytes.count - numbers.count <= 32,
      numbers.allSatisfy({ (0x30...0x39).contains($0) || InputText.isSpace($0) || "[]<>,".utf8.contains($0) })
    else { return nil }
    let parts = numbers.split { !(0x30...0x39).contains($0) }
    let content = parts.compactMap { UInt8(String(streamSafe: $0)) }
    guard content.count == parts.count else { return nil }
    let write = #"sys.stdout.buffer.write(bytes(map(int, re.findall("[0-9]+", sys.stdin.read()))))"#
    return layer(
      "the numbers of a token's bytes", .byteArray, take: "sed '1s/^[^[<]*//' | python3 -c 'import re, sys; \(write)'",
      content: content, of: text)
  }

  static func base64(_ text: InputText) -> InputForm? {
    guard text.bytes.count >= 64, let base64 = Base64Lines(text.raw) else { return nil }
    return compressed(base64.decoded, "base64 of compressed data", after: [base64.take])
      ?? layer("base64 of a token", .base64EncodedToken, take: base64.take, content: base64.decoded, of: text)
      ?? withoutToken(base64.decoded, in: "base64", text)
  }

  static func compressed(_ text: InputText) -> InputForm? { compressed(text.raw, "compressed data", after: []) }

  /// gzip or zlib data that `commands` extract from the input. Whether a token is inside is not known.
  private static func compressed(_ data: [UInt8], _ words: String, after commands: [String]) -> InputForm? {
    Compression.command(for: data).map {
      InputForm(words: words, diagnosis: .compressedToken, command: (commands + [$0]).joined(separator: " | "))
    }
  }

  static func pemArmour(_ text: InputText) -> InputForm? {
    guard text.starts(with: "-----BEGIN "), let string = text.string else { return nil }
    if let label = string.firstMatch(of: /-----BEGIN ([^-\r\n]*)-----/)?.1,
      ["KEY", "CERTIFICATE"].contains(where: { label.contains($0) })
    {
      return keyFileForm
    }
    let content = string.replacing(/-----[^-\r\n]*-----/, with: "").utf8.filter { !InputText.isSpace($0) }
    guard let base64 = Base64Lines(content) else { return InputForm(words: "PEM", diagnosis: .unknownText) }
    let take = "sed -E 's/-----[^-]*-----//g' | tr -d ' \\t\\r\\n' | \(base64.take)"
    return layer("PEM armour around a token", .pemArmour, take: take, content: base64.decoded, of: text)
      ?? withoutToken(base64.decoded, in: "PEM", text) ?? InputForm(words: "PEM", diagnosis: .unknownText)
  }

  // MARK: What is no token

  private static var keyFileForm: InputForm {
    InputForm(words: "a key, a certificate or a signing request", diagnosis: .keyFileAsToken)
  }

  /// A key, a certificate, a .p12 or a signature as binary data.
  static func keyFile(_ text: InputText) -> InputForm? {
    isSignature(text.raw)
      ? InputForm(words: "\(text.raw.count) binary bytes", diagnosis: .signatureAlone)
      : KeyFile.isDER(text.raw) ? keyFileForm : nil
  }

  /// The form of decoded bytes that hold no token; nil if nothing is known of them.
  private static func withoutToken(_ decoded: [UInt8], in encoding: String, _ text: InputText) -> InputForm? {
    guard text.layers < Unwrapping.limit else { return nil }
    if String(validating: decoded, as: UTF8.self)?.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0.value == 10 })
      ?? false
    {
      let inside = InputForm(decoded, layers: text.layers + 1, text.budget)
      guard inside.diagnosis != .unknownText else { return nil }
      let subject = inside.diagnosis == .otherJSON ? inside.subject : nil
      return InputForm(words: "\(encoding) of \(inside.words)", diagnosis: inside.diagnosis, subject: subject)
    }
    let words = "\(encoding) of \(decoded.count) binary bytes"
    if isSignature(decoded) { return InputForm(words: words, diagnosis: .signatureAlone) }
    if KeyFile.isDER(decoded) { return keyFileForm }
    return mayBeData(decoded) ? InputForm(words: words, diagnosis: .dataAlone) : nil
  }

  /// A CMS SignedData has id-signedData near its start.
  private static func isSignature(_ bytes: [UInt8]) -> Bool {
    let signedData: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    return bytes.first == 0x30 && bytes.prefix(24).contains(signedData)
  }

  /// Whether bytes may be encrypted: longer than a hash or a point, not of the size of an RSA modulus, not DER or gzip.
  private static func mayBeData(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 100 && ![256, 384, 512].contains(bytes.count) && bytes.first != 0x30
      && !bytes.starts(with: [0x1F, 0x8B])
  }
}
