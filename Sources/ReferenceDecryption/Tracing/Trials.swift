import COpenSSL
package import PaymentToken

/// What-if questions about a refused token. Their answers are a yes or a no, never a verdict and never a plaintext.
extension ReferenceDecryptor {
  /// Whether the EC_v1 key at `index` opens the token if the merchant ID is the one of this hash.
  ///
  /// - Parameters:
  ///   - index: the key's position in the set the engine was made with.
  ///   - merchantIDHash: party-V info in place of the key's own.
  package func opens(_ token: Span<UInt8>, withKeyAt index: Int, merchantIDHash: Octets32) -> Bool {
    var trace = Trace()
    guard keys[index].version == .ecV1, token.count <= ReferenceDecryptor.largestToken,
      let fields = try? ReferenceDecryptor.decodedFields(token, trace: &trace), fields.version == .ecV1
    else { return false }
    let point = fields.ephemeralPublicKey.suffix(1 + 2 * KeyAgreement.size)
    guard KeyAgreement.isOnCurve(point),
      let secret = keys.withScalar(at: index, { KeyAgreement.sharedSecret(scalar: $0, point: point) })
    else { return false }
    defer { secret.wipe() }
    let key = KeyAgreement.derivedKey(sharedSecret: secret, merchantIDHash: merchantIDHash)
    defer { key.wipe() }
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard let plaintext = AuthenticatedDecryption.open(fields.data, key: key) else { return false }
    plaintext.wipe()
    return true
  }

  /// The digest that Apple's signature would hold if the token's application data were `applicationData` (rule 8.1).
  ///
  /// - Returns: nil when the token does not pass stages 2 to 4.
  package func signedDigest(
    of token: Span<UInt8>, withApplicationData applicationData: Octets32?
  ) -> Octets32? {
    var trace = Trace()
    guard let fields = try? ReferenceDecryptor.decodedFields(token, trace: &trace) else { return nil }
    return SHA256.digest(fields.signedContent(withApplicationData: applicationData))
  }

  /// Stages 2 to 4.
  private static func decodedFields(
    _ token: Span<UInt8>, trace: inout Trace
  ) throws(TokenFault) -> TokenFields {
    let document = try readJSON(WipedBytes(token), trace: &trace)
    return try decodeMembers(readShape(document, trace: &trace), trace: &trace)
  }
}
