import PaymentToken

/// The encoding and the length of a member (rules 4.1 to 4.3).
struct MemberRule {
  /// Whether the member is hexadecimal; otherwise it is base64.
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

  /// Whether a decoded size in bytes is valid.
  func allows(_ count: Int) -> Bool { lengths.contains(count) }

  /// The rule in words, for a finding.
  var words: String {
    let encoding = isHex ? "hexadecimal" : "base64"
    let (minimum, maximum) = (lengths.lowerBound, lengths.upperBound)
    if minimum == maximum { return "\(encoding) of \(minimum) bytes" }
    return maximum == Int.max
      ? "\(encoding) of at least \(minimum) bytes" : "\(encoding) of \(minimum) to \(maximum) bytes"
  }
}
