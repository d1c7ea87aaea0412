import Gateways
import NamedCases
import PaymentToken

extension MintedCase {
  /// The case's policy and window, in seconds, as the line protocol has them; nil for circumstances that it has no words
  /// for: archival mode, a store of limited room, envelopes that are not all of ours, a time before year 0 or after 9999.
  package var words: (policy: VectorPolicy, window: UInt32?)? {
    guard UnixTime(rfc3339: now.rfc3339) == now, let envelope = envelopeName else { return nil }
    var words = VectorPolicy(
      envelope: envelope, unsigned: policy.isUnsigned, expect: policy.expectations, revoked: policy.revoked)
    switch policy.freshness {
    case .signingTime: return nil
    case .windowOff: return (words, nil)
    case .window(let seconds, let capacity):
      words.replay = capacity != nil
      // The store has room for the prelude and the token.
      if let capacity, capacity <= prelude.count { return nil }
      return (words, seconds)
    }
  }

  private var envelopeName: String? {
    switch policy.envelope {
    case .named(let envelope): Envelope.named(envelope.name) == envelope ? envelope.name : nil
    case .automatic(let list): list == Envelope.all ? "auto" : nil
    }
  }
}
