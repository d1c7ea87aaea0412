import COpenSSL
import MerchantKeys
package import PaymentToken

/// What-if questions about a refused token. Their answers accept nothing, and no plaintext is kept for them.
extension ReferenceDecryptor {
  /// Which of these merchant IDs lets the EC_v1 key at `index` open the token.
  ///
  /// - Parameters:
  ///   - request: the token, or what it comes in.
  ///   - selection: the envelope. In parts that nobody signed the signature is not missed.
  ///   - index: the key's position in the set the engine was made with.
  ///   - merchantIDHashes: party-V info in place of the key's own; the shared secret is made once for all.
  /// - Returns: the position of the first that does; nil when none does.
  package func firstOpening(
    _ request: Span<UInt8>, from selection: EnvelopeSelection, withKeyAt index: Int, merchantIDHashes: [Bytes32]
  ) -> Int? {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard let fields = ReferenceDecryptor.sealedFields(of: request, from: selection),
      case .ephemeral = fields.version.rules.keyTransport, keys[index].version == fields.version,
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
  package func opens(_ request: Span<UInt8>, from selection: EnvelopeSelection, withKeyAt index: Int) -> Bool {
    switch keys[index].version.rules.keyTransport {
    case .ephemeral:
      let hash = keys.merchantIDHash(at: index)
      return firstOpening(request, from: selection, withKeyAt: index, merchantIDHashes: [hash]) != nil
    case .wrapped:
      guard let fields = ReferenceDecryptor.sealedFields(of: request, from: selection),
        fields.version == keys[index].version
      else { return false }
      var trace = Trace()
      let key = ReferenceDecryptor.unwrapSymmetricKey(fields, from: keys, at: index, trace: &trace)
      defer { key.wipe() }
      return ReferenceDecryptor.opens(fields, with: key)
    }
  }

  /// The digest that Apple's signature would hold if the token's application data were `applicationData` (rule 8.1).
  ///
  /// - Returns: nil when the token does not pass stages 0 to 4.
  package static func signedDigest(
    of request: Span<UInt8>, from selection: EnvelopeSelection, withApplicationData applicationData: Bytes32?
  ) -> Bytes32? {
    var trace = Trace()
    do throws(TokenFault) {
      let extracted = try extract(request, from: selection, trace: &trace)
      let fields = try readFields(extracted.content, in: request, trace: &trace)
      return SHA256.digest(fields.signedContent(withApplicationData: applicationData))
    } catch {
      return nil
    }
  }

  /// Stages 0 to 4, of signed and unsigned tokens alike.
  private static func sealedFields(of request: Span<UInt8>, from selection: EnvelopeSelection) -> SealedFields? {
    var trace = Trace()
    do throws(TokenFault) {
      let extracted = try extract(request, from: selection, trace: &trace)
      if let parts = extracted.unsignedParts {
        return try readUnsignedFields(parts, remembersTransactions: false, trace: &trace)
      }
      return try readFields(extracted.content, in: request, trace: &trace).sealed
    } catch {
      return nil
    }
  }

  private static func opens(_ fields: SealedFields, with key: WipedBytes) -> Bool {
    guard let plaintext = AuthenticatedDecryption.open(fields.data, key: key) else { return false }
    plaintext.wipe()
    return true
  }
}
