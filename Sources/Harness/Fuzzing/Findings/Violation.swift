import Gateways
import Minting
import PaymentToken

/// A violated property.
public struct Violation: Hashable, Sendable {
  /// Which property was violated.
  public enum Kind: String, CaseIterable, Sendable {
    /// The engines decided differently, or an external program decided differently from them.
    case disagreement
    /// An engine or an external program accepted a token that the test signer never signed.
    case forgery
    /// Both engines agree on a verdict that contradicts the named case.
    case verdict
    /// A rewriting that must not matter changed the verdict.
    case rewriting
    /// The engines exceeded the limit of processor time.
    case slow
    /// The limit of memory was exceeded.
    case memory
    /// A process crashed.
    case crash
    /// A process exceeded the time limit.
    case hang
    /// An engine that reuses results of signature checks decided differently from the complete one.
    case reuse
    /// The first engine decided differently in a history: among other requests, one after the other or in a batch.
    case batch
    /// Secret bytes in text about an input.
    case secret
    /// Two readers of one format disagree: targets that read one layer.
    case readers

    /// Whether samples of this kind are shrunk. A hang would take the full time limit in each attempt. A rewriting, a
    /// secret and a verdict depend on the exact bytes.
    package var isShrunk: Bool { ![.rewriting, .secret, .verdict, .hang].contains(self) }
  }

  public let kind: Kind
  /// The first engine's verdict, or the description of the violation; no content of the input.
  public let first: String
  /// The second engine's verdict, or what was expected.
  public let second: String

  public init(_ kind: Kind, _ first: String, _ second: String) {
    self.kind = kind
    self.first = first
    self.second = second
  }

  /// The identity of a finding: the kind and both verdicts with their stages.
  public var identity: String { "\(kind.rawValue): \(first) / \(second)" }

  /// The identifier of findings with this identity, which is also the name of their folder: the kind, both verdicts,
  /// and six digits of a hash of them.
  public var findingID: String {
    func word(_ text: String) -> String {
      let allowed = text.utf8.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "(") }
      return String(decoding: allowed.filter(\.isLetterOrDigit).prefix(32), as: UTF8.self)
    }
    let digits = Hex.encode(Hashing.sha256(Array(identity.utf8)).prefix(3))
    return [kind.rawValue, word(first), word(second), digits].filter { !$0.isEmpty }.joined(separator: "-")
  }
}
