/// Flags of the CMS, its certificates, the chain, the signature and its time: stages 5 to 9.
extension VectorFlag {
  static let signatures: [VectorFlag] = [
    VectorFlag(
      "BERLength", .parser, clauses: ["5.2", "5.3"],
      "Lengths that are indefinite, not minimal, reserved or wrong.",
      "Genuine tokens of indefinite length are refused, or two parsers see different signers.",
      cves: ["CVE-2014-8275"], links: ["https://www.itu.int/rec/T-REC-X.690"]),
    VectorFlag(
      "BERTag", .parser, clauses: ["5.1", "5.4"],
      "High tag numbers, constructed strings, primitive sequences, deep nesting, bytes after the end.",
      "Two parsers see different structures in the same signature.",
      links: ["https://www.itu.int/rec/T-REC-X.690"]),
    VectorFlag(
      "BERValue", .parser, clauses: ["5.5"],
      "Integers, booleans, object identifiers and bit strings that are not in their shortest or only form.",
      "Equal values compare as different, and different ones as equal.",
      cves: ["CVE-2014-8275"], links: ["https://www.itu.int/rec/T-REC-X.690"]),
    VectorFlag(
      "CMSStructure", .parser, clauses: ["5.6", "5.7", "5.9"],
      "Content inside the CMS, several signers, unsigned attributes, and versions and tags that tokens do not have.",
      "Other content than the token's, or another signer's signature, is verified.",
      links: [rfc(5652), "https://datatracker.ietf.org/doc/draft-ietf-lamps-cms-euf-cma-signeddata/"]),
    VectorFlag(
      "AlgorithmIdentifier", .parser, clauses: ["5.10"],
      "Digest and signature algorithms that are weak, of the other version, or with unexpected parameters.",
      "Attackers choose an algorithm whose signatures they can forge.",
      links: [rfc(6211)]),
    VectorFlag(
      "SignedAttributes", .missingStep, clauses: ["5.11"],
      "Signed attributes that are missing, repeated or of several values; cmsAlgorithmProtection right and wrong.",
      "The attribute that is checked is not the one that was signed.",
      links: [rfc(5652, "14"), rfc(6211), "https://datatracker.ietf.org/doc/draft-ietf-lamps-cms-euf-cma-signeddata/"]),
    VectorFlag(
      "TimeForm", .parser, clauses: ["5.12"],
      "Times without seconds, with offsets, of impossible days and leap seconds, around the two-digit pivot of 1950.",
      "A token or a certificate never expires, or its date is wrong by a century.",
      links: [rfc(5280, "4.1.2.5")]),
    VectorFlag(
      "CertificateShape", .parser, clauses: ["5.8", "5.13", "5.14", "5.15", "5.17", "5.18"],
      "Certificates of other versions, with missing, repeated or misplaced fields, or with malformed extensions.",
      "A certificate means one thing to its issuer and another to the decryptor.",
      cves: ["CVE-2014-8275"], links: [doi("10.1109/SP.2014.15"), rfc(5280, "4.1")]),
    VectorFlag(
      "CertificateKey", .parser, clauses: ["5.16"],
      "Public keys in certificates that are compressed, off the curve, with explicit parameters, or invalid RSA keys.",
      "Attackers who choose the curve's parameters can forge signatures on it.",
      cves: ["CVE-2020-0601"], links: [rfc(5480, "2.1.1")]),
    VectorFlag(
      "SignatureLength", .missingStep, clauses: ["5.19"],
      "An RSA signature that is not as long as the modulus.",
      "The process crashes, or one signature has several forms.",
      links: [rfc(8017, "8.2.2")]),
    VectorFlag(
      "Marker", .authBypass, clauses: ["6.1", "6.2"],
      "Apple's marker extensions are missing, in the wrong certificate, or in several certificates.",
      "Any certificate under the same root can sign payments, whatever it was issued for.",
      links: [cwe(295)]),
    VectorFlag(
      "ExtraCertificate", .authBypass, clauses: ["6.3"],
      "Certificates in the CMS that belong to no chain.",
      "The signature is verified with a key that the chain does not cover.",
      links: [cwe(295)]),
    VectorFlag(
      "SignerIdentifier", .authBypass, clauses: ["6.4"],
      "The signer identifier does not name the leaf.",
      "Another certificate than the verified one is taken as the signer's.",
      links: [rfc(5652, "5.3")]),
    VectorFlag(
      "UntrustedRoot", .authBypass, clauses: ["7.1"],
      "The chain ends in a root that is not the pinned one, or that shares only its name.",
      "Anybody can make a chain that is accepted.",
      cves: ["CVE-2020-0601"], links: [cwe(296)]),
    VectorFlag(
      "ChainSignature", .authBypass, clauses: ["7.2"],
      "A certificate's signature or issuer is wrong, or its algorithm is not allowed.",
      "Chains are accepted whose certificates match by name alone.",
      links: [doi("10.1109/SP.2014.15"), rfc(5280, "6.1.3")]),
    VectorFlag(
      "NoAuthority", .authBypass, clauses: ["7.3"],
      "A certificate that is not a certification authority has issued another.",
      "The holder of any certificate under the root can issue leaves.",
      cves: ["CVE-2002-0862", "CVE-2015-1793", "CVE-2021-3450"], links: [rfc(5280, "4.2.1.9")]),
    VectorFlag(
      "LeafUsage", .missingStep, clauses: ["7.4"],
      "A leaf that may not sign data, is an authority, or has a key of the wrong kind or strength.",
      "Keys issued for another purpose sign payments.",
      links: [rfc(5280, "4.2.1.3")]),
    VectorFlag(
      "CriticalExtension", .missingStep, clauses: ["7.5"],
      "A critical extension that the decryptor does not process.",
      "A restriction that the issuer has set is ignored.",
      links: [rfc(5280, "4.2")]),
    VectorFlag(
      "Revoked", .missingStep, clauses: ["7.6"],
      "A certificate or its key is on the caller's list of revoked ones.",
      "A stolen key continues to sign.",
      cves: ["CVE-2014-8275"], links: [rfc(5280, "3.3")]),
    VectorFlag(
      "CertificateDates", .missingStep, clauses: ["7.7"],
      "Certificates at, one second before and one second after the ends of their validity.",
      "Keys that were retired years ago continue to sign.",
      links: [rfc(5280, "4.1.2.5"), cwe(298)]),
    VectorFlag(
      "SignedContent", .authBypass, clauses: ["8.1"],
      "The message digest is not that of the signed members in their order.",
      "Ciphertext, keys or transactions can be exchanged under a genuine signature.",
      links: [rfc(5652, "5.6")]),
    VectorFlag(
      "AttributeSignature", .authBypass, clauses: ["8.2"],
      "The signature does not verify over the attributes, or verifies over something else.",
      "Any token is accepted, because the result of the verification is ignored.",
      cves: ["CVE-2008-5077"], links: [cwe(252), rfc(5652, "5.4")]),
    VectorFlag(
      "ECDSAEdge", .edgeCase, clauses: ["8.3"],
      "r and s at the ends of their range and beyond, other encodings, high s, and values that arithmetic gets wrong.",
      "Signatures that anybody can write are accepted, or genuine ones are refused now and then.",
      cves: ["CVE-2022-21449", "CVE-2019-14859", "CVE-2020-13822"],
      links: ["https://neilmadden.blog/2022/04/19/psychic-signatures-in-java/"]),
    VectorFlag(
      "RSASignature", .authBypass, clauses: ["8.4"],
      "RSA encodings with room for forgery, and values equal to the modulus or larger.",
      "Signatures can be forged without the key (Bleichenbacher 2006, BERserk 2014).",
      cves: ["CVE-2006-4339", "CVE-2014-1569", "CVE-2018-16151"], links: [rfc(8017, "9.2")]),
    VectorFlag(
      "SigningTime", .missingStep, clauses: ["9.1"],
      "Signing times to the second at both ends of the window, with the widest, the narrowest and no window.",
      "A recorded token can be used forever, or payments are refused for a clock that is a second off.",
      links: [cwe(294)]),
  ]
}
