import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// How the certificates or the signer identifier break a rule of stage 6, in words.
struct SelectionText {
  let facts: TraceFacts
  /// The certificates in the token's signature.
  let certificates: [Certificate]
  let identifier: BERValue?

  /// Rule 6.1.
  var leafCause: Cause {
    if let repetition { return repetition }
    let found = "\(carriers(facts.markers?.leaf)) Apple's leaf marker"
    guard !facts.certificates.isEmpty else {
      return Cause(found, fix: "include the leaf and the intermediate in the signature (openssl cms without -nocerts).")
    }
    let leaves = certificates.filter { $0.firstExtension(ObjectIdentifiers.appleLeafMarker) != nil }
    let others = leaves.filter { !isSigner($0) }
    if leaves.count == 2, others.count == 1,
      !leaves.contains(where: { $0.firstExtension(ObjectIdentifiers.appleIntermediateMarker) != nil })
    {
      return Cause(
        "\(leaves.map(SelectionText.numbered).listed("and")) both have Apple's leaf marker",
        fix: "leave out the one that did not sign, \(SelectionText.numbered(others[0])).")
    }
    if leaves.isEmpty, certificates.count < 3,
      let own = certificates.first(where: { $0.certifiedMerchantIDHash != nil })
    {
      return Cause(
        "\(found), and \(own.words) is a merchant's certificate",
        fix: "include the leaf, whose key signs, in place of the merchant's certificate.")
    }
    return Cause(found)
  }

  /// Whether the signer identifier names this certificate.
  private func isSigner(_ certificate: Certificate) -> Bool {
    guard let identifier else { return false }
    guard identifier.tag == .sequence, let issuer = identifier.children.first, let serial = identifier.children.last
    else { return certificate.subjectKeyIdentifier.map { identifier.contents.elementsEqual($0) } ?? false }
    return issuer.encoding.elementsEqual(certificate.issuer) && serial.contents.elementsEqual(certificate.serialNumber)
  }

  /// `Leaf (serial number 0x1F)`.
  private static func numbered(_ certificate: Certificate) -> String {
    "\(certificate.words) (serial number \(words(serial: certificate.serialNumber)))"
  }

  /// Rule 6.2.
  var intermediateCause: Cause {
    if let repetition { return repetition }
    let marked = certificates.filter {
      $0.firstExtension(ObjectIdentifiers.appleIntermediateMarker) != nil
        && $0.firstExtension(ObjectIdentifiers.appleLeafMarker) == nil
    }
    for lower in marked {
      guard let upper = marked.first(where: { $0 != lower && $0.subject == lower.issuer }) else { continue }
      return Cause(
        "\(lower.words) and \(upper.words), which issued it, both have Apple's intermediate marker",
        fix: "the chain is leaf, one intermediate, root, so trust the upper one with --root (pathLenConstraint absent "
          + "or at least 1) and leave it out of the signature, or issue the lower one under your root.")
    }
    if marked.count == 2 {
      return Cause(
        "\(marked.map(SelectionText.numbered).listed("and")) both have Apple's intermediate marker, issued by "
          + marked.map { DistinguishedName($0.issuer).text }.listed("and"),
        fix: "leave out the one that no trusted root issued, or that did not issue the leaf.")
    }
    let count = facts.markers?.intermediate
    return Cause("\(count == 1 ? "the leaf has" : carriers(count)) Apple's intermediate marker")
  }

  /// Rule 6.3.
  var otherCause: Cause {
    guard let other = facts.otherCertificate, other.subject == facts.intermediate?.issuer,
      other.subject != other.issuer
    else { return Cause("it is neither leaf nor intermediate") }
    return Cause(
      "it is neither leaf nor intermediate, but issued the intermediate",
      fix: "the chain is leaf, one intermediate, root, so trust this one with --root (pathLenConstraint absent or at "
        + "least 1), or issue the intermediate under your root and leave this one out.")
  }

  /// Rule 6.4.
  var signerCause: Cause {
    guard let identifier, let leaf = facts.leaf else { return Cause("it names another certificate") }
    guard identifier.tag == .sequence, let issuer = identifier.children.first, let serial = identifier.children.last
    else { return keyIdentifierCause(Array(identifier.contents), leaf) }
    let name = Array(issuer.encoding)
    let named = "\(DistinguishedName(name).text) and the serial number \(SelectionText.words(serial: serial.contents))"
    let own = "\(DistinguishedName(leaf.issuer).text) and \(SelectionText.words(serial: leaf.serialNumber))"
    let isSubject = name == leaf.subject && name != leaf.issuer
    let found =
      "it names the issuer \(named), and the leaf's are \(own)\(isSubject ? " (it names the leaf's subject)" : "")"
    if let difference = DistinguishedName(name).difference(from: DistinguishedName(leaf.issuer), in: "the leaf") {
      return Cause(
        "\(found): \(difference)",
        fix: "sign with the leaf as the signer's certificate, and copy its issuer's name byte for byte.")
    }
    guard let intermediate = facts.intermediate, intermediate.issuer == name, intermediate.issuer == leaf.subject,
      serial.contents.elementsEqual(intermediate.serialNumber)
    else { return Cause(found) }
    return Cause(
      "it names \(intermediate.name), which has the intermediate's marker, and \(leaf.name), which issued it, has the "
        + "leaf's",
      fix: "the two markers are probably swapped, so issue the signer's certificate with 1.2.840.113635.100.6.29, and "
        + "its issuer's with 1.2.840.113635.100.6.2.14.")
  }

  private func keyIdentifierCause(_ identifier: [UInt8], _ leaf: CertificateSummary) -> Cause {
    let own = certificates.first { $0.fingerprint() == leaf.fingerprint }?.subjectKeyIdentifier
    let words = own.map { "the leaf's is \(Self.hexadecimal($0))" } ?? "the leaf has none"
    return Cause(
      "it is the key identifier \(Self.hexadecimal(identifier)), and \(words)",
      fix: "name the leaf by its issuer and serial number (openssl cms without -keyid).")
  }

  /// The serial number in hexadecimal, without a leading zero byte.
  private static func words(serial contents: some Collection<UInt8>) -> String {
    let bytes = Array(contents)
    let isNegative = (bytes.first ?? 0) >= 0x80
    let digits = bytes.count > 1 && bytes[0] == 0 ? Array(bytes.dropFirst()) : bytes
    return "0x\(hexadecimal(digits))" + (isNegative ? " as a negative INTEGER" : "")
  }

  /// The bytes in hexadecimal; for a long value only its ends, and the size.
  private static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    guard bytes.count > 40 else { return Hex.encode(Array(bytes)) }
    return "\(Hex.encode(Array(bytes.prefix(16))))…\(Hex.encode(Array(bytes.suffix(16)))) (\(bytes.count) bytes)"
  }

  private var repetition: Cause? {
    let summaries = facts.certificates
    let repeated = summaries.first { summary in
      summaries.count { $0.fingerprint == summary.fingerprint } > 1
    }
    return repeated.map {
      Cause("the certificate \($0.name) is among them more than once", fix: "include each certificate once.")
    }
  }

  /// How many certificates have a marker.
  private func carriers(_ count: Int?) -> String {
    switch (count ?? 0, facts.certificates.count) {
    case (_, 0): "there are no certificates, and so none has"
    case (0, 1): "the only certificate does not have"
    case (0, let all): "none of the \(all) certificates has"
    case (let some, let all): "\(some) of the \(all) certificates have"
    }
  }
}
