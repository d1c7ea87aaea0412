import PaymentToken
import ReferenceDecryption
import TokenScanning

/// Both engines' readers of payloads: stage 13 by itself.
extension FuzzTargets {
  /// The first octet says of which version the token is.
  public static func payload(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    guard size > 0 else { return -1 }
    let input = octets(data, size)
    let version = TokenVersion.allCases[Int(input[0]) % TokenVersion.allCases.count]
    let text = Array(input.dropFirst())
    let fast = try? PayloadFields(scanning: text.span, version: version)
    let reference = read(text, version)
    if (fast == nil) != (reference == nil) {
      fail(
        "readers", "payload \(fast == nil ? "malformed" : "read")", "payload \(reference == nil ? "malformed" : "read")"
      )
    }
    guard let fast, let reference else { return 0 }
    let same =
      fast.transactionAmount == reference.transactionAmount
      && fast.accountNumber.octets(in: text.span).elementsEqual(reference.applicationPrimaryAccountNumber.utf8)
      && fast.currencyCode.octets(in: text.span).elementsEqual(reference.currencyCode.utf8)
    if !same { fail("readers", "payload read", "payload read otherwise") }
    return 0
  }

  private static func read(_ text: [UInt8], _ version: TokenVersion) -> Payment? {
    guard let document = try? JSONDocument(WipedBytes(text.span)) else { return nil }
    defer { document.wipe() }
    return (try? Payload(document, version: version))?.payment
  }
}
