/// Orders at Coinbase Onramp ("Create an onramp order").
public enum OnrampOrder {
  /// The prefix of `partnerUserRef` in sandbox orders, which always succeed and never charge a card.
  public static let sandboxPrefix = "sandbox-"

  /// Whether this `partnerUserRef` makes a sandbox order.
  public static func isSandbox(partnerUserRef: String) -> Bool {
    partnerUserRef.utf8.starts(with: sandboxPrefix.utf8)
  }

  /// The reference with the sandbox prefix, which is added if missing.
  public static func sandboxReference(_ partnerUserRef: String) -> String {
    isSandbox(partnerUserRef: partnerUserRef) ? partnerUserRef : sandboxPrefix + partnerUserRef
  }
}

/// A telephone number of the United States as orders need it: E.164, `+1` and ten digits.
public struct USPhoneNumber: Hashable, Sendable {
  /// `+12345678901`
  public let text: String

  /// Nil for anything but `+1` and ten ASCII digits in which neither the area code nor the exchange begins with 0 or 1
  /// (North American Numbering Plan). Whether it is a mobile number, as Coinbase requires, cannot be seen from it.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 12, bytes.starts(with: "+1".utf8) else { return nil }
    let digits = bytes.dropFirst(2)
    guard digits.allSatisfy(\.isDecimalDigit) else { return nil }
    guard bytes[2] >= UInt8(ascii: "2"), bytes[5] >= UInt8(ascii: "2") else { return nil }
    self.text = text
  }
}
