import CSecrecy
import FastDecryption
import MerchantKeys
import Minting
import PaymentToken

/// Tokens decrypted by the fast engine while its keys are marked as secrets.
struct SecrecyCheck {
  private let tokens: [SecretToken]
  private let keys: MerchantKeySet
  private let anchors: TrustAnchors
  private var accepted = 0
  private var refused = 0

  /// Every token is opened so many times: the first time with cold caches.
  private static let rounds = 2
  private static let now = UnixTime(secondsSinceEpoch: 1_795_000_000)

  /// Mints from a seed: tokens for chosen scalars, and also the named cases unless `isShort`.
  init(seed: UInt64, isShort: Bool) throws {
    let minter = try Minter(seed: seed, at: Self.now)
    let merchant = minter.merchants[0]
    let chosen = try ChosenScalars.keys()
    var sources: [MerchantKeySource] = []
    for owner in minter.merchants {
      for key in owner.keys { sources.append(try Self.source(key.pair, owner.identifier)) }
    }
    for pair in chosen { sources.append(try Self.source(pair, merchant.identifier)) }
    keys = try MerchantKeySet(sources)
    anchors = minter.anchors
    tokens = try SecretToken.forKeys(chosen, minter) + (isShort ? [] : SecretToken.cases(minter))
  }

  private static func source(_ pair: KeyPair, _ identifier: String) throws -> MerchantKeySource {
    let key = try pair.scalar.withUnsafeBytes { octets in try PrivateKey(scalar: octets) }
    return MerchantKeySource(privateKey: key, merchantID: identifier)
  }

  /// The scalars in the guarded slab become secrets, after all that loading did with them.
  func markScalars() {
    for index in 0..<keys.count {
      keys.withScalar(at: index) { assay_mark_secret($0.baseAddress, $0.count) }
    }
  }

  /// Does what no code of ours may do, with the scalar of the first key, or lets the plaintext stay a secret.
  func execute(_ plant: Plant) {
    keys.withScalar(at: 0) { plant.execute(on: $0) }
  }

  /// Decrypts everything; returns the names of the tokens with a wrong verdict.
  mutating func decryptAll() -> [String] {
    guard let engine = try? FastDecryptor(keys: keys, anchors: anchors), var workspace = Workspace() else {
      return ["no engine"]
    }
    var wrong: [String] = []
    for _ in 0..<Self.rounds {
      for token in tokens {
        let verdict = Self.verdict(on: token, by: engine, in: &workspace)
        if verdict != token.expected { wrong.append(token.name) }
        if case .accept = verdict { accepted += 1 } else { refused += 1 }
      }
    }
    return wrong
  }

  private static func verdict(
    on token: SecretToken, by engine: FastDecryptor, in workspace: inout Workspace
  ) -> MintedVerdict {
    do {
      let plaintext = try engine.decrypt(
        token.bytes.span, at: now, under: VerificationPolicy(), in: &workspace
      ) { opened throws(TokenFault) in try opened.copy().plaintext }
      return .accept(plaintext: plaintext)
    } catch {
      return .reject(error)
    }
  }

  /// What was done.
  var summary: String {
    "\(tokens.count) tokens of \(keys.count) keys, \(Self.rounds) times: \(accepted) accepted, \(refused) refused"
  }
}
