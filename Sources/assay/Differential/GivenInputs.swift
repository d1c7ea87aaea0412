import Corpus
import Differential
import Gateways
import HostIO
import MerchantKeys
import Minting
import PaymentToken
import Reports

/// Files that hold a request and nothing else: options say how they are decided.
struct GivenInputs {
  private let setting: TrialSetting
  private let at: UnixTime
  private let policy: VectorPolicy
  private let namesEnvelope: Bool

  /// Without keys, those that the corpus is minted with, at its time and under its root.
  ///
  /// - Throws: `CommandError` that names a file that cannot be used.
  init(_ options: DiffOptions) throws(CommandError) {
    let verification = options.verification
    policy = try Self.policy(options)
    namesEnvelope = options.envelope != nil
    guard verification.keyFiles.isEmpty else {
      at = Verifier.now(verification)
      setting = try Self.setting(verification)
      return
    }
    let minter = try MintedTrials.minter(seed: MintedTrials.corpusSeed)
    at = verification.time == .now ? minter.time : Verifier.now(verification)
    setting = MintedTrials.setting(of: minter, anchors: minter.anchors.certificates, window: verification.window)
  }

  /// One input, whose right verdict is the first engine's.
  func group(of bytes: [UInt8], path: String) throws(CommandError) -> TrialGroup {
    var policy = policy
    // The seeds of a corpus lie in folders named by their envelopes.
    let folders = path.split(separator: "/").dropLast().map(String.init)
    if !namesEnvelope, let folder = folders.last(where: { Envelope.named($0) != nil }) { policy.envelope = folder }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return TrialGroup(
      setting: setting,
      trials: [Trial(id: name, name: name, source: path, at: at, policy: policy, token: bytes, expected: nil)])
  }

  private static func policy(_ options: DiffOptions) throws(CommandError) -> VectorPolicy {
    let verification = options.verification
    return VectorPolicy(
      envelope: options.envelope ?? "apple", unsigned: verification.allowsUnsigned,
      expect: verification.expectations, revoked: try Verifier.revokedDigests(verification.revokedFile))
  }

  private static func setting(_ options: VerificationOptions) throws(CommandError) -> TrialSetting {
    var keys: [(pem: String, file: String)] = []
    var certificates: [String] = []
    for path in options.keyFiles + options.certificateFiles {
      let blocks = PEMBlocks(String(decoding: try FileReader.wholeFile(path), as: UTF8.self))
      guard !blocks.all.isEmpty else {
        throw CommandError(.noAnswer, "\(Text.harmless(path)) holds no PEM: the line protocol carries nothing else.")
      }
      keys += blocks.keys.map { ($0, path) }
      certificates += blocks.certificates
    }
    let assignments = options.merchantIDs.map { MerchantIDAssignment(argument: $0) }
    let paired = keys.map { key in
      let certificate = certificates.first { belongs($0, to: key.pem) }
      return VectorKey(
        privateKeyPem: key.pem, certificatePem: certificate,
        merchantId: merchantID(assignments, file: key.file, isCertified: certificate != nil))
    }
    return TrialSetting(
      keys: paired, rootsPem: try Verifier.anchors(options).certificates.map { PEM.certificate($0) },
      windowSeconds: options.window, hasTestKeys: paired.allSatisfy(TestKeys.isWorthless))
  }

  /// Whether both load together.
  private static func belongs(_ certificate: String, to key: String) -> Bool {
    do throws(KeyError) {
      _ = try MerchantKeySet.load(files: [key, certificate].map { KeyFile(name: "key", bytes: Array($0.utf8)) })
      return true
    } catch {
      // A certificate without Apple's extension belongs to its key all the same.
      return error.code == .missingMerchantID
    }
  }

  private static func merchantID(
    _ assignments: [MerchantIDAssignment], file: String, isCertified: Bool
  ) -> String? {
    for assignment in assignments {
      switch assignment {
      case .file(file, let merchantID): return merchantID
      case .uncertified(let merchantID) where !isCertified: return merchantID
      default: continue
      }
    }
    return nil
  }
}

/// The blocks of a text in PEM (RFC 7468), each as it stands.
struct PEMBlocks {
  let all: [String]

  init(_ text: String) {
    var blocks: [String] = []
    var block: [Substring] = []
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("-----BEGIN ") { block = [] }
      block.append(line)
      guard line.hasPrefix("-----END "), block[0].hasPrefix("-----BEGIN ") else { continue }
      blocks.append(block.joined(separator: "\n") + "\n")
      block = []
    }
    all = blocks
  }

  var keys: [String] { all.filter { $0.hasPrefix("-----BEGIN ") && $0.prefix { $0 != "\n" }.contains("PRIVATE KEY") } }
  var certificates: [String] { all.filter { $0.hasPrefix("-----BEGIN CERTIFICATE-----") } }
}
