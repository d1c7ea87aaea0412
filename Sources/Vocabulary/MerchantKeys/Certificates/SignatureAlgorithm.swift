/// The algorithm and parameters of the signature on a certificate (rule 7.2).
package enum SignatureAlgorithm: Hashable, Sendable {
  /// ecdsa-with-SHA256, parameters absent
  case ecdsaWithSHA256
  /// ecdsa-with-SHA384, parameters absent
  case ecdsaWithSHA384
  /// sha256WithRSAEncryption, parameters NULL or absent
  case sha256WithRSA
  /// sha384WithRSAEncryption, parameters NULL or absent
  case sha384WithRSA
  /// Any other algorithm, or one of these with other parameters. It verifies nothing.
  case other

  init(_ identifier: AlgorithmIdentifier) {
    let parameters = identifier.parameters
    let isRSAForm = parameters == nil || parameters?.tag == .null
    switch (identifier.oid, parameters == nil, isRSAForm) {
    case (ObjectIdentifiers.ecdsaWithSHA256, true, _): self = .ecdsaWithSHA256
    case (ObjectIdentifiers.ecdsaWithSHA384, true, _): self = .ecdsaWithSHA384
    case (ObjectIdentifiers.sha256WithRSA, _, true): self = .sha256WithRSA
    case (ObjectIdentifiers.sha384WithRSA, _, true): self = .sha384WithRSA
    default: self = .other
    }
  }
}

/// AlgorithmIdentifier (RFC 5280 section 4.1.1.2): an OID and at most one value (rule 5.10).
package struct AlgorithmIdentifier: Hashable, Sendable {
  /// The contents bytes of the OID.
  package let oid: [UInt8]
  /// The value after the OID, if present.
  package let parameters: DERElement?
  /// The whole TLV.
  package let encoded: ArraySlice<UInt8>
}

extension DERReader {
  /// Reads the next value as an AlgorithmIdentifier.
  package mutating func readAlgorithmIdentifier() throws(DERError) -> AlgorithmIdentifier {
    let sequence = try read(.sequence)
    return try sequence.readAll { (inside) throws(DERError) in
      let oid = try inside.read(.objectIdentifier)
      let parameters = inside.isAtEnd ? nil : try inside.read()
      return AlgorithmIdentifier(oid: Array(oid.contents), parameters: parameters, encoded: sequence.encoded)
    }
  }
}
