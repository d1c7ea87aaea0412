import Corpus
import Gateways
import HostIO
import Minting
import NamedCases
import PaymentToken

/// Trials made afresh: named cases in an order of the seed's, and sound tokens, by turns.
package enum MintedTrials {
  /// The seed of the corpus.
  package static let corpusSeed = VectorGenerator.seed

  package static func minter(seed: UInt64) throws(CommandError) -> Minter {
    do {
      return try Minter(seed: seed, at: VectorGenerator.time)
    } catch {
      throw CommandError(.internalError, "minting failed: \(error).")
    }
  }

  /// Keys, roots and window of a minter's tokens.
  package static func setting(of minter: Minter, anchors: [[UInt8]], window: UInt32?) -> TrialSetting {
    TrialSetting(
      keys: VectorKey.all(of: minter), rootsPem: anchors.map { PEM.certificate($0) }, windowSeconds: window,
      hasTestKeys: true)
  }

  /// - Parameter count: more than there are cases mints some again, of the next seed.
  package static func make(_ count: Int, seed: UInt64) throws(CommandError) -> [TrialGroup] {
    var groups: [TrialGroup] = []
    var round: UInt64 = 0
    while groups.count < count {
      let minter = try minter(seed: seed &+ round)
      var stream = minter.generator.stream("trials")
      let recipes = CaseRecipe.all.shuffled(using: &stream)
      do {
        for (index, recipe) in recipes.enumerated() where groups.count < count {
          if let group = group(of: try minter.make(recipe), minter) { groups.append(group) }
          if groups.count < count { groups.append(try sound(UInt64(index), minter)) }
        }
      } catch {
        throw CommandError(.internalError, "minting failed: \(error).")
      }
      round += 1
    }
    return groups
  }

  private static func source(_ minter: Minter) -> String { "minted, seed \(minter.seed)" }

  private static func sound(_ index: UInt64, _ minter: Minter) throws(MintingError) -> TrialGroup {
    let token = index.isMultiple(of: 4) ? try minter.mintRSA(index: index) : try minter.mint(index: index)
    return TrialGroup(
      setting: setting(of: minter, anchors: minter.anchors.certificates, window: 300),
      trials: [
        Trial(
          id: "sound-\(index)", name: "sound-\(index)", source: source(minter), comment: "a sound token",
          clauses: [], at: minter.time, token: token.bytes, expected: .accept(plaintext: token.layers.plaintext))
      ])
  }

  /// Nil for circumstances that the line protocol has no words for.
  private static func group(of made: MintedCase, _ minter: Minter) -> TrialGroup? {
    guard let (policy, window) = made.words else { return nil }
    let expected: Trial.Expectation =
      switch made.expected {
      case .accept(let plaintext), .acceptUnsigned(let plaintext): .accept(plaintext: plaintext)
      case .reject(let fault): .reject(fault)
      }
    return TrialGroup(
      setting: setting(of: minter, anchors: made.anchors, window: window),
      trials: [
        Trial(
          id: made.name, name: made.name, source: source(minter), comment: made.note, clauses: [made.clause],
          at: made.now, policy: policy, prelude: made.prelude, token: made.token, expected: expected)
      ])
  }
}
