import NamedCases
import PaymentToken
import TestCases

/// A fault of a decryptor as a whole, which the tests of one kind show together. The worst faults come first.
///
/// Each test that a pattern concerns shows it or contradicts it. A pattern is claimed if nine tenths of its tests, and
/// at least two, show it. `noSignature` has no tests: `ContenderVerdict` infers it from accepted forgeries, or from the
/// patterns of a missing digest and of a dropped result. The patterns that a claimed one implies are not reported.
public enum Pattern: String, Hashable, Sendable, CaseIterable {
  case noSignature, noDigest, droppedResult, anySigner, signerBySerialNumber, skipsWithApplicationData, anyRoot,
    anyIntermediate, ownIntermediate
  case namesAlone, anyLeaf, movedMembers, unsignedParts
  case noTag, leadingZeros, numericIdentifier, anyCurve, anyAuthority, noDates, expiredCertificates, noRevocation,
    noReplays, noWindow,
    noExpectations

  /// The fault as a sentence that begins with the decryptor's name.
  package var sentence: String {
    switch self {
    case .noSignature: "checks no signature"
    case .noDigest: "does not compare the signed digest with the token"
    case .droppedResult: "drops the result of the signature's verification"
    case .anySigner: "accepts any signer beside Apple's certificates"
    case .signerBySerialNumber: "finds the signer by issuer and serial number, and not by the chain that it checked"
    case .skipsWithApplicationData: "skips the check of the signed bytes when applicationData is present"
    case .anyRoot: "accepts any root: it trusts certificates that a token brings"
    case .anyIntermediate: "accepts any intermediate that a token brings"
    case .ownIntermediate: "trusts the token's own intermediate"
    case .namesAlone: "accepts chains that hang together by names alone"
    case .anyLeaf: "accepts leaves without Apple's marker: any certificate under the root can sign"
    case .movedMembers: "accepts bytes that were moved from one signed member to another"
    case .unsignedParts: "accepts tokens without a signature"
    case .noTag: "ignores the tag of AES-GCM"
    case .leadingZeros: "loses leading zeros of the shared secret: 1 payment in 256"
    case .numericIdentifier: "loses leading zeros of the transactionId"
    case .anyCurve: "computes with points off the curve, which reveals the merchant's key"
    case .anyAuthority: "accepts certificates of no authority as intermediates"
    case .noDates: "checks no validity of certificates"
    case .expiredCertificates: "accepts expired certificates"
    case .noRevocation: "checks no list of revoked certificates"
    case .noReplays: "detects no replays"
    case .noWindow: "checks no signing time"
    case .noExpectations: "checks no expected amount, currency or application data"
    }
  }

  /// Whether it is one of accepted forgeries.
  var isOfForgeries: Bool { Self.allCases.prefix { $0 != .leadingZeros }.contains(self) }

  /// Whether it is one of sound tokens, which shows only where the others are decided correctly.
  var isOfSoundTokens: Bool { self == .leadingZeros || self == .numericIdentifier }

  /// The patterns that this one implies.
  var implied: Set<Pattern> {
    switch self {
    case .noSignature:
      [
        .noDigest, .droppedResult, .anySigner, .signerBySerialNumber, .skipsWithApplicationData, .anyRoot,
        .anyIntermediate, .ownIntermediate, .namesAlone, .anyLeaf, .anyAuthority, .movedMembers, .noDates,
        .expiredCertificates, .noWindow,
      ]
    case .noDigest: [.skipsWithApplicationData, .movedMembers]
    case .droppedResult: [.anySigner, .signerBySerialNumber]
    case .anySigner: [.signerBySerialNumber]
    case .anyRoot: [.anyIntermediate, .ownIntermediate, .namesAlone, .anyAuthority]
    case .anyIntermediate: [.ownIntermediate, .namesAlone]
    case .noDates: [.expiredCertificates]
    default: []
    }
  }

  /// Whether a test counts only if it shows the pattern, because its token may be refused for another reason: an
  /// altered ciphertext for its plaintext, an expired certificate for another one that is not yet valid, a wrong
  /// signature value for an altered digest.
  func isOneSided(_ test: TestCase) -> Bool {
    switch self {
    case .noTag: test.isForgery(.g)
    case .expiredCertificates: test.isNamed("not-yet-valid", "the-wrong-way-round")
    case .droppedResult: test.isNamed("digest-with-")
    default: false
    }
  }

  /// Whether a test shows or contradicts it.
  func concerns(_ test: TestCase) -> Bool {
    let isAccepted = test.expected?.isAccepted == true
    switch self {
    case .leadingZeros:
      return isAccepted && test.isOf("11.2") && test.flags.contains("LeadingZero")
    case .numericIdentifier: return isAccepted && test.isForgery(.l)
    default: break
    }
    guard !isAccepted, let standing = test.standing, standing.severity <= .high else { return false }
    switch self {
    case .noSignature: return false
    // Tests of an altered ciphertext are left out: it fails later anyway.
    case .noDigest:
      return standing.isForgery && test.isOf("8.1") && test.isNamed("application-data", "transaction-id")
        && !test.isForgery(.f)
    case .droppedResult: return standing.isForgery && test.isOf("8.2", "8.3", "8.4")
    case .anySigner: return test.isForgery(.b)
    case .signerBySerialNumber: return test.isNamed("forgery-c-issuer-and-serial-number-of-the-leaf-first")
    case .skipsWithApplicationData: return test.isForgery(.f)
    case .anyRoot: return test.isNamed("forgery-e-certificates")
    case .anyIntermediate: return test.isForgery(.a)
    case .ownIntermediate: return test.isNamed("forgery-a-self-signed-intermediate")
    case .namesAlone: return standing.isForgery && test.isOf("7.2") && !test.isClassicForgery
    case .anyLeaf:
      return standing.isForgery && test.isNamed("without-its-marker", "another-number", "merchant-certificate")
    case .movedMembers: return test.isForgery(.h, .m)
    case .unsignedParts: return standing.isForgery && test.isOf("0.8", "3.1") && standing.maker == .anyone
    case .noTag:
      return test.isOf("12.1")
        && (test.isForgery(.g) || test.isNamed("tag-with-a-bit-flipped", "tag-bit-flipped", "tag-of-zeros"))
    case .anyCurve: return test.isOf("11.1")
    case .anyAuthority: return test.isOf("7.3")
    case .noDates: return test.isOf("7.7")
    case .expiredCertificates: return test.isRefused(.certificateExpired)
    // A forgery of this rule is refused for its chain too.
    case .noRevocation: return test.isOf("7.6") && !standing.isForgery
    case .noReplays: return test.isOf("14.4")
    case .noWindow: return test.isOf("9.1")
    case .noExpectations: return test.isOf("14.1", "14.2", "14.3")
    case .leadingZeros, .numericIdentifier: return false
    }
  }
}

extension TestCase {
  fileprivate func isOf(_ rules: String...) -> Bool { rules.contains(where: clauses.contains) }

  fileprivate func isRefused(_ code: TokenFault.Code) -> Bool { expected?.fault?.code == code }

  /// Whether it is a classic forgery of one of these letters, by its flags.
  fileprivate func isForgery(_ letters: Forgery...) -> Bool {
    letters.contains { flags.contains("Forgery\($0.rawValue.uppercased())") }
  }

  fileprivate var isClassicForgery: Bool { flags.contains { $0.hasPrefix("Forgery") } }

  /// Whether its name has some of these words: for what only a few tests of a rule show.
  fileprivate func isNamed(_ words: String...) -> Bool { words.contains { name.contains($0) } }
}

/// How many tests have a property, and of how many.
public struct Share: Hashable, Sendable {
  public private(set) var count = 0
  public private(set) var total = 0

  mutating func add(_ isCounted: Bool) {
    count += isCounted ? 1 : 0
    total += 1
  }

  /// Whether a pattern that this share of its tests shows is claimed.
  var isClaimed: Bool { count >= 2 && count * 10 >= total * 9 }
}
