/// Flags of the CMS, its certificates, the chain, the signature and its time: stages 5 to 9.
extension VectorFlag {
  static let signatures: [VectorFlag] = [
    VectorFlag(
      "BERLength", .parser, clauses: ["5.2", "5.3"],
      "Lengths that are indefinite, longer than they need be, reserved, or that lie.",
      "Genuine tokens of indefinite length are refused, or two readers see different signers."),
    VectorFlag(
      "BERTag", .parser, clauses: ["5.1", "5.4"],
      "High tag numbers, strings in pieces, primitive sequences, deep nesting, something after the end.",
      "Two readers see different structures in the same signature."),
    VectorFlag(
      "BERValue", .parser, clauses: ["5.5"],
      "Integers, booleans, identifiers and bit strings that have a shorter or another form.",
      "Values that are equal compare as different, and the other way round."),
    VectorFlag(
      "CMSStructure", .parser, clauses: ["5.6", "5.7", "5.9"],
      "Content inside the CMS, several signers, unsigned attributes, versions and tags that are not those of a token.",
      "Another content or another signer is verified than the token's."),
    VectorFlag(
      "AlgorithmIdentifier", .parser, clauses: ["5.10"],
      "Digest and signature algorithms that are weak, of the other version, or with parameters of their own.",
      "The attacker chooses the algorithm that he can forge."),
    VectorFlag(
      "SignedAttributes", .missingStep, clauses: ["5.11"],
      "Signed attributes missing, doubled, of several values; cmsAlgorithmProtection right and wrong.",
      "The attribute that is checked is not the one that was signed."),
    VectorFlag(
      "TimeForm", .parser, clauses: ["5.12"],
      "Times without seconds, with offsets, of days and leap seconds that do not exist, around the pivot of 1950.",
      "A token or a certificate is fresh for ever, or by a hundred years."),
    VectorFlag(
      "CertificateShape", .parser, clauses: ["5.8", "5.13", "5.14", "5.15", "5.17", "5.18"],
      "Certificates of other versions, with fields missing, doubled or out of place, and with extensions that are none.",
      "A certificate means one thing to its issuer and another to the decryptor."),
    VectorFlag(
      "CertificateKey", .parser, clauses: ["5.16"],
      "Keys in certificates that are compressed, off the curve, with parameters of their own, or RSA keys that are none.",
      "Whoever chooses the curve can forge signatures by it."),
    VectorFlag(
      "SignatureLength", .missingStep, clauses: ["5.19"],
      "An RSA signature that is not as long as the modulus.",
      "A crash, or signatures in several forms."),
    VectorFlag(
      "Marker", .authBypass, clauses: ["6.1", "6.2"],
      "Apple's marker extensions missing, elsewhere, or in several certificates.",
      "Any certificate under the same root, for whatever purpose, signs payments."),
    VectorFlag(
      "ExtraCertificate", .authBypass, clauses: ["6.3"],
      "Certificates that come along and belong to no chain.",
      "The signature is verified with a key that the chain says nothing about."),
    VectorFlag(
      "SignerIdentifier", .authBypass, clauses: ["6.4"],
      "The signer is named otherwise than the leaf.",
      "Another certificate than the one that was checked is taken for the signer's."),
    VectorFlag(
      "UntrustedRoot", .authBypass, clauses: ["7.1"],
      "The chain ends in a root that is not the pinned one, or only in its name.",
      "Everybody can make a chain that is accepted."),
    VectorFlag(
      "ChainSignature", .authBypass, clauses: ["7.2"],
      "A certificate's signature or issuer does not hold, or its algorithm is not allowed.",
      "Chains that hang together by names alone are accepted."),
    VectorFlag(
      "NoAuthority", .authBypass, clauses: ["7.3"],
      "A certificate that may not issue certificates does.",
      "The holder of any certificate under the root issues leaves."),
    VectorFlag(
      "LeafUsage", .missingStep, clauses: ["7.4"],
      "A leaf that may not sign data, is an authority, or has a key of the wrong kind or strength.",
      "Keys made for something else sign payments."),
    VectorFlag(
      "CriticalExtension", .missingStep, clauses: ["7.5"],
      "A critical extension that the decryptor does not process.",
      "A limit that the issuer has set is passed over."),
    VectorFlag(
      "Revoked", .missingStep, clauses: ["7.6"],
      "A certificate or its key is on the caller's list.",
      "A stolen key goes on signing."),
    VectorFlag(
      "CertificateDates", .missingStep, clauses: ["7.7"],
      "Certificates to the second at, before and after the ends of their validity.",
      "Keys that were given up years ago go on signing."),
    VectorFlag(
      "SignedContent", .authBypass, clauses: ["8.1"],
      "The digest is not that of the members in their order.",
      "Ciphertext, keys or transactions can be exchanged under a genuine signature."),
    VectorFlag(
      "AttributeSignature", .authBypass, clauses: ["8.2"],
      "The signature does not verify over the attributes, or verifies over something else.",
      "A return value was dropped: any token is accepted."),
    VectorFlag(
      "ECDSAEdge", .edgeCase, clauses: ["8.3"],
      "r and s at and beyond the ends of their range, other encodings, high s, and values that arithmetic stumbles over.",
      "Signatures that anybody can write down are accepted, or genuine ones refused once in a while."),
    VectorFlag(
      "RSASignature", .authBypass, clauses: ["8.4"],
      "RSA encodings with room for forgery, and numbers at and beyond the modulus.",
      "Signatures can be forged without the key, as by Bleichenbacher in 2006."),
    VectorFlag(
      "SigningTime", .missingStep, clauses: ["9.1"],
      "Tokens to the second at the ends of the window, with the widest, the narrowest and no window.",
      "A token that was recorded can be used for ever, or clocks that are a second off refuse payments."),
  ]
}
