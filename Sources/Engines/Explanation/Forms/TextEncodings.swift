import PaymentToken

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
      take =
        #"python3 -c 'import base64, re, sys; t = re.sub("[\s=]", "", sys.stdin.read()); "#
        + #"t = t.replace("+", "-").replace("/", "_") + "=" * (-len(t) % 4); "#
        + #"sys.stdout.buffer.write(base64.urlsafe_b64decode(t))'"#
    } else {
      take = hasLineEndsAlone ? "base64 -d" : #"tr -d ' \t\r\n' | base64 -d"#
    }
  }
}

/// Hexadecimal as programs and databases print bytes: with marks at its start and separators between bytes.
struct PrintedHexadecimal {
  let decoded: [UInt8]
  /// The shell command that decodes it.
  let take: String
  /// The program that prints it like this; nil if none is recognized.
  let printer: String?
  /// Whether it is hexadecimal beyond doubt, and not some numbers in brackets.
  let isCertain: Bool

  private static let printers = [
    ("<Buffer ", "Node.js"), ("<", "NSData"), ("\\x", "PostgreSQL's bytea"), ("X'", "SQL"), ("x'", "SQL"),
  ]

  /// Nil for fewer than 32 digits, or for text with anything but digits, `0x`, `\x`, separators and brackets.
  init?(_ text: [UInt8]) {
    // A bytea begins with its only `\x`, while text with every byte escaped has many. Elixir prints numbers in `<<>>`.
    let isOther = text.dropFirst().contains(UInt8(ascii: "\\")) || text.starts(with: "<<".utf8)
    let printer = isOther ? nil : Self.printers.first { text.starts(with: $0.0.utf8) }
    var digits: [UInt8] = []
    var isPlain = true
    var index = printer?.1 == "Node.js" ? "<Buffer ".utf8.count : 0
    while index < text.count {
      let next = index + 1 < text.count ? text[index + 1] | 0x20 : 0
      switch text[index] {
      case UInt8(ascii: "0") where next == UInt8(ascii: "x"), UInt8(ascii: "\\") where next == UInt8(ascii: "x"):
        isPlain = false
        index += 1
      case 0x30...0x39, 0x41...0x46, 0x61...0x66: digits.append(text[index])
      case let byte where InputText.isSpace(byte): break
      case let byte where "<>[](){}:;,-'\"Xx".utf8.contains(byte): isPlain = false
      default: return nil
      }
      index += 1
    }
    guard digits.count >= 32, let decoded = Hex.decode(String(streamSafe: digits)) else { return nil }
    self.decoded = decoded
    self.printer = printer?.1
    isCertain = isPlain || printer != nil || text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8)
    take = isPlain ? "xxd -r -p" : #"sed 's/Buffer//; s/[\\0][xX]//g' | tr -cd '0-9A-Fa-f' | xxd -r -p"#
  }
}

/// Character references of HTML (HTML, section 13.5), those that JSON needs.
enum HTMLText {
  private static let names: [String: UInt8] = ["quot": 0x22, "amp": 0x26, "apos": 0x27, "lt": 0x3C, "gt": 0x3E]

  /// The text with its references decoded; nil if it has none.
  static func unescaped(_ text: [UInt8]) -> [UInt8]? {
    let unescaped = text.replacing { rest in
      guard rest.first == UInt8(ascii: "&"), let end = rest.prefix(9).firstIndex(of: UInt8(ascii: ";")),
        let byte = byte(named: String(streamSafe: rest[..<end].dropFirst()))
      else { return nil }
      return (rest[...end].count, byte)
    }
    return unescaped.count < text.count ? unescaped : nil
  }

  private static func byte(named name: String) -> UInt8? {
    guard name.hasPrefix("#") else { return names[name] }
    let digits = name.dropFirst()
    let value = digits.first == "x" || digits.first == "X" ? UInt8(digits.dropFirst(), radix: 16) : UInt8(digits)
    return value.flatMap { $0 < 0x80 ? $0 : nil }
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
    text.replacing { rest in
      guard rest.first == UInt8(ascii: "=") else { return nil }
      let next = rest.dropFirst().prefix(2)
      if next.first == 0x0A { return (2, nil) }
      if next.elementsEqual([0x0D, 0x0A]) { return (3, nil) }
      guard next.count == 2, let byte = Hex.decode(String(streamSafe: next))?.first else { return nil }
      return (3, byte)
    }
  }
}

/// Percent encoding (WHATWG URL, "application/x-www-form-urlencoded"), read leniently.
enum PercentEncoding {
  /// The decoded bytes; a percent sign without two digits stands for itself.
  static func decoded(_ text: some Sequence<UInt8>, plusIsSpace: Bool) -> [UInt8] {
    Array(text).replacing { rest in
      if plusIsSpace, rest.first == UInt8(ascii: "+") { return (1, 0x20) }
      guard rest.first == UInt8(ascii: "%"), rest.count > 2, let byte = Hex.decode(rest.dropFirst().prefix(2))?.first
      else { return nil }
      return (3, byte)
    }
  }
}

extension [UInt8] {
  /// The bytes with sequences replaced. `read` gets the bytes from a position on. It returns the size of the sequence
  /// there and the byte to write for it, if any; nil to keep the byte there.
  fileprivate func replacing(_ read: (ArraySlice<UInt8>) -> (count: Int, byte: UInt8?)?) -> [UInt8] {
    var result: [UInt8] = []
    var rest = self[...]
    while let first = rest.first {
      let found = read(rest) ?? (1, first)
      if let byte = found.byte { result.append(byte) }
      rest = rest.dropFirst(found.count)
    }
    return result
  }
}
