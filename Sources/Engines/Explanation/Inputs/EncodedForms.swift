import MerchantKeys
import PaymentToken
import StrictJSON

/// Whole tokens in another encoding: byte orders, percent encoding, forms, hexadecimal, base64, PEM, quoted-printable.
extension InputForm {
  /// UTF-8 with a mark, or UTF-16 or UTF-32 of either order.
  static func byteOrderMark(_ text: InputText) -> InputForm? {
    guard let (take, content) = UnicodeMark.removed(from: text.raw) else { return nil }
    let words = "a byte-order mark before the text"
    return layer(words, .byteOrderMark, take: take, content: content, of: text)
      ?? InputForm(words: words, diagnosis: .byteOrderMark)
  }

  // MARK: Forms

  /// `application/x-www-form-urlencoded`, with the token in one field.
  static func formBody(_ text: InputText) -> InputForm? {
    // Forms encode quotation marks: what has one is a token behind a name, as in a file of settings.
    guard let string = text.string, text.bytes.first != UInt8(ascii: "{"), !string.contains("\"") else { return nil }
    var seen: Set<String> = []
    for field in string.split(separator: "&", maxSplits: 64) {
      let parts = field.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let name = String(decoding: PercentEncoding.decoded(parts[0].utf8, plusIsSpace: true), as: UTF8.self)
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
    guard text.starts(with: "%") || text.starts(with: "{"), text.bytes.contains(UInt8(ascii: "%")) else { return nil }
    // Base64 may have a plus sign: it is a space only where nothing else makes sense.
    return [(false, "unquote"), (true, "unquote_plus")].firstResult { plusIsSpace, function in
      layer(
        "percent-encoded text", .percentEncodedToken,
        take: "python3 -c 'import sys, urllib.parse as u; print(u.\(function)(sys.stdin.read().strip()))'",
        content: PercentEncoding.decoded(text.bytes, plusIsSpace: plusIsSpace), of: text,
        isRepair: !text.starts(with: "%"))
    }
  }

  /// Quoted-printable (RFC 2045, section 6.7), as mail programs send text.
  static func quotedPrintable(_ text: InputText) -> InputForm? {
    guard text.string?.contains(/=\r?\n/) ?? false else { return nil }
    return layer(
      "quoted-printable text", .quotedPrintableToken,
      take: "python3 -c 'import quopri, sys; sys.stdout.buffer.write(quopri.decodestring(sys.stdin.buffer.read()))'",
      content: QuotedPrintable.decoded(text.raw), of: text, isRepair: true)
  }

  // MARK: Hexadecimal, base64, PEM

  static func hexadecimal(_ text: InputText) -> InputForm? {
    let hasPrefix = text.starts(with: "0x") || text.starts(with: "0X")
    let digits = text.bytes.dropFirst(hasPrefix ? 2 : 0).filter { !InputText.isSpace($0) }
    guard digits.count >= 32, let decoded = Hex.decode(String(decoding: digits, as: UTF8.self)) else { return nil }
    let take = (hasPrefix ? "sed 's/0[xX]//' | " : "") + "xxd -r -p"
    return layer("hexadecimal of a token", .hexEncodedToken, take: take, content: decoded, of: text)
      ?? withoutToken(decoded, in: "hexadecimal", text)
  }

  static func base64(_ text: InputText) -> InputForm? {
    guard text.bytes.count >= 64, let base64 = Base64Lines(text.raw) else { return nil }
    return layer("base64 of a token", .base64EncodedToken, take: base64.take, content: base64.decoded, of: text)
      ?? withoutToken(base64.decoded, in: "base64", text)
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

  /// Whether bytes may be encrypted: longer than a hash and a point, no result of RSA, neither DER nor gzip.
  private static func mayBeData(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 100 && ![256, 384, 512].contains(bytes.count) && bytes.first != 0x30
      && !bytes.starts(with: [0x1F, 0x8B])
  }
}

/// Base64 as the content of a file: in lines, perhaps indented, in either alphabet, with or without padding.
struct Base64Lines {
  let decoded: [UInt8]
  /// The shell command that decodes it.
  let take: String

  /// Nil for other text, also for words with spaces between them.
  init?(_ text: [UInt8]) {
    let lines = text.split(separator: 0x0A).map(InputText.trimmed)
    guard !lines.contains(where: { $0.contains(where: InputText.isSpace) }) else { return nil }
    let content = Array(lines.joined())
    let form = TextForm(text: content)
    guard let decoded = form.repairedBase64, !decoded.isEmpty else { return nil }
    self.decoded = decoded
    let hasLineEndsAlone = content.count == text.count { $0 != 0x0A }
    if form.base64 == nil {
      take = #"tr -d ' \t\r\n=' | tr '_-' '/+' | jq -Rr '@base64d'"#
    } else {
      take = hasLineEndsAlone ? "base64 -d" : #"tr -d ' \t\r\n' | base64 -d"#
    }
  }
}

/// Byte-order marks (Unicode 15, section 23.8).
enum UnicodeMark {
  /// The text without its mark, in UTF-8, and the shell command that makes it; nil when there is no mark.
  static func removed(from input: [UInt8]) -> (take: String, content: [UInt8])? {
    if input.starts(with: [0xEF, 0xBB, 0xBF]) { return ("tail -c +4", Array(input.dropFirst(3))) }
    for isBigEndian in [true, false] {
      if let units: [UInt32] = units(of: input, isBigEndian) {
        let scalars = units.map { Unicode.Scalar($0) ?? "\u{FFFD}" }
        return ("iconv -f UTF-32 -t UTF-8", scalars.flatMap { Array(String($0).utf8) })
      }
    }
    for isBigEndian in [true, false] {
      if let units: [UInt16] = units(of: input, isBigEndian) {
        return ("iconv -f UTF-16 -t UTF-8", Array(String(decoding: units, as: UTF16.self).utf8))
      }
    }
    return nil
  }

  /// The units after a mark of their size and order; nil when there is no such mark.
  private static func units<Unit: FixedWidthInteger>(of input: [UInt8], _ isBigEndian: Bool) -> [Unit]? {
    let size = Unit.bitWidth / 8
    guard input.count >= size, input.count.isMultiple(of: size) else { return nil }
    func unit(at start: Int) -> Unit {
      let bytes = input[start..<(start + size)]
      return (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Unit($1) }
    }
    guard unit(at: 0) == 0xFEFF else { return nil }
    return stride(from: size, to: input.count, by: size).map(unit)
  }
}

/// Quoted-printable (RFC 2045, section 6.7), read leniently.
enum QuotedPrintable {
  static func decoded(_ text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var index = 0
    while index < text.count {
      let next = text[(index + 1)...].prefix(2)
      if text[index] != UInt8(ascii: "=") {
        bytes.append(text[index])
        index += 1
      } else if next.first == 0x0A {
        index += 2
      } else if next.elementsEqual([0x0D, 0x0A]) {
        index += 3
      } else if next.count == 2, let value = Hex.decode(String(decoding: next, as: UTF8.self))?.first {
        bytes.append(value)
        index += 3
      } else {
        bytes.append(text[index])
        index += 1
      }
    }
    return bytes
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
