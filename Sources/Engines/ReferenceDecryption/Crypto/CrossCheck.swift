import COpenSSL
import MerchantKeys

/// A second opinion on what stages 5-8 have accepted. OpenSSL's verdict alone would accept more than the rules do.
enum CrossCheck {
  /// OpenSSL's verdict on the links of the chain and on the CMS signature over `content`.
  ///
  /// - Returns: `notComparable` when OpenSSL cannot read what the rules allow: values of odd types in names and
  ///   attributes, extensions the rules do not look into.
  static func outcome(contentInfo: [UInt8], content: [UInt8], chain: CertificateChain) -> CrossCheckOutcome {
    guard let leaf = OpenSSLObjects.certificate(chain.leaf.der) else { return .notComparable }
    defer { X509_free(leaf) }
    guard let intermediate = OpenSSLObjects.certificate(chain.intermediate.der) else { return .notComparable }
    defer { X509_free(intermediate) }
    guard let root = OpenSSLObjects.certificate(chain.root.der) else { return .notComparable }
    defer { X509_free(root) }
    guard let cms = OpenSSLObjects.contentInfo(contentInfo) else { return .notComparable }
    defer { CMS_ContentInfo_free(cms) }
    // Reads all extensions, without which a key identifier is not found.
    guard X509_check_purpose(leaf, -1, -1) == 1 else { return .notComparable }
    let isSound =
      isSigned(intermediate, by: root) && isSigned(leaf, by: intermediate)
      && isSigned(cms, by: leaf, over: content)
    return isSound ? .agreed : .disagreed
  }

  private static func isSigned(_ certificate: OpaquePointer, by issuer: OpaquePointer) -> Bool {
    guard let key = X509_get0_pubkey(issuer) else { return false }
    return X509_verify(certificate, key) == 1
  }

  private static func isSigned(_ cms: OpaquePointer, by leaf: OpaquePointer, over content: [UInt8]) -> Bool {
    guard let signers = assay_sk_X509_new() else { return false }
    defer { assay_sk_X509_free(signers) }
    guard assay_sk_X509_push(signers, leaf) > 0 else { return false }
    return content.withUnsafeBytes { content in
      guard let count = Int32(exactly: content.count), let input = BIO_new_mem_buf(content.baseAddress, count) else {
        return false
      }
      defer { BIO_free(input) }
      // Only the leaf that stage 6 chose may be the signer, whatever else the CMS brings.
      let flags = UInt32(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY | CMS_NOINTERN)
      return CMS_verify(cms, signers, nil, input, nil, flags) == 1
    }
  }
}
