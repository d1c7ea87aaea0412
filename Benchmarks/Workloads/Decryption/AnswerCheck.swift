import Benchmarking
import PaymentToken

/// Checks the answers of all contenders before anything is timed.
enum AnswerCheck {
  /// Decrypts every token with every engine. The plaintexts must be equal, and equal to the minted one if it is known.
  ///
  /// - Returns: the length of each plaintext.
  /// - Throws: `BenchmarkFailure` with the engine's name and the token's number, or that there are no tokens.
  static func run(_ contenders: [Contender], on set: TokenSet) throws(BenchmarkFailure) -> [Int] {
    guard !set.entries.isEmpty else { throw BenchmarkFailure("there are no tokens to measure with") }
    var expected = set.entries.map(\.plaintext)
    for contender in contenders {
      let engine = try contender.makeEngine(for: set)
      // The engine that is timed gets every token, but the altered forms of the first token alone. The other altered
      // forms go to `Contender.checked`, which is faster for the reference engine.
      let timed = contender.opener(engine, set)
      let checked = contender.opener(try contender.checked(engine, for: set), set)
      for (index, entry) in set.entries.enumerated() {
        let opener = index == 0 ? timed : checked
        let plaintext: [UInt8]
        do throws(TokenFault) {
          plaintext = try engine.plaintext(of: entry.token, in: set)
        } catch {
          throw BenchmarkFailure("the \(contender.name) engine refuses token \(index + 1): \(error)")
        }
        guard plaintext == expected[index] ?? plaintext, opener(entry.token) == plaintext.count else {
          throw BenchmarkFailure("the \(contender.name) engine decrypts token \(index + 1) to another plaintext")
        }
        expected[index] = plaintext
        // Otherwise an engine that accepts everything would be the fastest.
        guard entry.altered.flatMap(opener) == nil else {
          throw BenchmarkFailure("the \(contender.name) engine accepts token \(index + 1) when it is altered")
        }
        guard entry.forged.flatMap(opener) == nil else {
          throw BenchmarkFailure("the \(contender.name) engine accepts token \(index + 1) with a forged signature")
        }
      }
    }
    return expected.map { $0?.count ?? 0 }
  }
}

extension TokenDecryptor {
  /// Decrypts a token with the policy of its set.
  func plaintext(of token: [UInt8], in set: TokenSet) throws(TokenFault) -> [UInt8] {
    guard set.isUnsigned else { return try decrypt(token.span, at: set.now, under: set.policy).plaintext }
    switch try decryptAllowingUnsigned(token.span, at: set.now, under: set.policy) {
    case .unsigned(let opened): return opened.plaintext
    // An unsigned token cannot give a signed result.
    case .signed: throw TokenFault(.signatureMismatch)
    }
  }
}
