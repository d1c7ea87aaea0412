import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// The facts of a trace by name.
struct TraceFacts {
  private(set) var envelope: String?
  private(set) var fittingEnvelopes: [String] = []
  private(set) var envelopeProblem: EnvelopeProblem?
  /// The field of the request that contradicts the token or its gateway.
  private(set) var contradiction: Envelope.Field?
  /// The paths of the parts of the request that have two names and differ.
  private(set) var differingParts: [[String]] = []
  private(set) var version: TokenVersion?
  private(set) var decodedSizes: [(member: TokenMember, count: Int)] = []
  private(set) var signatureProblem: SignatureProblem?
  private(set) var signingTime: UnixTime?
  private(set) var certificates: [CertificateSummary] = []
  private(set) var markers: (leaf: Int, intermediate: Int)?
  private(set) var leaf: CertificateSummary?
  private(set) var intermediate: CertificateSummary?
  private(set) var chainProblem: ChainProblem?
  private(set) var root: CertificateSummary?
  private(set) var verificationTime: UnixTime?
  private(set) var messageDigest: (found: Bytes32, expected: Bytes32)?
  private(set) var signingTimeDistance: (seconds: UInt64, window: UInt32)?
  private(set) var publicKeyHash: Bytes32?
  private(set) var payloadProblem: PayloadProblem?
  private(set) var otherPayment: OtherPayment?

  init(_ trace: Trace) {
    for fact in trace.facts {
      switch fact {
      case .envelope(let name): envelope = name
      case .fittingEnvelopes(let names): fittingEnvelopes = names
      case .envelopeProblem(let problem): envelopeProblem = problem
      case .envelopeField(let field, agrees: false): contradiction = field
      case .partsDiffer(let paths): differingParts = paths
      case .version(let found): version = found
      case .decodedSize(let member, let count): decodedSizes.append((member, count))
      case .signatureProblem(let problem): signatureProblem = problem
      case .signingTime(let time): signingTime = time
      case .certificate(let summary): certificates.append(summary)
      case .markers(let leaf, let intermediate): markers = (leaf, intermediate)
      case .leaf(let summary): leaf = summary
      case .intermediate(let summary): intermediate = summary
      case .chainProblem(let problem): chainProblem = problem
      case .root(let summary): root = summary
      case .verificationTime(let time): verificationTime = time
      case .messageDigest(let found, let expected): messageDigest = (found, expected)
      case .signingTimeDistance(let seconds, let window): signingTimeDistance = (seconds, window)
      case .publicKeyHash(let hash): publicKeyHash = hash
      case .payloadProblem(let problem): payloadProblem = problem
      case .otherPayment(let code, let factor): otherPayment = OtherPayment(currencyCode: code, factor: factor)
      // Facts that no diagnosis uses.
      case .requestSize, .tokenPlace, .envelopeField, .renamedPart, .tokenSize, .crossCheck, .applicationData:
        continue
      }
    }
  }

  /// Whether the signing time is outside the window. The policy's range of signing times does not matter here.
  var isOutsideWindow: Bool { signingTimeDistance.map { $0.seconds > UInt64($0.window) } ?? false }

  /// Whether the signing time that the token states is more than two years before or after the verification time.
  var isYearsAway: Bool {
    guard let signingTime, let verificationTime else { return false }
    return signingTime.absoluteDistance(to: verificationTime) > 2 * 366 * 86_400
  }

  /// The certificate that is neither leaf nor intermediate, if both are known.
  var otherCertificate: CertificateSummary? {
    guard let leaf, let intermediate else { return nil }
    return certificates.first { ![leaf.fingerprint, intermediate.fingerprint].contains($0.fingerprint) }
  }

  /// A time at which leaf and intermediate are valid: the signing time, or the nearest to it.
  var timeWithinValidity: UnixTime? {
    guard let signingTime, let leaf, let intermediate else { return nil }
    let (first, last) = (max(leaf.notBefore, intermediate.notBefore), min(leaf.notAfter, intermediate.notAfter))
    return first <= last ? min(max(signingTime, first), last) : nil
  }

  /// Whether the leaf's name says that Apple's sandbox signed.
  var isFromSandbox: Bool {
    leaf.map { DecryptedToken.isSandbox(subject: $0.subject.span) } ?? false
  }
}
