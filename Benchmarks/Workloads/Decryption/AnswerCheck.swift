import Benchmarking
import PaymentToken

/// Every contender's answer is checked before any is timed: a fast wrong answer is worth nothing.
enum AnswerCheck {
  /// Opens every token with every engine; the plaintexts must be the same, and the one minted where that is known.
  ///
  /// - Returns: the length of each plaintext.
  /// - Throws: `BenchmarkFailure` with the engine's name and the token's number.
  static func run(_ contenders: [Contender], on set: TokenSet) throws(BenchmarkFailure) -> [Int] {
    guard !set.entries.isEmpty else { throw BenchmarkFailure("there are no tokens to measure with") }
    var expected = set.entries.map(\.plaintext)
    for contender in contenders {
      let engine = try contender.makeEngine(for: set)
      let opener = contender.opener(engine, set)
      for (index, entry) in set.entries.enumerated() {
        let plaintext: [UInt8]
        do throws(TokenFault) {
          plaintext = try engine.plaintext(of: entry.token, in: set)
        } catch {
          throw BenchmarkFailure("the \(contender.name) engine refuses token \(index + 1): \(error)")
        }
        guard plaintext == expected[index] ?? plaintext, opener(entry.token) == plaintext.count else {
          throw BenchmarkFailure("the \(contender.name) engine opens token \(index + 1) to something else")
        }
        expected[index] = plaintext
        // An engine that accepts everything would win.
        guard entry.altered.flatMap(opener) == nil else {
          throw BenchmarkFailure("the \(contender.name) engine accepts token \(index + 1) when it is altered")
        }
      }
    }
    return expected.map { $0?.count ?? 0 }
  }
}

extension Contender {
  func makeEngine(for set: TokenSet) throws(BenchmarkFailure) -> any TokenDecryptor {
    do {
      return try engine(set)
    } catch {
      throw BenchmarkFailure("the \(name) engine refuses root \(error.index + 1)")
    }
  }
}

extension TokenDecryptor {
  /// Opens a token as its set is to be opened.
  func plaintext(of token: [UInt8], in set: TokenSet) throws(TokenFault) -> [UInt8] {
    guard set.isUnsigned else { return try decrypt(token.span, at: set.now, under: set.policy).plaintext }
    switch try decryptUnsigned(token.span, at: set.now, under: set.policy) {
    case .unsigned(let opened): return opened.plaintext
    // Without a signature none can have been verified.
    case .signed: throw TokenFault(.signatureMismatch)
    }
  }
}
