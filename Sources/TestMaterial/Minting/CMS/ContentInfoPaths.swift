/// The parts of the ContentInfo that `TokenSigner` writes.
extension ASN1Node {
  /// version, digestAlgorithms, encapContentInfo, certificates, signerInfos.
  package var signedData: ASN1Node {
    get { self[1][0] }
    set { self[1][0] = newValue }
  }

  package var digestAlgorithms: ASN1Node {
    get { signedData[1] }
    set { signedData[1] = newValue }
  }

  package var encapsulated: ASN1Node {
    get { signedData[2] }
    set { signedData[2] = newValue }
  }

  package var certificates: ASN1Node {
    get { signedData[3] }
    set { signedData[3] = newValue }
  }

  package var signerInfos: ASN1Node {
    get { signedData[4] }
    set { signedData[4] = newValue }
  }

  /// version, signer identifier, digestAlgorithm, signed attributes, signatureAlgorithm, signature.
  package var signerInfo: ASN1Node {
    get { signerInfos[0] }
    set { signerInfos[0] = newValue }
  }
}
