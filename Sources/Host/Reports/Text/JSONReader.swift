extension JSON {
  /// Reads a document (RFC 8259) of ours or edited by hand: saved measurements and thresholds.
  ///
  /// - Returns: nil for anything else. Nesting is bounded, numbers are taken as binary64.
  public init?(parsing text: [UInt8]) {
    var reader = JSONReader(text)
    guard let value = reader.value(depth: 0) else { return nil }
    reader.skipSpace()
    guard reader.isAtEnd else { return nil }
    self = value
  }

  /// The member of that name; nil without one, or when this is no object.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of a number.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .decimal(let value, _): value
    default: nil
    }
  }

  /// The elements of an array.
  public var elements: [JSON]? {
    guard case .array(let values) = self else { return nil }
    return values
  }
}

/// Goes through the octets of a document once.
private struct JSONReader {
  private let text: [UInt8]
  private var position = 0

  private static let depthLimit = 64

  init(_ text: [UInt8]) {
    self.text = text
  }

  var isAtEnd: Bool { position == text.count }

  mutating func skipSpace() {
    while position < text.count, [0x20, 0x0A, 0x0D, 0x09].contains(text[position]) { position += 1 }
  }

  mutating func value(depth: Int) -> JSON? {
    skipSpace()
    guard depth < Self.depthLimit, position < text.count else { return nil }
    switch text[position] {
    case UInt8(ascii: "{"): return object(depth)
    case UInt8(ascii: "["): return array(depth)
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    case UInt8(ascii: "t"): return take("true") ? .boolean(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .boolean(false) : nil
    default: return number()
    }
  }

  private mutating func take(_ word: String) -> Bool {
    skipSpace()
    guard text[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func object(_ depth: Int) -> JSON? {
    guard take("{") else { return nil }
    var members: [JSON.Member] = []
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard let name = string(), take(":"), let value = value(depth: depth + 1) else { return nil }
      members.append(JSON.Member(name, value))
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func array(_ depth: Int) -> JSON? {
    guard take("[") else { return nil }
    var values: [JSON] = []
    if take("]") { return .array([]) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    } while take(",")
    return take("]") ? .array(values) : nil
  }

  private mutating func number() -> JSON? {
    let start = position
    let allowed = Array("+-.eE0123456789".utf8)
    while position < text.count, allowed.contains(text[position]) { position += 1 }
    let digits = String(decoding: text[start..<position], as: UTF8.self)
    if let integer = Int64(digits) { return .integer(integer) }
    guard let value = Double(digits), value.isFinite else { return nil }
    return .decimal(value, digits: 6)
  }

  private mutating func string() -> String? {
    guard position < text.count, text[position] == UInt8(ascii: "\"") else { return nil }
    position += 1
    var octets: [UInt8] = []
    while position < text.count {
      let octet = text[position]
      position += 1
      switch octet {
      case UInt8(ascii: "\""): return String(validating: octets, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        octets += Array(String(scalar).utf8)
      case 0..<0x20: return nil
      default: octets.append(octet)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard position < text.count else { return nil }
    defer { position += 1 }
    switch text[position] {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(text[position])
    // What is written here has no pairs of surrogates.
    case UInt8(ascii: "u"):
      guard position + 4 < text.count else { return nil }
      let digits = String(decoding: text[(position + 1)...(position + 4)], as: UTF8.self)
      position += 4
      return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
    default: return nil
    }
  }
}
