import Corpus
import Differential
import HostIO
import MerchantKeys
import Minting
import PaymentToken

extension GivenInputs {
  /// Without keys, those that the corpus is minted with, at its time and under its root.
  ///
  /// - Throws: `CommandError` that names a file that cannot be used.
  init(_ options: DiffOptions) throws(CommandError) {
    let verification = options.verification
    let policy = try Self.policy(options)
    let namesEnvelope = options.envelope != nil
    guard verification.keyFiles.isEmpty else {
      let now = Verifier.now(verification)
      self.init(setting: try Self.setting(verification), at: now, policy: policy, namesEnvelope: namesEnvelope)
      return
    }
    let minter = try MintedTrials.minter(seed: MintedTrials.corpusSeed)
    self.init(
      setting: MintedTrials.setting(of: minter, anchors: minter.anchors.certificates, window: verification.window),
      at: verification.time == .now ? minter.time : Verifier.now(verification), policy: policy,
      namesEnvelope: namesEnvelope)
  }

  private static func policy(_ options: DiffOptions) throws(CommandError) -> VectorPolicy {
    let verification = options.verification
    return VectorPolicy(
      envelope: options.envelope ?? "apple", unsigned: verification.allowsUnsigned,
      expect: verification.expectations, revoked: try Verifier.revokedDigests(verification.revokedFile))
  }

  private static func setting(_ options: VerificationOptions) throws(CommandError) -> TrialSetting {
    let keys = try GivenKeys.read(
      options.keyFiles + options.certificateFiles,
      merchantIDs: options.merchantIDs.map { MerchantIDAssignment(argument: $0) })
    return TrialSetting(
      keys: keys, rootsPem: try Verifier.anchors(options).certificates.map { PEM.certificate($0) },
      windowSeconds: options.window, hasTestKeys: keys.allSatisfy(TestKeys.isWorthless))
  }
}

extension EngineName {
  /// The engine among the contenders.
  var contender: EngineContender {
    EngineContender(name: "assay \(rawValue)") { (keys, anchors) throws(TrustAnchorError) in
      try make(keys: keys, anchors: anchors)
    }
  }
}
