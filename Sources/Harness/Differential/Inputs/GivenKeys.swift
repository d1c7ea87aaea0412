import HostIO
import MerchantKeys
import Reports
import TestCases

/// Keys that files hold, for `hello`.
package enum GivenKeys {
  /// The private keys in files, each with its certificate, if that is among them.
  ///
  /// - Throws: `CommandError` that names a file that cannot be used.
  package static func read(
    _ paths: [String], merchantIDs: [MerchantIDAssignment]
  ) throws(CommandError) -> [TestKey] {
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
      return TestKey(
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
