import Minting
import PaymentToken
import TestCases

/// RSA_v1 in stage 5: how the CMS names its algorithms, and how long the signature value is.
extension CaseList {
  mutating func addRSASignatureShapeCases() {
    for form in SignedDataRecipe.RSAForm.allCases {
      let name: CaseName = "signed-as-\("\(form)".kebabCase)"
      // RFC 3370 3.2 and RFC 4055 5 differ about a missing NULL.
      rsa("5.10", form == .rsaEncryptionWithoutNull ? .choice(.apple, name) : name) {
        try $0.sign { $0.signatureRecipe.rsaForm = form }
      }
    }
    let forms: [(CaseName, ASN1Node)] = [
      ("ecdsa-with-sha-256", Algorithms.ecdsaSHA256), ("sha-1-with-rsa", .sequence([OID.sha1WithRSA, .null])),
      ("sha-384-with-rsa", Algorithms.rsaSHA384), ("sha-512-with-rsa", .sequence([OID.sha512WithRSA, .null])),
      ("rsa-pss", .sequence([OID.rsaPSS, .sequence([])])), ("sha-256", Algorithms.sha256WithNull),
      ("ed25519", .sequence([OID.ed25519])),
      (.standing(.holder, .rfc(6211, "3"), .strictness, "an-unknown-algorithm"), .sequence([OID.unknown, .null])),
      ("an-empty-sequence-for-null", .sequence([OID.sha256WithRSA, .sequence([])])),
      ("an-oid-for-null", .sequence([OID.rsaEncryption, OID.sha256])),
      ("an-octet-string-for-null", .sequence([OID.rsaEncryption, .octetString([])])),
      ("two-nulls", .sequence([OID.sha256WithRSA, .null, .null])), ("nothing", .sequence([])),
      ("an-oid-alone", OID.sha256WithRSA), ("a-set", .set([OID.sha256WithRSA, .null])),
      ("a-null-of-one-byte", .sequence([OID.sha256WithRSA, .primitive(5, [0])])),
      ("the-null-first", .sequence([.null, OID.sha256WithRSA])),
    ]
    for (name, node) in forms {
      rsa("5.10", "signature-algorithm-\(name)", .malformedSignature) { try $0.signature { $0.signerInfo[4] = node } }
    }
    for wrappers in [ASN1Node.Length.shortest, .long(bytes: 4)] {
      let shortest: CaseName = .standing(.holder, .rfc(5652, "5.1"), .interoperability, "shortest")
      rsa("5.2", "wrappers-\(wrappers == .shortest ? shortest : "of-four-bytes")") {
        try $0.sign { $0.signatureRecipe.wrappers = wrappers }
      }
    }
    underRSA("three-attributes-as-in-2014", as: "three-attributes-and-null")
    underRSA("signer-named-by-key-identifier")
    reject("5.10", .standing(.apple, .apple, .strictness, "ec-token-whose-signature-is-rsa"), .malformedSignature) {
      try $0.sign(\.signer, TokenSigner($0.minter.pki, version: .rsaV1))
    }
    rsa("5.10", .standing(.apple, .apple, .strictness, "token-whose-signature-is-ecdsa"), .malformedSignature) {
      try $0.sign(\.signer, TokenSigner($0.minter.pki))
    }
    addRSAProtectionCases()
    addRSAValueSizeCases()
  }

  private mutating func addRSAProtectionCases() {
    let forms = SignedDataRecipe.RSAForm.allCases
    for (outer, inner) in forms.flatMap({ outer in forms.map { (outer, $0) } }) where outer != inner {
      let agrees = outer.algorithm.children[0] == inner.algorithm.children[0]
      let (outerName, innerName) = ("\(outer)".kebabCase, "\(inner)".kebabCase)
      let name: CaseName = "signed-as-\(outerName)-protecting-\(innerName)"
      let contradiction = agrees ? nil : Standing(.apple, .rfc(6211, "3"), .strictness)
      rsa("5.11", .standing(contradiction, name), agrees ? nil : .malformedSignature) { draft in
        draft.layers.signatureRecipe.rsaForm = outer
        draft.layers.signatureRecipe.protectedAlgorithm = inner.algorithm
        try draft.sign()
      }
    }
    let wrong: [(CaseName, ASN1Node)] = [
      ("ecdsa", Algorithms.ecdsaSHA256), ("sha-384-with-rsa", Algorithms.rsaSHA384),
      ("rsa-pss", .sequence([OID.rsaPSS])), ("nothing", .sequence([])),
      ("an-empty-sequence-for-null", .sequence([OID.sha256WithRSA, .sequence([])])),
      ("two-nulls", .sequence([OID.sha256WithRSA, .null, .null])),
      ("an-algorithm-in-a-sequence", .sequence([Algorithms.rsaSHA256])),
    ]
    for (name, node) in wrong {
      rsa("5.11", .standing(.apple, .rfc(6211, "3"), .strictness, "protecting-\(name)"), .malformedSignature) {
        try $0.sign { $0.signatureRecipe.protectedAlgorithm = node }
      }
    }
    rsa("5.11", .standing(.apple, .rfc(5652, "5.3"), .interoperability, "protection-missing")) {
      try $0.attributes { $0.remove(at: 2) }
    }
    rsa("5.11", .standing(.apple, .rfc(6211, "2"), .strictness, "protection-with-a-mac-algorithm"), .malformedSignature)
    { draft in
      try draft.attributes { $0[2][1][0].children.append(.context(2, [OID.sha256])) }
    }
  }

  private mutating func addRSAValueSizeCases() {
    let edits: Named<Edit<[UInt8]>> = [
      .standing(.rsaForgery, "empty"): { $0 = [] }, .standing(.rsaForgery, "of-one-byte"): { $0 = [1] },
      .standing(.rsaForgery, "cut-by-its-last-byte"): { $0.removeLast() },
      .standing(.rsaForgery, "cut-by-its-first-byte"): { $0.removeFirst() },
      "with-a-zero-byte-before-it": { $0.insert(0, at: 0) },
      "with-a-zero-byte-after-it": { $0.append(0) },
      .standing(.rsaForgery, "of-half-its-length"): { $0 = Array($0.suffix(128)) },
      "twice": { $0 += $0 }, "as-an-integer": { $0 = ASN1Node.unsigned($0).encoded },
      "in-an-octet-string-again": { $0 = ASN1Node.octetString($0).encoded },
    ]
    for (name, edit) in edits {
      rsa("5.19", "signature-value-\(name)", .malformedSignature) {
        try $0.sign { $0.signatureRecipe.editValue = edit }
      }
    }
    let short: Edit<[UInt8]> = { $0.removeLast() }
    rsa(
      "5.19", .standing(.rsaForgery, "signature-value-too-short-before-the-intermediate-is-missed"), .malformedSignature
    ) { draft in
      draft.layers.signatureRecipe.editValue = short
      try draft.certificates { $0.removeLast() }
    }
    rsa("5.19", .standing(.rsaForgery, "signature-value-too-short-before-another-signer-is-named"), .malformedSignature)
    { draft in
      draft.layers.signatureRecipe.editValue = short
      draft.layers.signer.serial = .integer(1)
      try draft.sign()
    }
    rsa("6.1", "signature-value-too-short-without-a-leaf", .missingLeafMarker) { draft in
      draft.layers.signatureRecipe.editValue = short
      try draft.certificates { $0.removeFirst() }
    }
    rsa("6.1", "signature-value-too-short-with-both-leaves", .missingLeafMarker) { draft in
      draft.layers.signatureRecipe.editValue = short
      try draft.append(certificate: draft.minter.pki.leaf)
    }
    rsa("7.4", .standing(.forgery, "signature-value-of-any-length-under-an-ec-leaf"), .untrustedChain) { draft in
      draft.layers.signatureRecipe.editValue = { $0 = [1, 2, 3] }
      let rsaKey = draft.layers.signer.rsaKey
      draft.layers.signer = TokenSigner(draft.minter.pki)
      draft.layers.signer.rsaKey = rsaKey
      try draft.sign()
    }
  }
}
