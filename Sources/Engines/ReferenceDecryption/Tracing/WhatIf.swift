import COpenSSL
import MerchantKeys
package import PaymentToken

/// What-if checks of a rejected token, for diagnoses. They never accept a token, and they keep no plaintext.
extension ReferenceDecryptor {
  /// Finds the merchant-ID hash with which the EC_v1 key at `index` opens the token.
  ///
  /// - Parameters:
  ///   - request: the token, or the request that holds it.
  ///   - selection: the envelope. Parts need no signature here.
  ///   - index: the key's index in the engine's set.
  ///   - merchantIDHashes: the merchant-ID hashes to try. The shared secret is computed once.
  /// - Returns: the index of the first hash that works; nil when none does.
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

  /// Whether the key at `index`, with its own merchant ID, opens the token. The token's publicKeyHash is ignored.
  package func opens(_ request: Span<UInt8>, from selection: EnvelopeSelection, withKeyAt index: Int) -> Bool {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    switch keys[index].version.rules.keyTransport {
    case .ephemeral:
      let hash = keys.merchantIDHash(at: index)
      return firstOpening(request, from: selection, withKeyAt: index, merchantIDHashes: [hash]) != nil
    case .wrapped:
      guard let fields = ReferenceDecryptor.sealedFields(of: request, from: selection),
        fields.version == keys[index].version
      else { return false }
      var trace = Trace()
      let unwrapped = try? ReferenceDecryptor.unwrapSymmetricKey(fields, from: keys, at: index, trace: &trace)
      guard let key = unwrapped else { return false }
      defer { key.wipe() }
      return ReferenceDecryptor.opens(fields, with: key)
    }
  }

  /// The messageDigest that Apple would have signed if the token's application data were `applicationData` (rule 8.1).
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

  /// Whether the leaf signed the signed attributes (rules 8.2 to 8.4), whatever their messageDigest is.
  package func areAttributesSigned(of request: Span<UInt8>, from selection: EnvelopeSelection) -> Bool {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    var trace = Trace()
    do throws(TokenFault) {
      let extracted = try Self.extract(request, from: selection, trace: &trace)
      let fields = try Self.readFields(extracted.content, in: request, trace: &trace)
      let signedData = try Self.readSignature(fields, trace: &trace)
      let leaf = try Self.selectCertificates(of: signedData, roots: roots, trace: &trace).leaf
      let (signer, message) = (signedData.signer, Self.setEncoding(of: signedData.signer.attributes.contents))
      return SignatureVerification.isValid(
        signer.signature, over: message, by: signer.algorithm, signer: leaf, reusing: nil)
    } catch {
      return false
    }
  }

  /// Stages 0 to 4 of a signed or an unsigned token.
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
