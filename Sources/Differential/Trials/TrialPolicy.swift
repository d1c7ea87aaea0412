public import PaymentToken
import Gateways

/// What is demanded of a token beyond genuineness, in the terms of the line protocol.
public struct TrialPolicy: Hashable, Sendable {
  /// What the token comes in: the name of an envelope, or `auto`.
  public var envelope = "apple"
  /// Whether parts that nobody signed are opened, too.
  public var unsigned = false
  /// What the order says.
  public var expectations = Expectations()
  /// Whether prelude and token are remembered, so that one that comes twice is refused.
  public var replay = false
  /// SHA-256 of certificates or of their public keys.
  public var revoked: [Octets32] = []

  /// The bare token, signed, and no demand.
  public init() {}

  /// The words of `supports` that a program must have said to be asked this.
  public var needs: [String] {
    var words: [String] = []
    if envelope != "apple" { words.append("envelopes") }
    if unsigned { words.append("unsigned") }
    if expectations != Expectations() { words.append("expect") }
    if replay { words.append("replay") }
    if !revoked.isEmpty { words.append("revoked") }
    return words
  }

  /// The same for engines, with a replay store that has seen nothing yet.
  ///
  /// - Parameters:
  ///   - window: in seconds; nil when the signing time does not matter. Without one, replays are not looked for.
  ///   - tokens: how many tokens the store must hold.
  /// - Returns: nil for the name of no envelope.
  public func verificationPolicy(window: UInt32?, tokens: Int) -> VerificationPolicy? {
    guard let selection else { return nil }
    let store = window.flatMap { replay ? MemoryReplayStore(capacity: tokens, longestWindow: $0) : nil }
    return VerificationPolicy(
      envelope: selection, freshness: window.map { .window(seconds: $0, replay: store) } ?? .windowOff,
      revoked: RevokedCertificates(revoked), expectations: expectations)
  }

  private var selection: EnvelopeSelection? {
    envelope == "auto" ? .automatic : Envelope.named(envelope).map { .named($0) }
  }
}
