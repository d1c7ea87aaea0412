import CSecrecy
import FastDecryption
import MerchantKeys
import Minting
import NamedCases
import PaymentToken
import TestCases

/// Decrypts tokens with the fast engine while its keys are marked as secrets.
struct SecrecyCheck {
  private let tokens: [SecretToken]
  private let keys: MerchantKeySet
  private let anchors: TrustAnchors
  private var accepted = 0
  private var refused = 0

  /// How many times each kernel opens every token on its own, the first time with cold caches. Then it opens all in one
  /// batch.
  private static let rounds = 2
  private static let now = UnixTime(secondsSinceEpoch: 1_795_000_000)

  /// Keys of chosen scalars, with tokens minted from the seed.
  static func chosenScalars(seed: UInt64) throws -> SecrecyCheck {
    let minter = try Minter(seed: seed, at: now)
    let pairs = try ChosenScalars.keys()
    let sources = try pairs.map { pair in
      MerchantKeySource(privateKey: try pair.privateKey(), merchantID: minter.merchants[0].identifier)
    }
    return SecrecyCheck(try SecretToken.forKeys(pairs, minter), try MerchantKeySet(sources), minter.anchors)
  }

  /// The minter's own keys, of both versions, with its named cases.
  static func mintedKeys(seed: UInt64) throws -> SecrecyCheck {
    let minter = try Minter(seed: seed, at: now)
    return SecrecyCheck(try SecretToken.cases(minter), try minter.merchantKeySet(), minter.anchors)
  }

  private init(_ tokens: [SecretToken], _ keys: MerchantKeySet, _ anchors: TrustAnchors) {
    (self.tokens, self.keys, self.anchors) = (tokens, keys, anchors)
    for index in 0..<keys.count where keys[index].version == .ecV1 {
      // Scalars are marked after the keys are loaded. The engine marks the result of an RSA key's private operation.
      keys.withScalar(at: index) { assay_mark_secret($0.baseAddress, $0.count) }
    }
  }

  /// Plants a leak of the scalar of the first key, or leaves plaintexts marked as secrets.
  func execute(_ plant: Plant) {
    keys.withScalar(at: 0) { plant.execute(on: $0) }
  }

  /// Decrypts everything; returns the names of the tokens with a wrong verdict.
  mutating func decryptAll() -> [String] {
    P256Kernel.allCases.flatMap { kernel in
      // Valgrind does not know the instructions of native kernels over lanes, so their emulations run instead.
      P256Kernel(rawValue: "\(kernel.rawValue)-emulated") != nil ? [] : decryptAll(by: kernel)
    }
  }

  private mutating func decryptAll(by kernel: P256Kernel) -> [String] {
    guard let engine = try? FastDecryptor(keys: keys, anchors: anchors, kernel: kernel, tables: .atOnce),
      engine.kernel == kernel, var workspace = Workspace()
    else { return ["no engine"] }
    var wrong: [String] = []
    for _ in 0..<Self.rounds {
      for token in tokens where !token.hasShortSecret {
        let verdict = Self.verdict(on: token, by: engine, in: &workspace)
        if verdict != token.expected { wrong.append(token.name) }
        count(verdict)
      }
    }
    let batch = tokens.filter { kernel.hasAgreementLanes || !$0.hasShortSecret }
    for (token, verdict) in zip(batch, batchVerdicts(on: batch, by: engine)) {
      if verdict != token.expected { wrong.append("\(token.name), in a batch") }
      count(verdict)
    }
    return wrong
  }

  private mutating func count(_ verdict: TestVerdict) {
    if case .accept = verdict { accepted += 1 } else { refused += 1 }
  }

  private func batchVerdicts(on tokens: [SecretToken], by engine: FastDecryptor) -> [TestVerdict] {
    engine.decryptBatch(tokens.map(\.bytes), at: Self.now, under: VerificationPolicy()).map { result in
      switch result {
      case .success(let token): .accept(plaintext: token.plaintext)
      case .failure(let fault): .reject(fault)
      }
    }
  }

  private static func verdict(
    on token: SecretToken, by engine: FastDecryptor, in workspace: inout Workspace
  ) -> TestVerdict {
    do {
      let plaintext = try engine.decrypt(
        token.bytes.span, at: now, under: VerificationPolicy(), in: &workspace
      ) { opened throws(TokenFault) in try opened.copy().plaintext }
      return .accept(plaintext: plaintext)
    } catch {
      return .reject(error)
    }
  }

  var summary: String {
    "\(tokens.count) tokens of \(keys.count) keys, \(Self.rounds) times and in a batch: \(accepted) accepted, \(refused) refused"
  }
}

extension P256Kernel {
  /// Whether the kernel computes key agreements itself. Those of libcrypto take a time that depends on a short Z.
  fileprivate var hasAgreementLanes: Bool { agreementKernel == rawValue }
}
