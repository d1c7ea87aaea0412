import FastDecryption
import MerchantKeys

extension TokenService {
  /// Decrypts with other keys from now on. If the files cannot be used, this throws and the old keys stay.
  func rotate(to files: [KeyFile]) throws(KeyError) {
    pool.replace(by: pool.engine.with(keys: try MerchantKeySet.load(files: files)))
  }
}
