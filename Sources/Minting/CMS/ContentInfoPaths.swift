/// Where things are in the ContentInfo that `TokenSigner` writes.
extension ASN1Node {
  /// ContentInfo's [0].
  var explicitContent: ASN1Node {
    get { self[1] }
    set { self[1] = newValue }
  }

  /// version, digestAlgorithms, encapContentInfo, certificates, signerInfos.
  var signedData: ASN1Node {
    get { explicitContent[0] }
    set { explicitContent[0] = newValue }
  }

  var digestAlgorithms: ASN1Node {
    get { signedData[1] }
    set { signedData[1] = newValue }
  }

  var encapsulated: ASN1Node {
    get { signedData[2] }
    set { signedData[2] = newValue }
  }

  var certificates: ASN1Node {
    get { signedData[3] }
    set { signedData[3] = newValue }
  }

  var signerInfos: ASN1Node {
    get { signedData[4] }
    set { signedData[4] = newValue }
  }

  /// version, signer identifier, digestAlgorithm, signed attributes, signatureAlgorithm, signature.
  var signerInfo: ASN1Node {
    get { signerInfos[0] }
    set { signerInfos[0] = newValue }
  }
}
