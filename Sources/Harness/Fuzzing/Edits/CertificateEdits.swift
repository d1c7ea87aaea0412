import Minting
import TestCases

/// Edits certificates in a CMS as ASN.1 trees and signs them again with the test authorities' keys.
enum CertificateEdits {
  /// The role of a certificate, by its marker extension.
  enum Part: CaseIterable {
    case leaf, intermediate, other

    static func leafOrIntermediate(using random: inout QuickGenerator) -> Part {
      random.chance(2) ? .leaf : .intermediate
    }
  }

  static func part(of certificate: ASN1Node) -> Part {
    let bytes = certificate.encoded
    if bytes.contains(OID.leafMarker.encoded) { return .leaf }
    return bytes.contains(OID.intermediateMarker.encoded) ? .intermediate : .other
  }

  /// Edits the certificate of a role and signs it again. After an edit of the leaf, it usually updates the signer
  /// identifier as well.
  ///
  /// - Returns: false if there is no such certificate.
  static func edit(
    _ part: Part, of draft: inout Draft, using random: inout QuickGenerator, signing: Bool = true,
    _ change: (inout ASN1Node, inout QuickGenerator) throws(MintingError) -> Void
  ) throws(MintingError) -> Bool {
    guard var tree = draft.cms, var bag = tree[.certificates],
      let index = bag.children.firstIndex(where: { self.part(of: $0) == part }), bag.children[index].children.count == 3
    else { return false }
    var certificate = bag.children[index]
    let before = certificate
    try change(&certificate, &random)
    if signing { try sign(&certificate, part, draft.sampleSigner.minter) }
    bag[index] = certificate
    tree[.certificates] = bag
    if part == .leaf, !random.chance(6) { follow(before, certificate, in: &tree) }
    draft.cms = tree
    draft.touch(.certificates)
    return true
  }

  /// Signs tbsCertificate with the issuer's key, over SHA-384 if the certificate names it, otherwise over SHA-256.
  private static func sign(_ certificate: inout ASN1Node, _ part: Part, _ minter: Minter) throws(MintingError) {
    guard certificate.children.count == 3 else { return }
    let key = part == .leaf ? minter.pki.intermediateKey : minter.pki.rootKey
    let isSHA384 = certificate[1].children.first == OID.ecdsaWithSHA384
    let value = try key.sign(certificate[0].encoded, isSHA384 ? .sha384 : .sha256)
    certificate[2] = .bitString(value)
  }

  /// Paths to the fields of tbsCertificate: [0] version, serial, algorithm, issuer, validity, subject, key, [3].
  static let serial = [0, 1]
  static let issuer = [0, 3]
  static let validity = [0, 4]
  static let subject = [0, 5]
  static let key = [0, 6]
  static let extensions = [0, 7, 0]

  /// Updates the signer identifier to name the edited certificate.
  private static func follow(_ before: ASN1Node, _ after: ASN1Node, in tree: inout ASN1Node) {
    guard var info = tree[.signerInfo], let identifier = info.node(at: [1]),
      identifier.has(0x30), let issuer = after.node(at: issuer), let serial = after.node(at: serial)
    else { return }
    info[1].children = [issuer, serial]
    tree[.signerInfo] = info
  }
}
