import Benchmarking
import FastDecryption
import Minting
import PaymentToken

/// Sound tokens, and every kind of forged one that needs no circumstances of its own.
final class HostileTokens {
  /// A forged token and what it must be refused with.
  struct Forgery {
    let name: String
    let token: [UInt8]
    let fault: TokenFault
  }

  /// Sound tokens with what opens them, the forged ones too.
  let sound: TokenSet
  /// The lengths of the sound ones' plaintexts.
  let lengths: [Int]
  /// Refused before certificates are read, or after those that came along were known: what an engine is warm for.
  let warm: [Forgery]
  /// Refused over their certificates, which nobody has seen before and nobody remembers: the side lane.
  let cold: [Forgery]

  /// - Throws: `BenchmarkFailure` when minting fails, or the fast engine decides otherwise than it must.
  init(seed: UInt64) throws(BenchmarkFailure) {
    sound = try TokenSet.minted(seed: seed)
    lengths = try AnswerCheck.run(Contender.all, on: sound)
    let forgeries = try Self.mint(seed: seed)
    warm = forgeries.filter { !Self.isColdLane($0.fault.stage) }
    cold = forgeries.filter { Self.isColdLane($0.fault.stage) }
    try check(warm + cold)
  }

  /// Certificates are read and verified in these stages.
  private static func isColdLane(_ stage: VerificationStage) -> Bool {
    [.signatureShape, .certificates, .chain].contains(stage)
  }

  private static func mint(seed: UInt64) throws(BenchmarkFailure) -> [Forgery] {
    do {
      let minter = try Minter(seed: seed, at: TokenSet.mintingTime)
      var forgeries: [Forgery] = []
      for recipe in CaseRecipe.all {
        guard case .reject = recipe.expected else { continue }
        let minted = try minter.make(recipe)
        guard minted.isSingleToken, minted.version == .ecV1, case .reject(let fault) = minted.expected else { continue }
        forgeries.append(Forgery(name: minted.name, token: minted.token, fault: fault))
      }
      return forgeries
    } catch {
      throw BenchmarkFailure("the forged tokens could not be minted: \(error)")
    }
  }

  private func check(_ forgeries: [Forgery]) throws(BenchmarkFailure) {
    let engine = try Contender.fast.makeEngine(for: sound)
    for forgery in forgeries {
      do throws(TokenFault) {
        _ = try engine.decrypt(forgery.token.span, at: sound.now, under: sound.policy)
      } catch {
        guard error == forgery.fault else {
          throw BenchmarkFailure("the fast engine refuses \(forgery.name) with \(error.code.rawValue)")
        }
        continue
      }
      throw BenchmarkFailure("the fast engine accepts \(forgery.name)")
    }
  }

  /// The one of some forgeries that takes the fast engine longest, each timed a few times.
  func costliest(of forgeries: [Forgery]) throws(BenchmarkFailure) -> Forgery {
    let open = Contender.fast.opener(try Contender.fast.makeEngine(for: sound), sound)
    var costliest: (forgery: Forgery, time: UInt64)?
    for forgery in forgeries {
      var fastest = UInt64.max
      for _ in 0..<Self.trials {
        let start = MonotonicClock.nanoseconds
        _ = open(forgery.token)
        fastest = min(fastest, MonotonicClock.nanoseconds - start)
      }
      if fastest > costliest?.time ?? 0 { costliest = (forgery, fastest) }
    }
    guard let costliest else { throw BenchmarkFailure("there are no such forgeries") }
    return costliest.forgery
  }

  private static let trials = 12
}
