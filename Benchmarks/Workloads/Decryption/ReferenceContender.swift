import Differential
import PaymentToken
import ReferenceDecryption

extension Contender {
  /// The reference engine.
  static let reference = Contender(
    name: "reference",
    engine: { set throws(EngineError) in try ReferenceDecryptor(keys: set.keys, anchors: set.anchors) },
    opener: { engine, set in
      { token in
        do throws(TokenFault) {
          return try engine.plaintext(of: token, in: set).count
        } catch {
          return nil
        }
      }
    },
    checked: { _, set throws(EngineError) in
      try ReferenceDecryptor(keys: set.keys, anchors: set.anchors, reusing: ResultCache().check)
    })
}
