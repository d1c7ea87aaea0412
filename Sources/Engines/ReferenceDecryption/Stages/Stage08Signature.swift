import MerchantKeys
import PaymentToken

extension ReferenceDecryptor {
  /// Stage 8, then a cross-check of stages 5 to 8 with OpenSSL.
  ///
  /// The cross-check repeats what stages 5 to 8 have just decided. A harness that reuses results leaves it out.
  ///
  /// - Throws: `signatureMismatch`, also when OpenSSL can read the signature and rejects it.
  static func verifySignature(
    _ signer: SignerInfo, chain: CertificateChain, fields: TokenFields, reusing reuse: SignatureReuse?,
    trace: inout Trace
  ) throws(TokenFault) {
    trace.begin(.signature)
    // 8.1
    let content = fields.signedContent
    let digest = SHA256.digest(content)
    trace.note(.messageDigest(found: signer.attributes.messageDigest, expected: digest))
    guard signer.attributes.messageDigest == digest else { throw TokenFault(.signatureMismatch) }
    // 8.2 to 8.4
    let message = setEncoding(of: signer.attributes.contents)
    guard
      SignatureVerification.isValid(
        signer.signature, over: message, by: signer.algorithm, signer: chain.leaf, reusing: reuse)
    else { throw TokenFault(.signatureMismatch) }

    guard reuse == nil else { return }
    let outcome: CrossCheckOutcome =
      signer.attributes.isComparableWithOpenSSL
      ? CrossCheck.outcome(contentInfo: fields.signature, content: content, chain: chain) : .notComparable
    trace.note(.crossCheck(outcome))
    guard outcome != .disagreed else { throw TokenFault(.signatureMismatch) }
  }

  /// 8.2: the attributes are signed with the tag of SET OF instead of [0] (RFC 5652 section 5.4).
  static func setEncoding(of contents: ArraySlice<UInt8>) -> [UInt8] {
    let count = contents.count
    guard count >= 0x80 else { return [DERTag.set.byte, UInt8(count)] + contents }
    let bytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }.drop { $0 == 0 }
    return [DERTag.set.byte, 0x80 | UInt8(bytes.count)] + bytes + contents
  }
}
