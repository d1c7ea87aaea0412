import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// The rule of stages 5 to 8 that a token breaks, and the value that breaks it.
struct RuleBreach {
  let rule: SignatureRule
  /// What breaks it: `leaf Leaf`, `signature`.
  let subject: String
  /// The value in words: `its extendedKeyUsage is critical`.
  let found: String
  /// Where in the CMS, for rules of stage 5.
  private(set) var offset: Int?
  /// Whether it is content in the CMS, which must be detached.
  private(set) var isContent = false

  /// The subject with the number of the rule.
  var numberedSubject: String {
    "\(subject), rule \(rule.number)" + (offset.map { ", byte \($0)" } ?? "")
  }

  /// A finding of the stage.
  var finding: Finding { Finding(subject, found, expected: "\(rule.demand) (rule \(rule.number))") }

  private init?(_ number: String, _ subject: String, _ found: String) {
    guard let rule = SignatureRule.numbered(number) else { return nil }
    (self.rule, self.subject, self.found) = (rule, subject, found)
  }

  /// Nil for a fault of another stage.
  ///
  /// - Parameters:
  ///   - cms: the decoded signature.
  ///   - roots: the trusted roots.
  init?(_ fault: TokenFault, _ facts: TraceFacts, cms: [UInt8], roots: [Certificate]) {
    let tree = SignatureTree(cms)
    switch fault.code {
    case .malformedSignature:
      guard let problem = facts.signatureProblem else { return nil }
      let isContent = Self.isContent(problem, cms, tree)
      self.init(
        isContent ? "5.7" : problem.rule, TokenMember.signature.path,
        isContent ? "EncapsulatedContentInfo has content" : Self.words(problem, cms, tree))
      (offset, self.isContent) = (problem.offset, isContent)
    case .missingLeafMarker:
      self.init("6.1", "certificates", "\(Self.carriers(facts.markers?.leaf, facts)) Apple's leaf marker")
    case .missingIntermediateMarker:
      let count = facts.markers?.intermediate
      let carriers = count == 1 ? "the leaf has" : Self.carriers(count, facts)
      self.init("6.2", "certificates", "\(carriers) Apple's intermediate marker")
    case .unexpectedCertificate:
      self.init("6.3", "certificate \(facts.otherCertificate?.name ?? "")", "it is neither leaf nor intermediate")
    case .signerMismatch:
      self.init("6.4", "signer identifier", Self.words(signer: tree?.signerIdentifier, facts))
    case .untrustedChain, .certificateRevoked, .certificateExpired, .certificateNotYetValid:
      guard let problem = facts.chainProblem else { return nil }
      let chain = ChainText(problem, facts, certificates: tree?.certificates ?? [], roots: roots)
      self.init(problem.rule, chain.subject, chain.found)
    case .signatureMismatch:
      if let digest = facts.messageDigest, digest.found != digest.expected {
        self.init(
          "8.1", "messageDigest", "it is \(digest.found.hex), and the digest of the members is \(digest.expected.hex)")
        return
      }
      let value = tree?.signature ?? []
      let leaf = tree?.certificates.first { $0.fingerprint() == facts.leaf?.fingerprint }
      let subject = "leaf \(facts.leaf?.name ?? "")"
      switch leaf?.publicKey {
      case .rsa: self.init("8.4", subject, "the signature of \(value.count) bytes does not verify with its key")
      case .p256 where !ECDSAValue.isWellFormed(value, order: CurveConstants.p256Order):
        self.init("8.3", subject, "the signature by its key is \(Self.words(signature: value))")
      default: self.init("8.2", subject, "the signature does not verify with its key")
      }
    default: return nil
    }
  }

  /// How many certificates have a marker.
  private static func carriers(_ count: Int?, _ facts: TraceFacts) -> String {
    switch (count ?? 0, facts.certificates.count) {
    case (_, 0): "there are no certificates, and so none has"
    case (0, 1): "the only certificate does not have"
    case (0, let all): "none of the \(all) certificates has"
    case (let some, let all): "\(some) of the \(all) certificates have"
    }
  }

  /// Whether the rule is broken by content. OpenSSL writes large content as a constructed OCTET STRING, which breaks
  /// 5.4 right behind the content's type.
  private static func isContent(_ problem: SignatureProblem, _ cms: [UInt8], _ tree: SignatureTree?) -> Bool {
    if let part = tree?.part(at: problem.offset) { return part.hasContent }
    let constructedOctetString: UInt8 = 0x24
    let endOfDataType: [UInt8] = [0xF7, 0x0D, 0x01, 0x07, 0x01]
    guard cms.dropFirst(problem.offset).first == constructedOctetString else { return false }
    return cms.prefix(problem.offset).suffix(endOfDataType.count + 8).firstRange(of: endOfDataType) != nil
  }

  private static func words(_ problem: SignatureProblem, _ cms: [UInt8], _ tree: SignatureTree?) -> String {
    if problem.rule == "5.19" { return "the signature value has \(tree?.signature.count ?? 0) bytes" }
    if let part = tree?.part(at: problem.offset) { return part.words(breaking: problem.rule) }
    // The bytes are no tree.
    guard problem.offset < cms.count else { return "the CMS is cut off" }
    let tag = DERTag(byte: cms[problem.offset])
    return switch problem.rule {
    case "5.1" where (try? BERValue(cms.prefix(problem.offset))) != nil:
      "\(cms.count - problem.offset) bytes follow ContentInfo"
    case "5.1": tag.number == 31 ? "a tag number is 31 or more" : "the values are nested too deep"
    case "5.2", "5.3": "a value is cut off, or its length is malformed"
    case "5.4": "\(tag.words) is \(tag.isConstructed ? "constructed" : "primitive")"
    default: "\(tag.words) is not in DER's form"
    }
  }

  private static func words(signature value: [UInt8]) -> String {
    let isPlain = value.count == 64 && (try? BERValue(strict: value)) == nil
    return isPlain ? "64 bytes, which may be r and s alone" : "\(value.count) bytes of another form or range"
  }

  private static func words(signer identifier: BERValue?, _ facts: TraceFacts) -> String {
    guard let identifier, let leaf = facts.leaf else { return "it names another certificate" }
    guard identifier.tag == .sequence, let issuer = identifier.children.first, let serial = identifier.children.last
    else { return "it is the key identifier \(Hex.encode(identifier.contents.prefix(32)))" }
    let named =
      "\(DistinguishedName(Array(issuer.encoding)).text), serial number \(Hex.encode(serial.contents.prefix(20)))"
    let own = "\(DistinguishedName(leaf.issuer).text), serial number \(Hex.encode(leaf.serialNumber.prefix(20)))"
    return "it names the certificate of \(named), and the leaf is that of \(own)"
  }
}
