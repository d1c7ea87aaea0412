import Minting
import PaymentToken

/// A token that mutations start from, with as many of its layers as are known.
public struct MutationSample: Sendable {
  public let name: String
  /// The token's bytes, or those of the request around it.
  public let token: [UInt8]
  /// Whether `token` is a request, whose layers are the token's inside.
  public let isRequest: Bool
  /// Whether the unsigned policy is asked for.
  public let isUnsigned: Bool
  /// Everything a minted token was made of; nil for a token from elsewhere.
  public let layers: TokenLayers?
  /// The decoded signature.
  public let signature: [UInt8]

  /// A minted token.
  public init(_ minted: MintedToken, named name: String) {
    self.name = name
    token = minted.bytes
    isRequest = false
    isUnsigned = false
    layers = minted.layers
    signature = minted.layers.signature
  }

  /// A request around a minted token.
  public init(request: [UInt8], around minted: MintedToken, isUnsigned: Bool, named name: String) {
    self.name = name
    token = request
    isRequest = true
    self.isUnsigned = isUnsigned
    layers = minted.layers
    signature = minted.layers.signature
  }

  /// A token from elsewhere; nil when its `signature` is not found as plain base64 text.
  public init?(_ token: [UInt8], named name: String) {
    guard let range = TokenText.value(of: "signature", in: token), let octets = TokenText.decodeBase64(token[range])
    else { return nil }
    self.name = name
    self.token = token
    isRequest = false
    isUnsigned = false
    layers = nil
    signature = octets
  }

  /// The token with another signature.
  func replacingSignature(with octets: [UInt8]) -> [UInt8] {
    if var layers {
      layers.signature = octets
      return layers.token
    }
    guard let range = TokenText.value(of: "signature", in: token) else { return token }
    return token[..<range.lowerBound] + Array(Base64.encode(octets).utf8) + token[range.upperBound...]
  }
}

/// Just enough reading to take a sample apart; it decides nothing.
enum TokenText {
  /// The text between the quotes that follow `"name":`, as long as it has no escapes.
  static func value(of name: String, in token: [UInt8]) -> Range<Int>? {
    let key = Array("\"\(name)\":\"".utf8)
    guard token.count > key.count else { return nil }
    for start in 0..<(token.count - key.count) where token[start..<start + key.count].elementsEqual(key) {
      let first = start + key.count
      guard let end = token[first...].firstIndex(of: UInt8(ascii: "\"")),
        !token[first..<end].contains(UInt8(ascii: "\\"))
      else { return nil }
      return first..<end
    }
    return nil
  }

  /// Where the base64 members of a token stand.
  static func base64Values(in token: [UInt8]) -> [Range<Int>] {
    ["data", "signature", "ephemeralPublicKey", "wrappedKey", "publicKeyHash"].compactMap { value(of: $0, in: token) }
  }

  static func decodeBase64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var octets: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for character in text where character != UInt8(ascii: "=") {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        octets.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return octets
  }
}
