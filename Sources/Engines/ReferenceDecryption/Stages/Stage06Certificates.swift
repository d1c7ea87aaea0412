import MerchantKeys
import PaymentToken

/// The two certificates of a CMS that the chain is built from.
struct SignerCertificates {
  let leaf: Certificate
  let intermediate: Certificate
}

extension ReferenceDecryptor {
  /// Stage 6.
  ///
  /// - Throws: `missingLeafMarker`, `missingIntermediateMarker`, `unexpectedCertificate`, `signerMismatch`.
  static func selectCertificates(
    of signedData: SignedData, roots: [Certificate], trace: inout Trace
  ) throws(TokenFault) -> SignerCertificates {
    trace.begin(.certificates)
    let all = signedData.certificates
    // 6.1
    let leaves = all.indices.filter { all[$0].carries(ObjectIdentifiers.appleLeafMarker) }
    let intermediates = all.indices.filter { all[$0].carries(ObjectIdentifiers.appleIntermediateMarker) }
    trace.note(.markers(leaf: leaves.count, intermediate: intermediates.count))
    guard leaves.count == 1 else { throw TokenFault(.missingLeafMarker) }
    // 6.2
    guard intermediates.count == 1, intermediates != leaves else { throw TokenFault(.missingIntermediateMarker) }
    let (leaf, intermediate) = (all[leaves[0]], all[intermediates[0]])
    trace.note(.leaf(CertificateSummary(leaf)))
    trace.note(.intermediate(CertificateSummary(intermediate)))
    // 6.3
    let others = all.indices.filter { !leaves.contains($0) && !intermediates.contains($0) }
    // With three certificates at most (5.8), one is left at most.
    guard others.count <= 1, others.allSatisfy({ other in roots.contains { $0.der == all[other].der } }) else {
      throw TokenFault(.unexpectedCertificate)
    }
    // 6.4
    guard names(signedData.signer.identifier, leaf) else { throw TokenFault(.signerMismatch) }
    return SignerCertificates(leaf: leaf, intermediate: intermediate)
  }

  private static func names(_ identifier: SignerIdentifier, _ leaf: Certificate) -> Bool {
    switch identifier {
    case .issuerAndSerialNumber(let issuer, let serialNumber):
      issuer == leaf.issuer && serialNumber == leaf.serialNumber
    case .subjectKeyIdentifier(let identifier):
      identifier == leaf.subjectKeyIdentifier
    }
  }
}

extension Certificate {
  /// Whether the certificate has an extension with this OID, of any value and criticality.
  fileprivate func carries(_ oid: [UInt8]) -> Bool { extensions.contains { $0.oid == oid } }
}
