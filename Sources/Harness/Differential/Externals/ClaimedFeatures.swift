import Corpus
import PaymentToken
import TestCases

extension ExternalIdentity {
  /// Whether it claims to verify signatures, under whatever roots.
  var checksSignatures: Bool { supports.contains("signature") }

  /// Whether it can be given a test, by what it claims to support.
  func supports(_ test: TestCase, setting: TestSetting?) -> Bool {
    lacking(for: test, setting: setting).isEmpty
  }

  /// What a program lacks for a test that the line protocol cannot express.
  static let beyondProtocol = "beyond the line protocol"

  /// What a test needs and the program does not claim to support; empty if it can be given the test.
  func lacking(for test: TestCase, setting: TestSetting?) -> [String] {
    guard test.context.isForOtherPrograms, setting?.isForOtherPrograms != false else { return [Self.beyondProtocol] }
    // A program that checks signatures under other roots than those of hello refuses every token, which shows nothing.
    if checksSignatures, !supports.contains("roots") { return ["roots"] }
    let namesMerchant = setting?.keys.contains { $0.merchantId != nil } == true
    if supports.contains("merchantId"), !namesMerchant, test.needs.contains("EC_v1") {
      return ["keys without a merchant ID"]
    }
    return test.asked(of: self).needs.filter { !supports.contains($0) }
  }
}

extension TestCase {
  /// The test with the verdict and the standing that apply to a program, by what it claims to check.
  ///
  /// If a program does not check signatures, the holder of a genuine token can make tokens that otherwise only Apple
  /// can make. Then only the tag of AES-GCM protects a payment: an altered ciphertext with the old tag and signature
  /// must be refused for its tag, and members that decryption does not read protect nothing.
  func asked(of identity: ExternalIdentity?) -> TestCase {
    guard let identity, !identity.checksSignatures, case .reject(let fault)? = expected else { return self }
    var test = self
    if flags.contains("ForgeryG"), fault.stage == .signature {
      test.expected = .reject(TokenFault(.decryptionFailed))
      test.clauses = ["12.1"]
      test.standing = Standing(.holder, Self.tag, .critical)
    } else if let standing {
      let ignoresTag = clauses.contains("12.1") && standing.basis == Self.tag
      let isHarmless = standing.severity == .critical && fault.stage <= .encodings && !Self.isDecrypted(fault.member)
      test.standing = Standing(
        standing.maker == .apple ? .holder : standing.maker, standing.basis,
        isHarmless ? .strictness : ignoresTag && standing.maker == .apple ? .critical : standing.severity)
    }
    return test
  }

  /// Whether decryption reads a member.
  private static func isDecrypted(_ member: TokenMember?) -> Bool {
    [.data, .header, .ephemeralPublicKey, .wrappedKey].contains(member)
  }

  /// The plaintext may be returned only if the tag is right.
  private static let tag = Standing.Basis.standard("sp800-38d-7.2")

  /// The features that a program must support to be given this test.
  fileprivate var needs: [String] {
    let policy = context.policy
    var words: [String] = []
    if policy.envelope != .named(.apple) { words.append("envelopes") }
    if policy.isUnsigned { words.append("unsigned") }
    if policy.expectations != Expectations() { words.append("expect") }
    if policy.replay != nil { words.append("replay") }
    if !policy.revoked.isEmpty { words.append("revoked") }
    if case .reject(let fault)? = expected {
      if concernsSignature(fault) { words.append("signature") }
      if fault.stage == .payload { words.append("payload") }
    } else if policy.replay != nil, !context.prelude.isEmpty {
      // A token of the prelude may have an invalid signature, and must then not enter the replay store.
      words.append("signature")
    }
    return words + versions.map(\.rawValue)
  }

  /// Whether a fault matters only where the signature is verified.
  ///
  /// Decryption uses neither transactionId nor applicationData: if they are missing, or signed bytes moved between
  /// them, only the signature is affected.
  private func concernsSignature(_ fault: TokenFault) -> Bool {
    switch fault.stage {
    case .shape, .encodings:
      let isSigned = fault.member == .transactionId || fault.member == .applicationData
      return fault.member == .signature || isSigned && !context.policy.isUnsigned
    default: return (5...9).contains(fault.stage.rawValue) || fault.member == .signature
    }
  }

  /// The token versions that the test needs, as far as the request or its flags show.
  private var versions: [TokenVersion] {
    let named = SeedPath.versions(in: request)
    // The request may write the name with escapes.
    return flags.contains("RSAv1") && !named.contains(.rsaV1) ? named + [.rsaV1] : named
  }
}
