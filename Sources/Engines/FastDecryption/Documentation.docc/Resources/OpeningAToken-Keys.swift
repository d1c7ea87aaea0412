import MerchantKeys

/// The merchant's key with its payment processing certificate. The caller has read both files, and wipes the key.
func merchantKeys(key: [UInt8], certificate: [UInt8]) throws(KeyError) -> MerchantKeySet {
  try MerchantKeySet(files: [
    KeyFile(name: "merchant.key", bytes: key),
    KeyFile(name: "merchant.pem", bytes: certificate),
  ])
}
