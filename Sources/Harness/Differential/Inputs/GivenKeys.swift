import HostIO
import MerchantKeys
import PaymentToken
import Reports
import TestCases

/// Reads the keys for `hello` from files.
package enum GivenKeys {
  /// The private keys in files, each with its certificate if the files contain it.
  ///
  /// - Throws: `CommandError` that names a file that cannot be used.
  package static func read(
    _ paths: [String], merchantIDs: [MerchantIDAssignment]
  ) throws(CommandError) -> [TestKey] {
    var keys: [(pem: String, file: String)] = []
    var certificates: [String] = []
    for path in paths {
      let blocks = PEMBlocks(String(streamSafe: try FileReader.wholeFile(path)))
      guard !blocks.all.isEmpty else {
        throw CommandError(.noAnswer, "\(Text.harmless(path)) holds no PEM, the only format of the line protocol.")
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

  /// Whether the certificate and the key load as a pair.
  private static func belongs(_ certificate: String, to key: String) -> Bool {
    do throws(KeyError) {
      _ = try MerchantKeySet(files: [key, certificate].map { KeyFile(name: "key", bytes: Array($0.utf8)) })
      return true
    } catch {
      // A certificate without Apple's extension still belongs to its key.
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

/// The PEM blocks of a text (RFC 7468), with line feeds as line ends and without empty lines.
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
