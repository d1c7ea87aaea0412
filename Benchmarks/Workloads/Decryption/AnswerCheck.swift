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
          plaintext = try engine.decrypt(entry.token.span, at: set.now, under: set.policy).plaintext
        } catch {
          throw BenchmarkFailure("the \(contender.name) engine refuses token \(index + 1): \(error)")
        }
        guard plaintext == expected[index] ?? plaintext, opener(entry.token) == plaintext.count else {
          throw BenchmarkFailure("the \(contender.name) engine opens token \(index + 1) to something else")
        }
        expected[index] = plaintext
        guard refuses(opener, entry.token) else {
          throw BenchmarkFailure("the \(contender.name) engine accepts token \(index + 1) when it is altered")
        }
      }
    }
    return expected.map { $0?.count ?? 0 }
  }

  /// An engine that accepts everything would win: one character of the signed part is changed.
  private static func refuses(_ opener: Contender.Opener, _ token: [UInt8]) -> Bool {
    let name = Array("\"data\"".utf8)
    guard let start = token.indices.first(where: { token[$0...].starts(with: name) }) else { return true }
    var altered = token
    let position = start + name.count + 20
    guard altered.indices.contains(position) else { return true }
    altered[position] = altered[position] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    return opener(altered) == nil
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
