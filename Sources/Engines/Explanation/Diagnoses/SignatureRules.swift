import PaymentToken

/// A rule of stages 5 to 8 in words. Docs/Verification.md has the rules; a test compares the numbers and the codes.
package struct SignatureRule: Hashable, Sendable {
  /// The number in Docs/Verification.md.
  package let number: String
  /// The codes of tokens that break it.
  package let codes: [TokenFault.Code]
  /// What the rule demands: the words after "but" in the sentence.
  package let demand: String
  /// What the maker of a test token does about it.
  package let fix: String

  private init(_ number: String, _ codes: TokenFault.Code..., demand: String, fix: String) {
    (self.number, self.codes, self.demand, self.fix) = (number, codes, demand, fix)
  }

  static func numbered(_ number: String) -> SignatureRule? { all.first { $0.number == number } }

  /// The rules that a token can break. Rule 5.18 is missing, because it only permits.
  package static let all = shapes + certificateShapes + chains + signatures

  /// The fix of an encoding rule of the CMS.
  private static let inDER = "write the CMS in DER, all of it, and base64 of these bytes."

  /// The fix of 7.7, where the signing time is outside of the certificate's validity as well.
  package static let fixOutsideValidity =
    "it was not valid at the signing time either, so issue it for that time and sign again, or verify at a time within "
    + "its validity, with --at and --window off."

  private static let shapes: [SignatureRule] = [
    SignatureRule(
      "5.1", .malformedSignature,
      demand: "tag numbers must be below 31, values nest at most 16 deep, and nothing follow ContentInfo", fix: inDER),
    SignatureRule(
      "5.2", .malformedSignature,
      demand: "every value must be complete, and its length must have at most four bytes", fix: inDER),
    SignatureRule(
      "5.3", .malformedSignature,
      demand: "all but ContentInfo and the values around certificates and signers must have the length that DER has",
      fix: inDER),
    SignatureRule(
      "5.4", .malformedSignature,
      demand: "universal type 0 must not occur, SEQUENCE and SET must be constructed, and all other universal types "
        + "primitive", fix: inDER),
    SignatureRule(
      "5.5", .malformedSignature,
      demand: "each value of BOOLEAN, INTEGER, OID, BIT STRING and NULL must have its one encoding in DER", fix: inDER),
    SignatureRule(
      "5.6", .malformedSignature,
      demand: "ContentInfo must be the type id-signedData and a [0] with SignedData",
      fix: "make a CMS signature, as openssl cms -sign -outform DER does."),
    SignatureRule(
      "5.7", .malformedSignature,
      demand: "SignedData must be version 1, one digest algorithm, EncapsulatedContentInfo of id-data without content, "
        + "certificates and one SignerInfo, without crls",
      fix: "sign detached data of the type id-data with one signer, named by issuer and serial number (openssl cms "
        + "without -nodetach, -stream and -keyid), and include no revocation lists."),
    SignatureRule(
      "5.8", .malformedSignature,
      demand: "there must be at most 3 certificates, each of at most 4,096 bytes, and nothing else among them",
      fix: "include the leaf and the intermediate alone, and shorten a certificate that is too long."),
    SignatureRule(
      "5.9", .malformedSignature,
      demand: "SignerInfo must be a version (1, or 3 with a key identifier), the signer identifier, the digest "
        + "algorithm, signed attributes, the signature algorithm and an OCTET STRING, without unsigned attributes",
      fix: "write SignerInfo of these members, each once and in this order."),
    SignatureRule(
      "5.10", .malformedSignature,
      demand:
        "digests must be SHA-256, and the signature ecdsa-with-SHA256 without parameters for EC_v1, rsaEncryption "
        + "or sha256WithRSAEncryption for RSA_v1",
      fix: "sign with SHA-256, and with a leaf whose key is on P-256 for EC_v1 and of RSA for RSA_v1."),
    SignatureRule(
      "5.11", .malformedSignature,
      demand: "contentType (id-data), messageDigest (32 bytes) and signingTime must occur once each, with one value, "
        + "and cmsAlgorithmProtection at most once, with the algorithms of SignerInfo",
      fix: "sign with each of these once, beside any others."),
    SignatureRule(
      "5.12", .malformedSignature,
      demand: "a time must be UTCTime YYMMDDhhmmssZ or GeneralizedTime YYYYMMDDhhmmssZ, and a real one",
      fix: "write it in UTC, with seconds, without fractions, with a Z at its end, and with a year of two digits in a "
        + "UTCTime and of four in a GeneralizedTime."),
  ]

  private static let certificateShapes: [SignatureRule] = [
    SignatureRule(
      "5.13", .malformedSignature,
      demand: "a certificate must be of version 3, with one signature algorithm inside and outside and without unique "
        + "identifiers",
      fix: "issue it again with extensions, which makes it version 3 (openssl x509 with -extfile)."),
    SignatureRule(
      "5.14", .malformedSignature,
      demand: "a name must be a SEQUENCE of SETs of attributes, each an OID and one value",
      fix: "issue the certificates again with well-formed names."),
    SignatureRule(
      "5.15", .malformedSignature,
      demand: "the extensions of a certificate must be a list of at least one, none of them twice",
      fix: "issue it again with each extension once."),
    SignatureRule(
      "5.16", .malformedSignature,
      demand: "an EC key must have a named curve and an uncompressed point on it (65 bytes for P-256), an RSA key "
        + "parameters NULL, the exponent 65537 and at most 4,096 bits",
      fix: "issue the certificate again for such a key (openssl genpkey does it by default)."),
    SignatureRule(
      "5.17", .malformedSignature,
      demand: "basicConstraints must be a SEQUENCE of cA and pathLenConstraint, keyUsage a BIT STRING and "
        + "subjectKeyIdentifier an OCTET STRING",
      fix: "issue the certificate again with these extensions well-formed."),
    SignatureRule(
      "5.19", .malformedSignature,
      demand: "an RSA signature must be exactly as long as the modulus of the leaf's key",
      fix: "sign with the leaf's key, and keep the zeros at the beginning."),
  ]

  private static let chains: [SignatureRule] = [
    SignatureRule(
      "6.1", .missingLeafMarker,
      demand: "exactly one certificate must have the extension 1.2.840.113635.100.6.29, which makes it the leaf",
      fix:
        "issue the leaf with this extension (of any value), and no other certificate with it, and include the leaf in "
        + "the signature."),
    SignatureRule(
      "6.2", .missingIntermediateMarker,
      demand:
        "exactly one certificate must have the extension 1.2.840.113635.100.6.2.14, and not the leaf, which makes "
        + "it the intermediate",
      fix:
        "issue the intermediate with this extension (of any value), and no other certificate with it, and include the "
        + "intermediate in the signature."),
    SignatureRule(
      "6.3", .unexpectedCertificate,
      demand: "a certificate beside leaf and intermediate must be a trusted root, byte for byte",
      fix: "leave it out, or, if it is your root, name this very file with --root."),
    SignatureRule(
      "6.4", .signerMismatch,
      demand: "it must name the leaf, by issuer and serial number or by its subjectKeyIdentifier",
      fix: "sign with the leaf as the signer's certificate."),
    SignatureRule(
      "7.1", .untrustedChain,
      demand: "its issuer must be a trusted root",
      fix: "give the root that issued it with --root, or issue it under your root."),
    SignatureRule(
      "7.2", .untrustedChain,
      demand: "each certificate must name the one above it as its issuer, byte for byte, and have a signature by it: "
        + "ECDSA on P-256 or P-384, or RSA (PKCS #1 v1.5) of at least 2,048 bits, with SHA-256 or SHA-384",
      fix: "issue it again like that with the certificate above it and its key, or give the one that did issue it "
        + "(a root with --root)."),
    SignatureRule(
      "7.3", .untrustedChain,
      demand:
        "root and intermediate must have basicConstraints with cA TRUE, pathLenConstraint absent or at least 1 in "
        + "the root and 0 in the intermediate, and keyUsage absent or with keyCertSign",
      fix: "issue this certificate again like that."),
    SignatureRule(
      "7.4", .untrustedChain,
      demand:
        "the leaf must be without cA TRUE, with keyUsage absent or with digitalSignature, and with a key on P-256 "
        + "for EC_v1, of RSA with 2,048 to 4,096 bits for RSA_v1",
      fix: "issue the leaf again like that."),
    SignatureRule(
      "7.5", .untrustedChain,
      demand: "only basicConstraints, keyUsage and Apple's two markers may be critical",
      fix: "issue this certificate again with the extension not critical, or without it."),
    SignatureRule(
      "7.6", .certificateRevoked,
      demand: "neither may be on the list of --revoked",
      fix: "sign with another certificate, or take this one off the list."),
    SignatureRule(
      "7.7", .certificateExpired, .certificateNotYetValid,
      demand: "leaf and intermediate must be valid at the verification time",
      fix: "verify at a time within its validity, with --at, or issue it again for the time of the test."),
  ]

  private static let signatures: [SignatureRule] = [
    SignatureRule(
      "8.1", .signatureMismatch,
      demand: "it must be that of ephemeralPublicKey (RSA_v1: wrappedKey), data, transactionId and applicationData, if "
        + "present, decoded and in this order",
      fix: "sign these bytes and nothing else (openssl cms with -binary, Python's cryptography with "
        + "PKCS7Options.Binary, since both convert line ends otherwise), and alter no member afterwards."),
    SignatureRule(
      "8.2", .signatureMismatch,
      demand: "the leaf's key must sign the signed attributes, encoded as a SET OF (tag 31, not A0)",
      fix: "sign the attributes exactly as they are sent, with the first byte A0 made 31, rather than the content, "
        + "hashed once, with SHA-256, with the leaf's private key, and alter nothing afterwards."),
    SignatureRule(
      "8.3", .signatureMismatch,
      demand: "an ECDSA signature must be a DER SEQUENCE of the INTEGERs r and s, from 1 to n-1",
      fix: "convert it to DER, since many libraries return r and s one after the other."),
    SignatureRule(
      "8.4", .signatureMismatch,
      demand: "an RSA signature must be by PKCS #1 v1.5 with SHA-256 over the signed attributes, encoded as a SET OF "
        + "(tag 31, not A0)",
      fix: "sign them so, not with PSS, with the leaf's private key, and alter nothing afterwards."),
  ]
}
