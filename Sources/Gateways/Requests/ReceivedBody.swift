import PaymentToken
import TokenScanning

/// Converts bodies that a merchant's server receives in other forms to JSON.
///
/// Bambora's demo app posts its request form-encoded (WHATWG URL, "application/x-www-form-urlencoded"), with objects in
/// brackets, as in `apple-wallet[payment-token]=…`. A token may also come as bare base64. Engines read only JSON, so
/// this type refuses anything ambiguous in another form.
public enum ReceivedBody {
  /// The body as JSON; nil for a body that is JSON already or has an unknown form.
  ///
  /// The form is strict: names consist of letters, digits, `-` and `_`; no name occurs twice, regardless of case, or is
  /// both a text and an object. The text is valid UTF-8 without control characters; one line end (LF or CR LF) may
  /// follow. There are at most 65,536 bytes, 64 fields and four names on a path. An engine checks base64.
  public static func json(of body: [UInt8]) -> [UInt8]? {
    guard body.count <= Envelope.maximumRequestSize else { return nil }
    var text = body[...]
    if text.last == 0x0A { text.removeLast() }
    if text.count < body.count, text.last == 0x0D { text.removeLast() }
    guard let first = text.first, first > 0x20, first != UInt8(ascii: "{") else { return nil }
    if isBase64(text) {
      return JSONValue.nested(
        ["apple-wallet", "payment-token"], .string(String(streamSafe: text))
      ).text()
    }
    return form(text)?.text()
  }

  /// Whether it contains only base64 characters, and begins like the base64 of an object.
  private static func isBase64(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count > 64, text.first == UInt8(ascii: "e") || text.first == UInt8(ascii: "I") else { return false }
    let content = text.prefix { $0 != UInt8(ascii: "=") }
    return text.count - content.count <= 2 && text.dropFirst(content.count).allSatisfy { $0 == UInt8(ascii: "=") }
      && content.allSatisfy(Base64Text.isSextet)
  }

  // MARK: Forms

  private static let maximumDepth = 4
  private static let maximumFieldCount = 64

  private static func form(_ text: ArraySlice<UInt8>) -> JSONValue? {
    let fields = text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    guard fields.count <= maximumFieldCount else { return nil }
    var root = JSONObject()
    var spellings: [String: String] = [:]
    for field in fields {
      guard let equals = field.firstIndex(of: UInt8(ascii: "=")), let name = decoded(field[..<equals]),
        let value = decoded(field[(equals + 1)...]), let path = path(name), hasOneSpelling(path, &spellings),
        put(value, at: path[...], in: &root)
      else { return nil }
    }
    return .object(root)
  }

  /// Whether every name on a path is spelt as before: some frameworks treat `Amount` and `amount` as one field.
  private static func hasOneSpelling(_ path: [String], _ spellings: inout [String: String]) -> Bool {
    for end in 1...path.count {
      let spelling = path[..<end].joined(separator: ".")
      guard spellings.updateValue(spelling, forKey: spelling.lowercased()) ?? spelling == spelling else { return false }
    }
    return true
  }

  /// The names of `a[b][c]`, of letters, digits, `-` and `_` only; nil for another form.
  private static func path(_ name: String) -> [String]? {
    guard name.utf8.allSatisfy({ isInName($0) || "[]".utf8.contains($0) }) else { return nil }
    var names: [String] = []
    let parts = name.split(separator: "[", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      guard index > 0 else {
        names.append(String(part))
        continue
      }
      guard part.hasSuffix("]") else { return nil }
      names.append(String(part.dropLast()))
    }
    guard names.count <= maximumDepth, names.allSatisfy(isName) else { return nil }
    return names
  }

  private static func isName(_ name: String) -> Bool { !name.isEmpty && name.utf8.allSatisfy(isInName) }

  private static func isInName(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "-_".utf8.contains(byte) }

  /// Stores a value; false if the name already has one.
  private static func put(_ value: String, at path: ArraySlice<String>, in object: inout JSONObject) -> Bool {
    guard let name = path.first else { return false }
    guard path.count > 1 else {
      guard object[name] == nil else { return false }
      object.append(name, .string(value))
      return true
    }
    var inner = JSONObject()
    if let known = object[name] {
      guard case .object(let object) = known else { return false }
      inner = object
    }
    guard put(value, at: path.dropFirst(), in: &inner) else { return false }
    object[name] = .object(inner)
    return true
  }

  /// Removes percent encoding; nil if it is malformed, or the result has control characters or is not UTF-8.
  private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      switch text[index] {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        guard index + 2 < text.endIndex, let high = HexDigit.value(text[index + 1]),
          let low = HexDigit.value(text[index + 2])
        else { return nil }
        bytes.append(high << 4 | low)
        index += 2
      case 0x21...0x7E: bytes.append(text[index])
      default: return nil
      }
      index += 1
    }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    return String(validating: bytes, as: UTF8.self)?.streamSafe
  }
}
