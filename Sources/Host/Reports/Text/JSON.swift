/// A JSON document to be written (RFC 8259); members keep their order.
public enum JSON: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A number with so many digits after the point.
  case decimal(Double, digits: Int)
  case string(String)
  /// Text that the caller knows to be one JSON value.
  case verbatim(String)
  case array([JSON])
  case object([Member])

  /// A name with its value.
  public struct Member: Hashable, Sendable {
    /// The name as written, not escaped.
    public let name: String
    /// The member's value.
    public let value: JSON

    /// A member of this name and value.
    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// A number with one digit after the point.
  public static func tenths(_ value: Double) -> JSON { .decimal(value, digits: 1) }

  /// A number with three digits after the point.
  public static func thousandths(_ value: Double) -> JSON { .decimal(value, digits: 3) }

  /// The document on one line, without a line end.
  public var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .decimal(let value, let digits): text += value.isFinite ? value.fixed(digits) : "null"
    case .string(let value): JSON.quote(value, to: &text)
    case .verbatim(let value): text += value
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        JSON.quote(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func quote(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension Double {
  /// Decimal text with so many digits (0...9) after the point, rounded half away from zero; for finite values below 10^15.
  public func fixed(_ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (magnitude * scale).rounded()
    guard scaled < 9e18 else { return String(self) }
    let whole = String(UInt64(scaled))
    let padded = String(repeating: "0", count: max(0, digits + 1 - whole.count)) + whole
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return sign + padded }
    return sign + padded.dropLast(digits) + "." + padded.suffix(digits)
  }
}
