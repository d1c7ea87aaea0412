import COpenSSL
package import PaymentToken

/// The values that a verification computes, each set once the stages that yield it have passed. With them, test vectors
/// can test single steps of another decryptor.
///
/// They include the symmetric key, so use them only with test keys.
package struct IntermediateValues: Hashable, Sendable {
  /// 8.1: the bytes that Apple signed.
  package fileprivate(set) var signedContent: [UInt8]?
  /// 6.1: the signer's certificate, DER.
  package fileprivate(set) var leaf: [UInt8]?
  /// The hash of the merchant's key that the token names, whether or not this key is loaded.
  package fileprivate(set) var publicKeyHash: Bytes32?
  /// The AES key; nil where unwrapping fails.
  package fileprivate(set) var symmetricKey: [UInt8]?
}

extension ReferenceDecryptor {
  /// Verifies like `decrypt`, or `decryptAllowingUnsigned`, up to stage 11, and returns the values computed before the
  /// first fault.
  package func intermediateValues(
    of request: [UInt8], isUnsigned: Bool, at now: UnixTime, under policy: VerificationPolicy
  ) -> IntermediateValues {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    var values = IntermediateValues()
    do throws(TokenFault) {
      let sealed = try readSignedPart(
        of: request, isUnsigned: isUnsigned, at: now, under: policy, into: &values)
      try readKeys(sealed, into: &values)
    } catch {
      // The fault ends the computation; `decrypt` reports it.
    }
    return values
  }

  /// Stages 0 to 9.
  private func readSignedPart(
    of request: [UInt8], isUnsigned: Bool, at now: UnixTime, under policy: VerificationPolicy,
    into values: inout IntermediateValues
  ) throws(TokenFault) -> SealedFields {
    var trace = Trace()
    let extracted = try Self.extract(request.span, from: policy.envelope, trace: &trace)
    if isUnsigned, let parts = extracted.unsignedParts {
      let sealed = try Self.readUnsignedFields(
        parts, remembersTransactions: policy.freshness.remembersTransactions, trace: &trace)
      values.publicKeyHash = sealed.publicKeyHash
      return sealed
    }
    let fields = try Self.readFields(extracted.content, in: request.span, trace: &trace)
    values.signedContent = fields.signedContent
    values.publicKeyHash = fields.sealed.publicKeyHash
    let signedData = try Self.readSignature(fields, trace: &trace)
    values.leaf = try Self.selectCertificates(of: signedData, roots: roots, trace: &trace).leaf.der
    try verify(fields, at: now, under: policy, trace: &trace)
    return fields.sealed
  }

  /// Stages 10 and 11.
  private func readKeys(_ fields: SealedFields, into values: inout IntermediateValues) throws(TokenFault) {
    var trace = Trace()
    let index = try Self.findMerchantKey(fields, in: keys, trace: &trace)
    switch fields.version.rules.keyTransport {
    case .ephemeral:
      values.symmetricKey = Self.bytes(try Self.deriveSymmetricKey(fields, from: keys, at: index, trace: &trace))
    case .wrapped:
      // 11.5: where unwrapping fails, the key is random, so two attempts give different keys.
      var attempts: [[UInt8]] = []
      for _ in 0..<2 {
        attempts.append(Self.bytes(try Self.unwrapSymmetricKey(fields, from: keys, at: index, trace: &trace)))
      }
      if attempts[0] == attempts[1] { values.symmetricKey = attempts[0] }
    }
  }

  private static func bytes(_ secret: WipedBytes) -> [UInt8] {
    defer { secret.wipe() }
    return Array(secret.all)
  }
}
