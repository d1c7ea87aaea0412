import PaymentToken

/// Rules of Coinbase Onramp for the orders of "Create an onramp order".
public enum OnrampOrder {
  /// The prefix of `partnerUserRef` that makes an order a sandbox order. Such orders always succeed and never charge a
  /// card.
  public static let sandboxPrefix = "sandbox-"

  /// Whether an order with this `partnerUserRef` is a sandbox order.
  public static func isSandbox(partnerUserRef: String) -> Bool {
    partnerUserRef.utf8.starts(with: sandboxPrefix.utf8)
  }
}

/// A telephone number of the United States in the form that orders require: E.164, with `+1` and ten digits.
public struct USPhoneNumber: Hashable, Sendable {
  /// The number, such as `+12345678901`.
  public let text: String

  /// Checks a number by the rules of the North American Numbering Plan. Returns nil in these cases:
  ///
  /// - The text is not `+1` and ten ASCII digits.
  /// - The area code (the first three digits) or the exchange (the next three) begins with 0 or 1, or is a service code
  ///   that ends with 11, such as 911.
  /// - The area code belongs to another country, or to no place, as toll-free codes do.
  ///
  /// Coinbase also requires a mobile number, which the digits do not show.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 12, bytes.starts(with: "+1".utf8) else { return nil }
    let digits = bytes.dropFirst(2)
    guard digits.allSatisfy(\.isDecimalDigit) else { return nil }
    guard bytes[2] >= UInt8(ascii: "2"), bytes[5] >= UInt8(ascii: "2") else { return nil }
    guard !bytes[3...4].elementsEqual("11".utf8), !bytes[6...7].elementsEqual("11".utf8) else { return nil }
    guard !Self.excludedAreas.contains(String(streamSafe: bytes[2...4])) else { return nil }
    self.text = text
  }

  /// Area codes that are not of a place in the United States: those of Canada, of the plan's other countries, of
  /// toll-free and premium-rate numbers, and of personal numbers, carriers and the government.
  private static let excludedAreas = Set(
    ("204 226 236 249 250 257 263 289 306 343 354 365 367 368 382 403 416 418 428 431 437 438 450 460 468 474 506 514 "
      + "519 548 579 581 584 587 600 604 613 622 639 647 672 683 705 709 742 753 778 780 782 807 819 825 867 873 879 "
      + "902 905 942 "
      + "242 246 264 268 284 345 441 473 649 658 664 721 758 767 784 809 829 849 868 869 876 "
      + "800 822 833 844 855 866 877 880 881 882 883 884 885 886 887 888 889 900 "
      + "500 521 522 523 524 525 526 527 528 529 533 544 566 577 588 700 710").split(separator: " ").map { String($0) })
}
