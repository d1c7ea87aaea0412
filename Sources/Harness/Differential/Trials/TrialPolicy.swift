public import Corpus
import PaymentToken

/// A policy as externals understand it.
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
}
