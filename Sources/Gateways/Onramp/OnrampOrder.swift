import PaymentToken

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
  /// or is a service code such as 911 (North American Numbering Plan), and for the area codes of other countries and
  /// those without a place, such as toll-free ones. Whether it is a mobile number, as Coinbase requires,
  /// cannot be seen.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 12, bytes.starts(with: "+1".utf8) else { return nil }
    let digits = bytes.dropFirst(2)
    guard digits.allSatisfy(\.isDecimalDigit) else { return nil }
    guard bytes[2] >= UInt8(ascii: "2"), bytes[5] >= UInt8(ascii: "2") else { return nil }
    guard !bytes[3...4].elementsEqual("11".utf8), !bytes[6...7].elementsEqual("11".utf8) else { return nil }
    guard !Self.otherAreas.contains(String(streamSafe: bytes[2...4])) else { return nil }
    self.text = text
  }

  /// Area codes of Canada, of the other countries of the plan, and without a place (toll-free, premium, personal).
  private static let otherAreas = Set(
    ("204 226 236 249 250 257 263 289 306 343 354 365 367 368 382 403 416 418 428 431 437 438 450 460 468 474 506 514 "
      + "519 548 579 581 584 587 600 604 613 622 639 647 672 683 705 709 742 753 778 780 782 807 819 825 867 873 879 "
      + "902 905 942 "
      + "242 246 264 268 284 345 441 473 649 658 664 721 758 767 784 809 829 849 868 869 876 "
      + "800 822 833 844 855 866 877 880 881 882 883 884 885 886 887 888 889 900 "
      + "500 521 522 523 524 525 526 527 528 529 533 544 566 577 588 700 710").split(separator: " ").map { String($0) })
}
