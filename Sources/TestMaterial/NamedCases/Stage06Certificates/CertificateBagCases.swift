import Minting
import PaymentToken

/// Stage 6: which certificates the CMS contains, and which one signed.
extension CaseList {
  mutating func addCertificateBagCases() {
    addMarkerCases()
    addThirdCertificateCases()
    addSignerCases()
  }

  private mutating func bag(
    _ clause: String, _ name: CaseName, _ code: TokenFault.Code?,
    _ edit: @escaping @Sendable (inout [[UInt8]], Minter) -> Void
  ) {
    either(clause, name, code) { draft in
      let minter = draft.minter
      try draft.certificates { edit(&$0, minter) }
    }
  }

  private mutating func addMarkerCases() {
    leaf("6.1", "leaf-without-its-marker", .missingLeafMarker) { $0.replaceExtension(OID.leafMarker, with: nil) }
    leaf("6.1", "leaf-with-a-marker-of-another-number", .missingLeafMarker) {
      $0.replaceExtension(OID.leafMarker, with: Extensions.make(.oid([1, 2, 840, 113635, 100, 6, 30]), .null))
    }
    leaf("6.1", "leaf-with-a-marker-that-goes-on", .missingLeafMarker) {
      $0.replaceExtension(OID.leafMarker, with: Extensions.make(.oid([1, 2, 840, 113635, 100, 6, 29, 1]), .null))
    }
    leaf("6.1", "leaf-with-its-marker-as-a-policy-alone", .missingLeafMarker) {
      $0.replaceExtension(OID.leafMarker, with: nil)
      $0.replaceExtension(Extensions.make(OID.certificatePolicies, .sequence([.sequence([OID.leafMarker])])))
    }
    bag("6.1", "no-certificates", .missingLeafMarker) { bag, _ in bag = [] }
    signature("6.1", "certificates-missing", .missingLeafMarker) { $0.signedData.children.remove(at: 3) }
    bag("6.1", "the-intermediate-alone", .missingLeafMarker) { bag, _ in bag.removeFirst() }
    bag("6.1", "the-root-alone", .missingLeafMarker) { bag, minter in bag = [minter.pki.root] }
    bag("6.1", .standing(.holder, .rfc(5652, "5.1"), .choice, "the-leaf-twice"), .missingLeafMarker) { bag, _ in
      bag.append(bag[0])
    }
    bag("6.1", "a-merchant-certificate-for-the-leaf", .missingLeafMarker) { bag, minter in
      bag[0] = minter.merchants[0].keys[0].certificate
    }
    bag("6.1", .standing(.holder, .rfc(5652, "5.1"), .choice, "another-leaf-beside-the-leaf"), .missingLeafMarker) {
      bag, minter in bag.append(minter.foreign.leaf)
    }
    intermediate("6.1", .strict(.apple, "intermediate-with-both-markers"), .missingLeafMarker) {
      $0.extensions.append(Extensions.leafMarker)
    }
    for critical in [true, false] {
      leaf("6.2", "leaf-with-its-marker-critical-\(critical)", nil) {
        $0.replaceExtension(Extensions.make(OID.leafMarker, critical: critical, .utf8String("x")))
      }
      intermediate("6.2", "intermediate-with-its-marker-critical-\(critical)", nil) {
        $0.replaceExtension(Extensions.make(OID.intermediateMarker, critical: critical, .utf8String("x")))
      }
    }
    intermediate("6.2", "intermediate-without-its-marker", .missingIntermediateMarker) {
      $0.replaceExtension(OID.intermediateMarker, with: nil)
    }
    intermediate("6.2", "intermediate-with-a-marker-of-another-number", .missingIntermediateMarker) {
      $0.replaceExtension(
        OID.intermediateMarker, with: Extensions.make(.oid([1, 2, 840, 113635, 100, 6, 2, 15]), .null))
    }
    bag("6.2", .standing(.holder, .apple, .strictness, "the-leaf-alone"), .missingIntermediateMarker) { bag, _ in
      bag.removeLast()
    }
    bag("6.2", .standing(.holder, .apple, .strictness, "the-root-for-the-intermediate"), .missingIntermediateMarker) {
      bag, minter in bag[1] = minter.pki.root
    }
    bag("6.2", .choice(.holder, "the-intermediate-twice"), .missingIntermediateMarker) { bag, _ in bag.append(bag[1]) }
    bag("6.2", .choice(.holder, "another-intermediate-beside-the-intermediate"), .missingIntermediateMarker) {
      bag, minter in
      bag.append(minter.foreign.intermediate)
    }
    leaf("6.2", .choice(.apple, "leaf-with-both-markers"), .missingIntermediateMarker) {
      $0.extensions.append(Extensions.intermediateMarker)
    }
    reject("6.2", "leaf-with-both-markers-alone", .missingIntermediateMarker) { draft in
      try draft.leaf { $0.extensions.append(Extensions.intermediateMarker) }
      try draft.certificates { $0.removeLast() }
    }
    chain("6.2", "leaf-with-both-markers-and-intermediate-with-none", .missingIntermediateMarker) {
      $0.leafRecipe.extensions.append(Extensions.intermediateMarker)
      $0.intermediateRecipe.replaceExtension(OID.intermediateMarker, with: nil)
    }
  }

  private mutating func addThirdCertificateCases() {
    bag("6.3", "the-root-as-third-certificate", nil) { bag, minter in bag.append(minter.pki.root) }
    bag("6.3", "the-root-as-first-certificate", nil) { bag, minter in bag.insert(minter.pki.root, at: 0) }
    bag("6.3", "the-intermediate-before-the-leaf", nil) { bag, _ in bag.reverse() }
    bag("6.3", "root-intermediate-leaf-in-this-order", nil) { bag, minter in bag = [minter.pki.root, bag[1], bag[0]] }
    bag("6.3", "another-root-as-third-certificate", .unexpectedCertificate) { bag, minter in
      bag.append(minter.foreign.root)
    }
    bag("6.3", "a-merchant-certificate-as-third", .unexpectedCertificate) { bag, minter in
      bag.append(minter.merchants[1].keys[1].certificate)
    }
    bag("6.3", "the-root-with-a-bit-flipped-in-its-signature", .unexpectedCertificate) { bag, minter in
      var root = minter.pki.root
      root[root.count - 1] ^= 1
      bag.append(root)
    }
    reject("6.3", "the-root-reissued-with-the-same-key", .unexpectedCertificate) { draft in
      var pki = draft.minter.pki
      pki.rootRecipe.serial = .integer(7)
      try pki.issue()
      try draft.append(certificate: pki.root)
    }
    reject("6.3", .standing(.forgery, "a-root-that-is-not-pinned"), .unexpectedCertificate) { draft in
      draft.anchors = [draft.minter.foreign.root]
      try draft.append(certificate: draft.minter.pki.root)
    }
    accept("6.3", "another-pinned-root-as-third-certificate") { draft in
      draft.anchors = [draft.minter.pki.root, draft.minter.foreign.root]
      try draft.append(certificate: draft.minter.foreign.root)
    }
  }

  private mutating func addSignerCases() {
    // Edits of issuer and serial number. The issuer's first attribute is its common name.
    let identifierEdits: Named<Edit<ASN1Node>> = [
      "another-serial-number": { $0[1] = .integer(7) },
      "its-serial-number-negated": { $0[1].contents = $0[1].contents.map { ~$0 } },
      "an-empty-issuer": { $0[0] = .sequence([]) },
      .standing(.holder, .rfc(5280, "7.1"), .choice, "its-issuer-in-another-string-type"): {
        $0[0][0][0][1].identifier = [0x13]
      },
      .standing(.holder, .rfc(5280, "7.1"), .choice, "its-issuer-in-another-case"): {
        $0[0][0][0][1].contents[0] ^= 0x20
      },
      .standing(.holder, .rfc(5280, "7.1"), .choice, "a-space-more-in-its-issuer"): {
        $0[0][0][0][1].contents.append(0x20)
      },
      "its-issuer-in-another-order": { $0[0].children.reverse() },
    ]
    for (name, edit) in identifierEdits {
      signature("6.4", "signer-with-\(name)", .signerMismatch) { edit(&$0.signerInfo[1]) }
    }
    reject("6.4", .standing(.apple, .apple, .high, "signer-that-is-the-intermediate"), .signerMismatch) { draft in
      let pki = draft.minter.pki
      draft.layers.signer.key = try pki.intermediateKey.pair
      draft.layers.signer.issuer = pki.intermediateRecipe.issuer
      draft.layers.signer.serial = pki.intermediateRecipe.serial
      try draft.sign()
    }
    reject("6.4", "signer-named-by-the-leaf-s-subject", .signerMismatch) {
      try $0.sign(\.signer.issuer, $0.minter.pki.leafRecipe.subject)
    }
    let identifiers: Named<@Sendable ([UInt8]) -> [UInt8]> = [
      "of-another-key": { $0.reversed() }, "cut-by-one-byte": { Array($0.dropLast()) },
      "with-a-byte-more": { $0 + [0] },
      "of-no-bytes": { _ in [] }, "wrapped-in-an-octet-string": { ASN1Node.octetString($0).encoded },
    ]
    for (name, edit) in identifiers {
      reject("6.4", "key-identifier-\(name)", .signerMismatch) { draft in
        draft.layers.signatureRecipe.identifier = .subjectKeyIdentifier
        draft.layers.signer.keyIdentifier = edit(draft.layers.signer.keyIdentifier)
        try draft.sign()
      }
    }
    reject("6.4", "key-identifier-although-the-leaf-has-none", .signerMismatch) { draft in
      draft.layers.signatureRecipe.identifier = .subjectKeyIdentifier
      try draft.leaf { $0.replaceExtension(OID.subjectKeyIdentifier, with: nil) }
    }
    reject("6.4", "key-identifier-of-the-intermediate", .signerMismatch) { draft in
      draft.layers.signatureRecipe.identifier = .subjectKeyIdentifier
      draft.layers.signer.keyIdentifier = Extensions.keyIdentifier(
        of: draft.minter.pki.intermediateRecipe.publicKeyInfo)
      try draft.sign()
    }
    accept("6.4", .choice(.apple, "key-identifier-that-is-empty-in-both-places")) { draft in
      draft.layers.signatureRecipe.identifier = .subjectKeyIdentifier
      try draft.leaf { $0.setExtensionValue(OID.subjectKeyIdentifier, [4, 0]) }
      draft.layers.signer.keyIdentifier = []
      try draft.sign()
    }
    leaf("6.4", "leaf-without-a-key-identifier", nil) { $0.replaceExtension(OID.subjectKeyIdentifier, with: nil) }
  }
}

/// An attacker's token without the certificates that would show that the chain is not Apple's: a decryptor may take a
/// missing certificate from elsewhere, or skip what it cannot check.
extension CaseList {
  mutating func addForeignSignerCases() {
    underBothVersions { list in
      list.reject("6.1", "a-token-of-the-attacker-without-certificates", .missingLeafMarker) {
        try $0.signAsAttacker { $0 = [] }
      }
      list.reject("6.2", .standing(.forgery, "a-token-of-the-attacker-with-the-leaf-alone"), .missingIntermediateMarker)
      {
        try $0.signAsAttacker { $0.removeLast() }
      }
    }
  }

  /// Identifiers of the signer that differ late: an issuer, and a key identifier of 40 bytes, which is longer than the
  /// usual hash of a public key.
  mutating func addLongIdentifierCases() {
    @Sendable func named(_ draft: inout CaseDraft, _ edit: (inout [UInt8]) -> Void) throws {
      draft.layers.signatureRecipe.identifier = .subjectKeyIdentifier
      var identifier = draft.stream.bytes(40)
      try draft.leaf { $0.setExtensionValue(OID.subjectKeyIdentifier, [4, 40] + identifier) }
      edit(&identifier)
      try draft.sign(\.signer.keyIdentifier, identifier)
    }
    for part in 0..<3 {
      reject("6.4", "signer-named-by-an-issuer-with-another-last-letter-in-part-\(part + 1)", .signerMismatch) {
        draft in
        var issuer = draft.layers.signer.issuer
        issuer.changeLastLetter(ofPart: part)
        try draft.sign(\.signer.issuer, issuer)
      }
    }
    accept("6.4", "key-identifier-of-40-bytes") { try named(&$0) { _ in } }
    for place in [12, 24, 40] {
      reject("6.4", "key-identifier-of-40-bytes-with-another-byte-\(place)", .signerMismatch) { draft in
        try named(&draft) { $0[place - 1] ^= 1 }
      }
    }
  }
}

extension CaseDraft {
  fileprivate mutating func signAsAttacker(_ edit: (inout [[UInt8]]) -> Void) throws {
    layers.signer = TokenSigner(minter.foreign, version: layers.version)
    try certificates(edit)
  }
}
