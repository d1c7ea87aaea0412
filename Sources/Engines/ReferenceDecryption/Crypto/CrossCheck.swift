import COpenSSL
import MerchantKeys

/// Uses OpenSSL to cross-check what stages 5 to 8 have accepted. OpenSSL alone would accept more than the rules do.
package enum CrossCheck {
  /// Verifies the links of the chain and the CMS signature over `content` with OpenSSL.
  ///
  /// - Returns: `notComparable` when OpenSSL cannot read what the rules allow: values of unusual types in names and
  ///   attributes, extensions that the rules ignore.
  package static func outcome(
    contentInfo: [UInt8], content: [UInt8], chain: CertificateChain
  ) -> CrossCheckOutcome {
    guard let leaf = LibcryptoCoding.decoded(chain.leaf.der, d2i_X509, free: X509_free) else { return .notComparable }
    defer { X509_free(leaf) }
    let above = LibcryptoCoding.decoded(chain.intermediate.der, d2i_X509, free: X509_free)
    defer { X509_free(above) }
    let top = LibcryptoCoding.decoded(chain.root.der, d2i_X509, free: X509_free)
    defer { X509_free(top) }
    let decoded = LibcryptoCoding.decoded(contentInfo, d2i_CMS_ContentInfo, free: CMS_ContentInfo_free)
    defer { CMS_ContentInfo_free(decoded) }
    guard let intermediate = above, let root = top, let cms = decoded else { return .notComparable }
    // Makes OpenSSL read the extensions: without them it finds no key identifier.
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
      // Only the leaf that stage 6 selected may be the signer: certificates in the CMS are ignored.
      let flags = UInt32(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY | CMS_NOINTERN)
      return CMS_verify(cms, signers, nil, input, nil, flags) == 1
    }
  }
}
