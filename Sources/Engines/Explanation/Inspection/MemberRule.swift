import PaymentToken

/// How a member is encoded and how long it is (rules 4.1 to 4.3).
struct MemberRule {
  /// Hexadecimal; else base64.
  let isHex: Bool
  private let lengths: ClosedRange<Int>

  init(_ member: TokenMember) {
    switch member {
    case .transactionId, .applicationData: (isHex, lengths) = (true, 32...32)
    case .publicKeyHash: (isHex, lengths) = (false, 32...32)
    case .ephemeralPublicKey: (isHex, lengths) = (false, 91...91)
    case .wrappedKey: (isHex, lengths) = (false, 256...512)
    case .data: (isHex, lengths) = (false, 17...Int.max)
    case .version, .signature, .header: (isHex, lengths) = (false, 1...Int.max)
    }
  }

  /// Whether that many bytes are a right length.
  func allows(_ count: Int) -> Bool { lengths.contains(count) }

  /// In words, for a finding.
  var words: String {
    let encoding = isHex ? "hexadecimal" : "base64"
    let (least, most) = (lengths.lowerBound, lengths.upperBound)
    if least == most { return "\(encoding) of \(least) bytes" }
    return most == Int.max
      ? "\(encoding) of at least \(least) bytes" : "\(encoding) of \(least) to \(most) bytes"
  }
}
