import PaymentToken
import TokenScanning

/// A token to put into a request: its JSON text, and the text of each of its members.
public struct EnclosedToken: Hashable, Sendable {
  /// The token's JSON, byte for byte.
  public let text: [UInt8]
  /// The values of the members of the token and of its `header`, as written, with their quotes. Empty if the text is
  /// not a JSON object.
  public let members: [TokenMember: [UInt8]]

  /// Accepts any bytes: requests are also made around malformed tokens.
  public init(_ text: [UInt8]) {
    self.text = text
    members = (try? Self.members(of: text.span)) ?? [:]
  }

  func value(_ member: TokenMember) -> JSONValue? { members[member].map { .raw($0) } }

  /// The content of the token's transactionId; nil if absent.
  var transactionId: String? {
    guard let text = members[.transactionId] else { return nil }
    var scanner = JSONScanner(text.span)
    return (try? scanner.string())?.text(in: text.span)
  }

  /// The token with CR, LF and a tab after `{` and `,` and before `}`, as in the gateways' documents.
  public var indented: EnclosedToken {
    var spaced: [UInt8] = []
    var isInString = false
    var isEscaped = false
    let lineBreak: [UInt8] = [0x0D, 0x0A, 0x09]
    for byte in text {
      if isInString {
        spaced.append(byte)
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: ","): spaced += [byte] + lineBreak
      case UInt8(ascii: "}"): spaced += lineBreak + [byte]
      case UInt8(ascii: ":"): spaced += [byte, 0x20]
      default:
        isInString = byte == UInt8(ascii: "\"")
        spaced.append(byte)
      }
    }
    return EnclosedToken(spaced)
  }

  private static func members(of text: Span<UInt8>) throws(MalformedJSON) -> [TokenMember: [UInt8]] {
    var scanner = JSONScanner(text)
    scanner.skipWhitespace()
    var members: [TokenMember: [UInt8]] = [:]
    try read(&scanner, isHeader: false, into: &members)
    return members
  }

  private static func read(
    _ scanner: inout JSONScanner, isHeader: Bool, into members: inout [TokenMember: [UInt8]]
  ) throws(MalformedJSON) {
    var more = try scanner.enterObject()
    while more {
      let member = TokenMember.named(try scanner.memberName(), inHeader: isHeader, of: scanner.input)
      let start = scanner.position
      if member == .header, scanner.next == UInt8(ascii: "{") {
        try read(&scanner, isHeader: true, into: &members)
      } else {
        try scanner.skipValue(depth: isHeader ? 2 : 1)
      }
      if let member { members[member] = (start..<scanner.position).map { scanner.input[$0] } }
      more = try scanner.continuesObject()
    }
  }
}
