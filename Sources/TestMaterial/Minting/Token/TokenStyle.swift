import Gateways
import PaymentToken

/// Valid ways to write a token's JSON.
public struct TokenStyle: Hashable, Sendable {
  /// How strings encode `/`.
  public enum Solidus: Hashable, Sendable, CaseIterable {
    case plain, escaped, unicode

    func quoted(_ text: String) -> [UInt8] {
      let replacement =
        switch self {
        case .plain: "/"
        case .escaped: "\\/"
        case .unicode: "\\u002f"
        }
      var quoted = [UInt8(ascii: "\"")]
      quoted.reserveCapacity(text.utf8.count + 2)
      for byte in text.utf8 {
        if byte == UInt8(ascii: "/") { quoted += replacement.utf8 } else { quoted.append(byte) }
      }
      quoted.append(UInt8(ascii: "\""))
      return quoted
    }
  }

  /// The orders of members that Apple's devices have used.
  public enum Order: Hashable, Sendable, CaseIterable {
    case versionFirst, dataFirst, headerFirst
  }

  /// White space between tokens of the JSON.
  package var spacing = JSONSpacing.compact
  /// How `/` is written in strings of base64.
  public var solidus = Solidus.plain
  /// The order of the members of the token object.
  public var order = Order.dataFirst
  /// transactionId and applicationData in upper case.
  public var upperCaseHex = false

  /// Compact, `/` unescaped, `data` first, lower-case hexadecimal.
  public init() {}

  /// A style drawn from the stream.
  public static func random(from stream: inout SeededGenerator) -> TokenStyle {
    var style = TokenStyle()
    style.spacing = Int.random(in: 0..<8, using: &stream) == 0 ? .pretty : .compact
    style.solidus = [.plain, .plain, .plain, .escaped, .unicode][Int.random(in: 0..<5, using: &stream)]
    style.order = Order.allCases[Int.random(in: 0..<3, using: &stream)]
    style.upperCaseHex = Int.random(in: 0..<8, using: &stream) == 0
    return style
  }

  /// The token object, with the decoded members of `layers` encoded.
  func object(_ layers: TokenLayers) -> JSONObject {
    func base64(_ bytes: [UInt8]) -> JSONValue { .raw(solidus.quoted(Base64.encode(bytes))) }
    func hex(_ bytes: [UInt8]) -> JSONValue {
      .string(upperCaseHex ? Hex.encode(bytes).uppercased() : Hex.encode(bytes))
    }
    var header = JSONObject()
    if let applicationData = layers.applicationData { header["applicationData"] = hex(applicationData) }
    let key = layers.version.hasEphemeralKey ? layers.ephemeralPublicKey : layers.wrappedKey
    header[layers.version.keyName] = base64(key)
    header["publicKeyHash"] = base64(layers.publicKeyHash)
    header["transactionId"] = hex(layers.transactionId)
    let version = JSONObject.Member("version", .string(layers.version.rawValue))
    let data = JSONObject.Member("data", base64(layers.data))
    let signature = JSONObject.Member("signature", base64(layers.signature))
    let last = JSONObject.Member("header", .object(header))
    return switch order {
    case .versionFirst: JSONObject([version, data, signature, last])
    case .dataFirst: JSONObject([data, signature, last, version])
    case .headerFirst: JSONObject([last, version, signature, data])
    }
  }
}
