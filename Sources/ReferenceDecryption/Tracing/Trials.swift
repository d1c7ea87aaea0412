import COpenSSL
import MerchantKeys
package import PaymentToken

/// What-if questions about a refused token. Their answers accept nothing, and no plaintext is kept for them.
extension ReferenceDecryptor {
  /// Which of these merchant IDs lets the EC_v1 key at `index` open the token.
  ///
  /// - Parameters:
  ///   - index: the key's position in the set the engine was made with.
  ///   - merchantIDHashes: party-V info in place of the key's own; the shared secret is made once for all.
  /// - Returns: the position of the first that does; nil when none does.
  package func firstOpening(
    _ token: Span<UInt8>, withKeyAt index: Int, merchantIDHashes: [Octets32]
  ) -> Int? {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard let fields = fields(of: token), fields.version == .ecV1, keys[index].version == .ecV1,
      let secret = try? ReferenceDecryptor.sharedSecret(fields, from: keys, at: index)
    else { return nil }
    defer { secret.wipe() }
    return merchantIDHashes.firstIndex { hash in
      let key = P256Agreement.derivedKey(sharedSecret: secret, merchantIDHash: hash)
      defer { key.wipe() }
      return ReferenceDecryptor.opens(fields, with: key)
    }
  }

  /// Whether the key at `index`, as it was loaded, opens the token, whatever publicKeyHash the token names.
  package func opens(_ token: Span<UInt8>, withKeyAt index: Int) -> Bool {
    switch keys[index].version {
    case .ecV1:
      return firstOpening(token, withKeyAt: index, merchantIDHashes: [keys.merchantIDHash(at: index)]) != nil
    case .rsaV1:
      guard let fields = fields(of: token), fields.version == .rsaV1 else { return false }
      var trace = Trace()
      let key = ReferenceDecryptor.unwrapSymmetricKey(fields, from: keys, at: index, trace: &trace)
      defer { key.wipe() }
      return ReferenceDecryptor.opens(fields, with: key)
    }
  }

  /// The digest that Apple's signature would hold if the token's application data were `applicationData` (rule 8.1).
  ///
  /// - Returns: nil when the token does not pass stages 1 to 4.
  package func signedDigest(
    of token: Span<UInt8>, withApplicationData applicationData: Octets32?
  ) -> Octets32? {
    fields(of: token).map { SHA256.digest($0.signedContent(withApplicationData: applicationData)) }
  }

  /// Stages 1 to 4.
  private func fields(of token: Span<UInt8>) -> TokenFields? {
    var trace = Trace()
    do throws(TokenFault) {
      try ReferenceDecryptor.checkSize(of: token, trace: &trace)
      let document = try ReferenceDecryptor.readJSON(WipedBytes(token), trace: &trace)
      let text = try ReferenceDecryptor.readShape(document, trace: &trace)
      return try ReferenceDecryptor.decodeMembers(text, trace: &trace)
    } catch {
      return nil
    }
  }

  private static func opens(_ fields: TokenFields, with key: WipedBytes) -> Bool {
    guard let plaintext = AuthenticatedDecryption.open(fields.data, key: key) else { return false }
    plaintext.wipe()
    return true
  }
}
