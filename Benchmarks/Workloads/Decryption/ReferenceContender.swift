import PaymentToken
import ReferenceDecryption

extension Contender {
  /// The textbook engine.
  static let reference = Contender(
    name: "reference",
    engine: { set throws(TrustAnchorError) in try ReferenceDecryptor(keys: set.keys, anchors: set.anchors) },
    opener: { engine, set in
      { token in
        do throws(TokenFault) {
          return try engine.decrypt(token.span, at: set.now, under: set.policy).plaintext.count
        } catch {
          return nil
        }
      }
    })
}
