import MerchantKeys

/// The keys of a merchant whose private key stays in a key service. The certificate contains its public key.
func externalKeys(certificate: [UInt8], agreement: RemoteKeyAgreement) throws -> MerchantKeySet {
  let file = KeyFile(name: "merchant.pem", bytes: certificate)
  let external = try Certificate.all(in: file).map { certificate throws(KeyError) in
    try ExternalECKey(of: certificate, agreement: agreement)
  }
  return try MerchantKeySet(files: [file], externalECKeys: external)
}
