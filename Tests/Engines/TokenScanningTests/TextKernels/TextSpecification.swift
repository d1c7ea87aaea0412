import CTextKernels

/// The specification of a text kernel, byte by byte: an independent implementation of the contract of CTextKernels.h.
enum TextSpecification {
  /// The value of a base64 character (RFC 4648 table 1).
  private static func sextet(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  /// The bytes of complete groups; nil if a character is not of the alphabet.
  static func base64(_ text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    for (index, character) in text.enumerated() {
      guard let value = sextet(character) else { return nil }
      group = group << 6 | UInt32(value)
      if index % 4 == 3 {
        for shift: UInt32 in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: group >> shift)) }
      }
    }
    return bytes
  }

  /// The escape at the beginning of a text (RFC 8259 section 7): its length in bytes, and the UTF-8 of its content.
  ///
  /// Nil if it is invalid or truncated.
  private static func escape(_ text: ArraySlice<UInt8>) -> (length: Int, content: [UInt8])? {
    guard let kind = text.dropFirst().first else { return nil }
    if let character = simpleEscape(kind) { return (2, [character]) }
    guard let unit = codeUnit(text) else { return nil }
    if let scalar = Unicode.Scalar(unit) { return (6, Array(String(Character(scalar)).utf8)) }
    guard UTF16.isLeadSurrogate(unit), let low = codeUnit(text.dropFirst(6)), UTF16.isTrailSurrogate(low) else {
      return nil
    }
    return (12, Array(String(decoding: [unit, low], as: UTF16.self).utf8))
  }

  /// The code unit of `\u` and four digits.
  private static func codeUnit(_ text: ArraySlice<UInt8>) -> UInt16? {
    let start = text.startIndex
    guard text.count >= 6, text[start] == UInt8(ascii: "\\"), text[start + 1] == UInt8(ascii: "u") else { return nil }
    var unit: UInt16 = 0
    for byte in text[(start + 2)..<(start + 6)] {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  /// What a backslash and a character stand for; nil for what is no escape of two bytes.
  private static func simpleEscape(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): character
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// The bytes up to a quote, a control character, non-ASCII, or a backslash that begins no escape; and whether there
  /// are escapes among them.
  static func run(_ text: [UInt8]) -> (count: Int, hasEscapes: Bool) {
    var index = 0
    var hasEscapes = false
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "\\") {
        guard let escape = escape(text[index...]) else { break }
        hasEscapes = true
        index += escape.length
      } else if byte == UInt8(ascii: "\"") || byte < 0x20 || byte > 0x7F {
        break
      } else {
        index += 1
      }
    }
    return (index, hasEscapes)
  }

  /// The bytes read up to a backslash that begins no escape, and what they stand for.
  static func unescape(_ text: [UInt8]) -> (read: Int, content: [UInt8]) {
    var index = 0
    var content: [UInt8] = []
    content.reserveCapacity(text.count)
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: "\\") {
        guard let escape = escape(text[index...]) else { break }
        content += escape.content
        index += escape.length
      } else {
        content.append(byte)
        index += 1
      }
    }
    return (index, content)
  }
}

/// The operations of a kernel, or a faulty variant of them that is planted.
struct TextOperations: Sendable, CustomStringConvertible {
  typealias Text = UnsafePointer<UInt8>
  typealias Room = UnsafeMutablePointer<UInt8>

  let name: String
  var base64: @Sendable (Text, Int, Room) -> Bool
  var run: @Sendable (Text, Int) -> assay_json_run
  var unescape: @Sendable (Text, Int, Room) -> assay_json_copy

  var description: String { name }

  init(_ table: UnsafePointer<assay_text_kernel>) {
    let kernel = table.pointee
    name = String(cString: kernel.name)
    let (decode, run, unescape) = (kernel.base64_decode, kernel.json_run, kernel.json_unescape)
    base64 = { decode($0, $1, $2) }
    self.run = { run($0, $1) }
    self.unescape = { unescape($0, $1, $2) }
  }

  /// All kernels of this machine, best first.
  static let supported = (0..<assay_text_kernel_count()).map { assay_text_kernel_at($0) }
    .filter { $0.pointee.is_supported() }.map { TextOperations($0) }

  /// The names of the others.
  static let unsupported = (0..<assay_text_kernel_count()).map { assay_text_kernel_at($0).pointee }
    .filter { !$0.is_supported() }.map { String(cString: $0.name) }
}
