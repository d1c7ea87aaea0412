import MerchantKeys

/// The keys of a merchant whose private key is in a key service: the certificate says which public key it is.
func externalKeys(certificate: [UInt8], agreement: RemoteKeyAgreement) throws -> MerchantKeySet {
  let file = KeyFile(name: "merchant.pem", bytes: certificate)
  let external = try Certificate.load(file: file).map { certificate throws(KeyError) in
    try ExternalKey(of: certificate, agreement: agreement)
  }
  return try MerchantKeySet.load(files: [file], external: external)
}
