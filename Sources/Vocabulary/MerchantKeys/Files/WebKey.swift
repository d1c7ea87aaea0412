import COpenSSL
import CSodium
import PaymentToken

/// A JSON Web Key (RFC 7517, RFC 7518 section 6) of a private key: EC on P-256, or RSA of two primes.
///
/// JSON is read here and not by `StrictJSON`: the members are parts of the file's bytes, so that no copy of a secret is
/// left in a string that nobody can wipe.
struct WebKey {
  /// The members that are strings, by name.
  private let members: [String: ArraySlice<UInt8>]

  /// The maximum size of a file that is parsed as a JSON Web Key, in bytes.
  private static let sizeLimit = 1 << 20
  /// The maximum size of a number, in bytes: twice that of the largest modulus.
  private static let numberLimit = 1_024

  /// Nil unless the text is one JSON object with the member `kty`, each of whose members occurs once.
  init?(_ text: [UInt8]) {
    guard text.count <= Self.sizeLimit else { return nil }
    var scanner = Scanner(rest: text[...])
    guard let members = scanner.object(), members["kty"] != nil else { return nil }
    self.members = members
  }

  /// The private key.
  ///
  /// - Throws: ``KeyError`` with a code for private keys; `publicKeyGiven` if there is only a public key.
  func secret() throws(KeyError) -> MerchantSecret {
    switch self["kty"] {
    case "EC", "RSA":
      guard members["d"] != nil else { throw KeyError(.publicKeyGiven) }
      return self["kty"] == "EC" ? .p256(try privateKey()) : .rsa(try rsaPrivateKey())
    default: throw KeyError(.unsupportedKeyAlgorithm)
    }
  }

  /// The text of a member that is not secret.
  private subscript(name: String) -> String? { members[name].map { String(streamSafe: $0) } }

  private func privateKey() throws(KeyError) -> PrivateKey {
    guard self["crv"] == "P-256" else { throw KeyError(.unsupportedCurve) }
    let key = try withNumber("d") { (scalar) throws(KeyError) in try PrivateKey(magnitude: scalar[...]) }
    let point = try withNumber("x") { (x) throws(KeyError) in
      try withNumber("y") { (y) throws(KeyError) in [0x04] + x + y }
    }
    guard point == key.publicKey else { throw KeyError(.publicKeyMismatch) }
    return key
  }

  /// The key, read from its numbers in the form of RSAPrivateKey (RFC 8017 appendix A.1.2).
  private func rsaPrivateKey() throws(KeyError) -> RSAPrivateKey {
    var numbers: [UInt8] = [0x02, 0x01, 0x00]
    defer { numbers.wipe() }
    let names = ["n", "e", "d", "p", "q", "dp", "dq", "qi"]
    // The full capacity, because growing would leave unwiped copies. A tag, a length and a sign take up to 5 bytes.
    numbers.reserveCapacity(names.count * (Self.numberLimit + 5) + 3)
    for name in names {
      try withNumber(name) { (number) throws(KeyError) in
        let magnitude = number.drop { $0 == 0 }
        let sign: [UInt8] = magnitude.first ?? 0x80 >= 0x80 ? [0] : []
        numbers.appendHeader(tag: 0x02, count: sign.count + magnitude.count)
        numbers += sign
        numbers += magnitude
      }
    }
    var der: [UInt8] = []
    der.reserveCapacity(numbers.count + 4)
    defer { der.wipe() }
    der.appendHeader(tag: 0x30, count: numbers.count)
    der += numbers
    return try RSAPrivateKey(pkcs1: der)
  }

  /// Calls `use` with the bytes of a number, which are wiped before this returns.
  private func withNumber<Result>(
    _ name: String, _ use: ([UInt8]) throws(KeyError) -> Result
  ) throws(KeyError) -> Result {
    guard let text = members[name], text.count <= Self.numberLimit * 4 / 3,
      var number = PEMDocument.decoded(text, variant: sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    else { throw KeyError(.malformedKey) }
    defer { number.wipe() }
    return try use(number)
  }
}

extension [UInt8] {
  /// Appends a tag and a length below 65,536 (X.690 section 8.1.3).
  fileprivate mutating func appendHeader(tag: UInt8, count: Int) {
    append(tag)
    switch count {
    case ..<0x80: append(UInt8(count))
    case ..<0x100: self += [0x81, UInt8(count)]
    default: self += [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
    }
  }
}

/// Reads the members of one JSON object that are strings without escapes; all other values are skipped.
private struct Scanner {
  var rest: ArraySlice<UInt8>

  /// Nil for other text, and if a name occurs twice.
  mutating func object() -> [String: ArraySlice<UInt8>]? {
    var names: Set<String> = []
    var members: [String: ArraySlice<UInt8>] = [:]
    guard take("{") else { return nil }
    repeat {
      guard let name = string().map({ String(streamSafe: $0) }), names.insert(name).inserted, take(":")
      else { return nil }
      if let value = string() { members[name] = value } else if !skipValue() { return nil }
    } while take(",")
    guard take("}"), rest.allSatisfy(Self.isSpace) else { return nil }
    return members
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  /// Takes a character and the white space before it.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    let found = rest.drop(while: Self.isSpace)
    guard found.first == UInt8(ascii: character) else { return false }
    rest = found.dropFirst()
    return true
  }

  /// The content of a string without escapes; otherwise nil, and nothing is read.
  private mutating func string() -> ArraySlice<UInt8>? {
    let start = rest
    guard take("\"") else { return nil }
    let content = rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    rest = rest[content.endIndex...]
    guard take("\"") else {
      rest = start
      return nil
    }
    return content
  }

  /// Skips to the comma or brace behind a value.
  private mutating func skipValue() -> Bool {
    var depth = 0
    var isInString = false
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "\\") where isInString: rest = rest.dropFirst()
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: ",") where depth == 0, UInt8(ascii: "}") where depth == 0: return true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      rest = rest.dropFirst()
    }
    return false
  }
}

extension PrivateKey {
  /// Copies a scalar from 64 hexadecimal digits, which may have `0x` or `00` before them and colons or white space
  /// between them; nil for other text.
  ///
  /// - Throws: `KeyError.Code.scalarOutOfRange`.
  convenience init?(hexadecimal text: [UInt8]) throws(KeyError) {
    guard text.count <= 256, var bytes = HexadecimalText.decoded(text) else { return nil }
    defer { bytes.wipe() }
    // OpenSSL and Java write a zero byte before a number whose highest bit is set.
    let sizes = PrivateKey.scalarSize...PrivateKey.scalarSize + (bytes.first == 0 ? 1 : 0)
    guard sizes.contains(bytes.count) else { return nil }
    try self.init(magnitude: bytes.suffix(PrivateKey.scalarSize))
  }
}
