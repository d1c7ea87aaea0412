import CSodium
import ReferenceDecryption
import TokenScanning

/// Every kernel of the fast engine's base64 against libsodium's, and the reference's rule.
extension FuzzTargets {
  public static func base64(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let text = octets(data, size)
    let wanted = sodium(text)
    for kernel in TextKernel.supported {
      let found = Base64Text.decoded(text, with: kernel)
      guard found != wanted else { continue }
      fail("readers", "base64 \(kernel.name) \(word(found))", "base64 libsodium \(word(wanted))")
    }
    let bytes = WipedBytes(text.span)
    let count = StrictBase64.decodedCount(bytes.all)
    if count != wanted?.count {
      fail("readers", "base64 rule \(count == nil ? "malformed" : "read")", "base64 libsodium \(word(wanted))")
    }
    return 0
  }

  private static func word(_ octets: [UInt8]?) -> String { octets == nil ? "malformed" : "read" }

  /// libsodium's strict original alphabet: padding demanded, trailing bits zero, nothing ignored. Octets from 0x80 on it
  /// takes for negative numbers, and some of them for digits (1.0.18): there the rule alone counts.
  private static func sodium(_ text: [UInt8]) -> [UInt8]? {
    guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
    var octets = [UInt8](repeating: 0, count: text.count / 4 * 3 + 3)
    var count = 0
    let capacity = octets.count
    let verdict = text.withUnsafeBytes { source in
      sodium_base642bin(
        &octets, capacity, source.bindMemory(to: CChar.self).baseAddress, text.count, nil, &count, nil,
        Int32(sodium_base64_VARIANT_ORIGINAL))
    }
    guard verdict == 0 else { return nil }
    return Array(octets.prefix(count))
  }
}
