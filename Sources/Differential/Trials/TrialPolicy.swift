public import Corpus
import Gateways
public import PaymentToken

/// A policy as externals and engines understand it.
extension VectorPolicy {
  /// The words of `supports` that a program must have said to be asked this.
  public var needs: [String] {
    var words: [String] = []
    if envelope != "apple" { words.append("envelopes") }
    if unsigned { words.append("unsigned") }
    if expect != Expectations() { words.append("expect") }
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
      revoked: RevokedCertificates(revoked), expectations: expect)
  }

  private var selection: EnvelopeSelection? {
    envelope == "auto" ? .automatic : Envelope.named(envelope).map { .named($0) }
  }
}
