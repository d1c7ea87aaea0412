import PaymentToken

extension ReferenceDecryptor {
  /// Stage 5. The rules are in the readers under Signature and, for certificates, in MerchantKeys.
  ///
  /// - Throws: `malformedSignature`.
  static func readSignature(_ fields: TokenFields, trace: inout Trace) throws(TokenFault) -> SignedData {
    trace.begin(.signatureShape)
    let signedData: SignedData
    do {
      signedData = try SignedData(contentInfo: fields.signature, version: fields.version)
    } catch {
      trace.note(.signatureProblem(error.problem))
      throw TokenFault(.malformedSignature)
    }
    trace.note(.signingTime(signedData.signer.attributes.signingTime))
    for certificate in signedData.certificates { trace.note(.certificate(CertificateSummary(certificate))) }
    return signedData
  }
}
