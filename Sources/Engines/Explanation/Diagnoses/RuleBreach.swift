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
  /// The offset of the value in the CMS, in bytes, for rules of stage 5.
  private(set) var offset: Int?
  /// Whether content in the CMS breaks the rule: the CMS must be detached.
  private(set) var isContent = false
  private var otherFix: String?

  /// What the maker of a test token does about it: the fix of the cause, or that of the rule if the cause has none.
  var fix: String { otherFix ?? rule.fix }

  /// The subject with the number of the rule.
  var numberedSubject: String {
    "\(subject), rule \(rule.number)" + (offset.map { ", byte \($0)" } ?? "")
  }

  /// A finding of the stage.
  var finding: Finding { Finding(subject, found, expected: "\(rule.demand) (rule \(rule.number))") }

  private init?(_ number: String, _ subject: String, _ cause: Cause) {
    guard let rule = SignatureRule.numbered(number) else { return nil }
    (self.rule, self.subject, found, otherFix) = (rule, subject, cause.found, cause.fix)
  }

  /// Nil for a fault of another stage.
  ///
  /// - Parameters:
  ///   - text: the token's members.
  ///   - roots: the trusted roots.
  init?(_ fault: TokenFault, _ facts: TraceFacts, _ text: TokenText?, roots: [Certificate]) {
    let cms = text?.form(of: .signature)?.base64 ?? []
    let tree = SignatureTree(cms)
    let selection = SelectionText(
      facts: facts, certificates: tree?.certificates ?? [], identifier: tree?.signerIdentifier)
    switch fault.code {
    case .malformedSignature:
      guard let problem = facts.signatureProblem else { return nil }
      let isContent = Self.isContent(problem, cms, tree)
      self.init(
        isContent ? "5.7" : problem.rule, TokenMember.signature.path,
        isContent ? Cause("EncapsulatedContentInfo has content") : Self.cause(problem, cms, tree))
      (offset, self.isContent) = (problem.offset, isContent)
    case .missingLeafMarker:
      self.init("6.1", "certificates", selection.leafCause)
    case .missingIntermediateMarker:
      self.init("6.2", "certificates", selection.intermediateCause)
    case .unexpectedCertificate:
      self.init("6.3", "certificate \(facts.otherCertificate?.name ?? "")", selection.otherCause)
    case .signerMismatch:
      self.init("6.4", "signer identifier", selection.signerCause)
    case .untrustedChain, .certificateRevoked, .certificateExpired, .certificateNotYetValid:
      guard let problem = facts.chainProblem else { return nil }
      let chain = ChainText(problem, facts, certificates: tree?.certificates ?? [], roots: roots)
      self.init(problem.rule, chain.subject, chain.cause)
    case .signatureMismatch:
      if let digest = facts.messageDigest, digest.found != digest.expected {
        let content = text.flatMap { DigestedContent($0) }?.words(of: digest.found).map { ", that of \($0)" } ?? ""
        let found = "it is \(digest.found.hex)\(content), and the digest of the members is \(digest.expected.hex)"
        self.init("8.1", "messageDigest", Cause(found))
        return
      }
      let value = tree?.signature ?? []
      let leaf = tree?.certificates.first { $0.fingerprint() == facts.leaf?.fingerprint }
      let subject = "leaf \(facts.leaf?.name ?? "")"
      switch leaf?.publicKey {
      case .rsa: self.init("8.4", subject, Cause("the signature of \(value.count) bytes does not verify with its key"))
      case .p256 where !ECDSAValue.isWellFormed(value, order: CurveConstants.p256Order):
        let form = Cause(ofSignature: value)
        self.init("8.3", subject, Cause("the signature by its key is \(form.found)", fix: form.fix))
      default: self.init("8.2", subject, Cause("the signature does not verify with its key"))
      }
    default: return nil
    }
  }

  /// Whether content in the CMS breaks the rule. OpenSSL writes large content as a constructed OCTET STRING, which
  /// follows the content's type and breaks rule 5.4.
  private static func isContent(_ problem: SignatureProblem, _ cms: [UInt8], _ tree: SignatureTree?) -> Bool {
    if let part = tree?.part(at: problem.offset) { return part.hasContent }
    let constructedOctetString: UInt8 = 0x24
    let endOfDataType: [UInt8] = [0xF7, 0x0D, 0x01, 0x07, 0x01]
    guard cms.dropFirst(problem.offset).first == constructedOctetString else { return false }
    return cms.prefix(problem.offset).suffix(endOfDataType.count + 8).firstRange(of: endOfDataType) != nil
  }

  private static func cause(_ problem: SignatureProblem, _ cms: [UInt8], _ tree: SignatureTree?) -> Cause {
    if problem.rule == "5.19" { return Cause("the signature value has \(tree?.signature.count ?? 0) bytes") }
    if let part = tree?.part(at: problem.offset) {
      return part.cause(breaking: problem.rule, tree?.signerIdentifier)
    }
    // The CMS cannot be read as a tree.
    if let line = firstLine(of: cms) {
      return Cause("the bytes are text that begins \(line)", fix: "write the CMS in DER (openssl cms -outform DER).")
    }
    guard problem.offset < cms.count else { return Cause("the CMS is cut off") }
    let tag = DERTag(byte: cms[problem.offset])
    switch problem.rule {
    case "5.1" where (try? BERValue(cms.prefix(problem.offset))) != nil:
      return Cause("\(cms.count - problem.offset) bytes follow ContentInfo")
    case "5.1" where tag.number == 31: return Cause("a tag number is 31 or more")
    case "5.1" where cms.prefix(problem.offset).firstRange(of: signingCertificate) != nil:
      return Cause(
        "the attribute signingCertificateV2 is nested too deep", fix: "leave it out: openssl cms without -cades.")
    case "5.1": return Cause("the values are nested too deep")
    case "5.2", "5.3": return Cause("a value is cut off, or its length is malformed")
    case "5.4" where tag.isUniversal && tag.number == 0: return Cause("a value has the universal type 0")
    case "5.4": return Cause("\(tag.words) is \(tag.isConstructed ? "constructed" : "primitive")")
    default:
      let number = certificateNumber(at: problem.offset, in: cms)
      let place = number.map { " in certificate \($0) of the CMS" } ?? ""
      return Cause(
        "\(tag.words)\(place) is not in DER's form",
        fix: number.map { _ in "issue that certificate again with this value in DER." })
    }
  }

  /// id-aa-signingCertificateV2 (RFC 5035), tag and length first.
  private static let signingCertificate: [UInt8] = [
    0x06, 0x0B, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x02, 0x2F,
  ]

  /// The first line of PEM or S/MIME text; nil for anything else.
  private static func firstLine(of cms: [UInt8]) -> String? {
    guard ["-----BEGIN ", "MIME-Version:"].contains(where: { cms.starts(with: $0.utf8) }) else { return nil }
    return String(streamSafe: cms.prefix(40).prefix { (0x20..<0x7F).contains($0) })
  }

  /// Which certificate an offset is in, counted from 1. The certificates are found by their first bytes: two SEQUENCEs
  /// with lengths of two bytes, and version 3.
  private static func certificateNumber(at offset: Int, in cms: [UInt8]) -> Int? {
    var number = 0
    for start in cms.indices.prefix(offset) where cms.count - start > 13 {
      guard cms[start...].starts(with: [0x30, 0x82]), cms[(start + 4)...].starts(with: [0x30, 0x82]),
        cms[(start + 8)...].starts(with: [0xA0, 0x03, 0x02, 0x01, 0x02])
      else { continue }
      number += 1
      let end = start + 4 + Int(cms[start + 2]) << 8 + Int(cms[start + 3])
      if offset < end { return number }
    }
    return nil
  }
}

/// How a rule is broken, in words, and what to do about it if that is not the rule's fix.
struct Cause {
  let found: String
  let fix: String?

  init(_ found: String, fix: String? = nil) {
    (self.found, self.fix) = (found, fix)
  }

  /// The cause of a malformed ECDSA signature value.
  init(ofSignature value: [UInt8]) {
    var problem: MalformedBER?
    var sequence: BERValue?
    do throws(MalformedBER) { sequence = try BERValue(strict: value) } catch { problem = error }
    if sequence?.isPairOfIntegers ?? false, sequence?.hasNegativeInteger ?? false {
      self.init(
        "a SEQUENCE in which r or s is a negative INTEGER",
        fix: "put 00 before r or s where its first byte is 80 or more, which makes it positive.")
      return
    }
    // An ECDSA signature contains INTEGERs only, so one of them breaks this rule.
    if problem?.rule == "5.5", value.first == 0x30 {
      self.init("a SEQUENCE in which r or s begins with a 00 too many", fix: "leave 00 out before a byte below 80.")
      return
    }
    let isPlain = [64, 96].contains(value.count) && sequence == nil
    self.init("\(value.count) bytes" + (isPlain ? ", which may be r and s alone" : " of another form or range"))
  }
}

extension BERValue {
  /// Whether it is a SEQUENCE of two INTEGERs, as an ECDSA signature.
  var isPairOfIntegers: Bool { tag == .sequence && children.map(\.tag) == [.integer, .integer] }

  var hasNegativeInteger: Bool { children.contains { ($0.contents.first ?? 0) >= 0x80 } }
}
