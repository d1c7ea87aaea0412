import FastDecryption
import MerchantKeys

extension TokenService {
  /// Decrypts with other keys from now on. If the files cannot be used, this throws and the old keys stay.
  func rotate(to files: [KeyFile]) throws(KeyError) {
    pool.replaceEngine(with: pool.engine.replacingKeys(with: try MerchantKeySet(files: files)))
  }
}
