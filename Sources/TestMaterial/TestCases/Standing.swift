/// How much a wrong verdict matters: the maker of the request, the basis of the right verdict, the severity.
public struct Standing: Hashable, Sendable {
  /// Who can make the request.
  public enum Maker: String, Hashable, Sendable, CaseIterable {
    /// Anybody: a signature, a chain or a marker is missing or wrong.
    case anyone
    /// Whoever holds a genuine token: they choose what no signature covers, such as base64, JSON, BER wrappers, time.
    case holder
    /// Apple alone: payload, signed attributes, certificates.
    case apple
  }

  /// What the expected verdict is based on.
  public enum Basis: Hashable, Sendable {
    /// Apple's "Payment token format reference".
    case apple
    /// A standard and its section: `rfc5652-5.3`.
    case standard(String)
    /// A choice of this project, which other decryptors may make otherwise: what Docs/Verification.md marks **Fixed**,
    /// limits on sizes and depths, envelopes.
    case project

    /// The basis as files write it.
    public var word: String {
      switch self {
      case .apple: "apple"
      case .standard(let section): section
      case .project: "project"
      }
    }

    /// Reads the word; nil for a text that names no standard.
    public init?(word: String) {
      switch word {
      case "apple": self = .apple
      case "project": self = .project
      default:
        let prefixes = ["rfc", "sec1", "sp800-", "fips", "x690-"]
        guard prefixes.contains(where: word.hasPrefix), word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
          return nil
        }
        self = .standard(word)
      }
    }
  }

  /// How severe the wrong verdict is, the worst first.
  public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// A payment that nobody authorised, or with other contents.
    case critical
    /// A protection is missing: keys, replays, revocation, amounts.
    case high
    /// Sound payments are lost.
    case interoperability
    /// What must be refused is accepted, without an effect on a payment.
    case strictness
    /// Both verdicts are acceptable: standards leave it open, or this project goes beyond them.
    case choice

    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
  }

  /// Who can make the request.
  public var maker: Maker
  /// What the expected verdict is based on.
  public var basis: Basis
  /// How severe the wrong verdict is.
  public var severity: Severity

  /// A standing from its parts.
  public init(_ maker: Maker, _ basis: Basis, _ severity: Severity) {
    self.maker = maker
    self.basis = basis
    self.severity = severity
  }

  /// Acceptance of a request that anybody can make: a signature, a chain or a marker is missing or wrong.
  package static let forgery = Standing(.anyone, .apple, .critical)

  /// Whether accepting the request is a forgery: anybody can make it, or whoever holds a genuine token changes its
  /// meaning.
  public var isForgery: Bool { severity == .critical && maker != .apple }
}

extension Standing.Basis {
  /// A section of an RFC.
  package static func rfc(_ number: Int, _ section: String) -> Self { .standard("rfc\(number)-\(section)") }
}
