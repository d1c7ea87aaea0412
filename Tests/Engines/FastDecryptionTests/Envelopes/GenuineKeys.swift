import FastDecryption
import MerchantKeys
import PaymentToken
import TestSupport

/// The keys of the genuine tokens, under Apple's root.
enum GenuineKeys {
  static func engine() throws -> FastDecryptor {
    try FastDecryptor(keys: try keys(), anchors: .apple)
  }

  static func keys() throws -> MerchantKeySet {
    var files: [KeyFile] = []
    var assignments: [MerchantIDAssignment] = []
    for token in RealTokens.all {
      guard let key = token.privateKeyPEM else { continue }
      files.append(KeyFile(name: token.name, bytes: key))
      if let certificate = token.certificatePEM {
        files.append(KeyFile(name: token.name + " certificate", bytes: certificate))
      } else if let merchantID = token.merchantID {
        assignments.append(.file(name: token.name, merchantID: merchantID))
      }
    }
    return try MerchantKeySet(files: files, merchantIDs: assignments)
  }
}
