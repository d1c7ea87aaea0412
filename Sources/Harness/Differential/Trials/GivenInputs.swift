import Corpus
import Gateways
import HostIO
import MerchantKeys
import Minting
import PaymentToken
import Reports

/// Files that hold a request and nothing else: options say how they are decided.
package struct GivenInputs {
  private let setting: TrialSetting
  private let at: UnixTime
  private let policy: VectorPolicy
  private let namesEnvelope: Bool

  /// - Parameter namesEnvelope: whether the policy's envelope was named; otherwise a file's folder may name it.
  package init(setting: TrialSetting, at: UnixTime, policy: VectorPolicy, namesEnvelope: Bool) {
    self.setting = setting
    self.at = at
    self.policy = policy
    self.namesEnvelope = namesEnvelope
  }

  /// One input, whose right verdict is the first engine's.
  func group(of bytes: [UInt8], path: String) -> TrialGroup {
    var policy = policy
    // The seeds of a corpus lie in folders named by their envelopes.
    let folders = path.split(separator: "/").dropLast().map(String.init)
    if !namesEnvelope, let folder = folders.last(where: { Envelope.named($0) != nil }) { policy.envelope = folder }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return TrialGroup(
      setting: setting,
      trials: [Trial(id: name, name: name, source: path, at: at, policy: policy, token: bytes, expected: nil)])
  }
}

/// Keys that files hold, for `hello`.
package enum GivenKeys {
  /// The private keys in files, each with its certificate, if that is among them.
  ///
  /// - Throws: `CommandError` that names a file that cannot be used.
  package static func read(
    _ paths: [String], merchantIDs: [MerchantIDAssignment]
  ) throws(CommandError) -> [VectorKey] {
    var keys: [(pem: String, file: String)] = []
    var certificates: [String] = []
    for path in paths {
      let blocks = PEMBlocks(String(decoding: try FileReader.wholeFile(path), as: UTF8.self))
      guard !blocks.all.isEmpty else {
        throw CommandError(.noAnswer, "\(Text.harmless(path)) holds no PEM: the line protocol carries nothing else.")
      }
      keys += blocks.keys.map { ($0, path) }
      certificates += blocks.certificates
    }
    return keys.map { key in
      let certificate = certificates.first { belongs($0, to: key.pem) }
      return VectorKey(
        privateKeyPem: key.pem, certificatePem: certificate,
        merchantId: merchantID(merchantIDs, file: key.file, isCertified: certificate != nil))
    }
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
