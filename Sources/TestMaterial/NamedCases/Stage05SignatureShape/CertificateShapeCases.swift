import Minting
import PaymentToken
import TestCases

/// Rules 5.13 and 5.14: certificates and names. The token is signed after the change.
extension CaseList {
  /// For faults in the part of a certificate that its own signature does not cover.
  private static let around = Standing(.holder, .rfc(5280, "4.1"), .strictness)

  mutating func addCertificateShapeCases() {
    addBodyCases()
    addNameCases()
    let certificates: Named<Edit<ASN1Node>> = [
      .standing(Self.around, "as-a-set"): { $0.identifier = [0x31] },
      .standing(.anyone, .rfc(5280, "4.1"), .critical, "without-a-signature"): { $0.children.removeLast() },
      .standing(Self.around, "without-an-outer-algorithm"): { $0.children.remove(at: 1) },
      .standing(Self.around, "with-a-fourth-value"): { $0.children.append(.null) },
      .standing(Self.around, "with-its-signature-as-an-octet-string"): {
        $0[2] = .octetString(Array($0[2].contents.dropFirst()))
      },
      "with-unused-bits-in-its-signature": {
        $0[2] = .bitString(Array($0[2].contents.dropFirst()) + [0], unusedBits: 1)
      },
    ]
    for (name, edit) in certificates { leaf("5.13", "leaf-\(name)") { $0.editCertificate = edit } }
    leaf("5.13", .standing(Self.around, "leaf-with-another-outer-algorithm")) {
      $0.outerAlgorithm = Algorithms.ecdsaSHA384
    }
    leaf("5.13", "leaf-with-null-in-its-outer-algorithm") {
      $0.outerAlgorithm = .sequence([OID.ecdsaWithSHA256, .null])
    }
    leaf("5.13", "leaf-with-null-in-its-inner-algorithm") {
      $0.algorithm = .sequence([OID.ecdsaWithSHA256, .null])
      $0.outerAlgorithm = Algorithms.ecdsaSHA256
    }
    leaf("5.10", "leaf-with-two-parameters-of-its-algorithm") {
      $0.algorithm = .sequence([OID.ecdsaWithSHA256, .null, .null])
    }
    leaf("5.10", "leaf-with-an-algorithm-without-an-oid") { $0.algorithm = .sequence([.null]) }
    intermediate("5.13", "intermediate-with-another-outer-algorithm") { $0.outerAlgorithm = Algorithms.ecdsaSHA384 }
    intermediate("5.13", "intermediate-with-a-fourth-value") { $0.editCertificate = { $0.children.append(.null) } }
    reject("5.13", "an-unreadable-third-certificate", .malformedSignature) { draft in
      try draft.certificates { $0.append(ASN1Node.sequence([.sequence([]), .sequence([]), .bitString([])]).encoded) }
    }
  }

  private mutating func addBodyCases() {
    leaf("5.13", "leaf-of-version-1") { $0.version = nil }
    for version in [0, 1, 3] {
      leaf("5.13", "leaf-of-version-field-\(version)") { $0.version = .context(0, [.integer(version)]) }
    }
    leaf("5.13", "leaf-with-an-empty-version") { $0.version = .context(0, []) }
    leaf("5.13", "leaf-with-two-versions") { $0.version = .context(0, [.integer(2), .integer(2)]) }
    leaf("5.13", "leaf-with-a-primitive-version") { $0.version = .contextPrimitive(0, [2]) }
    leaf("5.13", "leaf-with-an-implicit-version") { $0.version = .integer(2) }
    intermediate("5.13", "intermediate-of-version-1") { $0.version = nil }
    for (name, serial) in [
      ("zero", ASN1Node.integer(0)), ("negative", .primitive(2, [0x80])),
      ("of-40-bytes", .unsigned([UInt8](repeating: 0x77, count: 40))),
    ] { leaf("5.13", "leaf-serial-number-\(name)", nil) { $0.serial = serial } }
    leaf("5.13", "leaf-serial-number-as-an-octet-string") { $0.serial.identifier = [0x04] }
    // Of tbsCertificate: 4 is the validity, 6 the public key, 7 the extensions.
    let bodies: Named<Edit<ASN1Node>> = [
      "validity-of-one-time": { $0[4].children.removeLast() },
      "validity-of-three-times": { $0[4].children.append($0[4][1]) },
      "validity-as-a-set": { $0[4].identifier = [0x31] },
      "without-validity": { $0.children.remove(at: 4) }, "without-a-public-key": { $0.children.remove(at: 6) },
      .choice(.apple, "with-an-issuer-unique-id"): { $0.children.insert(.contextPrimitive(1, [0, 1]), at: 7) },
      .choice(.apple, "with-a-subject-unique-id"): { $0.children.insert(.contextPrimitive(2, [0, 1]), at: 7) },
      "with-a-value-after-its-extensions": { $0.children.append(.null) },
      "with-extensions-twice": { $0.children.append($0[7]) }, "body-as-a-set": { $0.identifier = [0x31] },
      "with-issuer-and-subject-missing": { $0.children.removeSubrange(3...5) },
    ]
    for (name, edit) in bodies { leaf("5.13", "leaf-\(name)") { $0.editBody = edit } }
    intermediate("5.13", .choice(.apple, "intermediate-with-a-subject-unique-id")) {
      $0.editBody = { $0.children.insert(.contextPrimitive(2, [0, 1]), at: 7) }
    }
  }

  private mutating func addNameCases() {
    leaf("5.14", .choice(.apple, "leaf-subject-empty"), nil) { $0.subject = .sequence([]) }
    leaf("5.14", "leaf-subject-with-two-attributes-in-one-set", nil) {
      $0.subject = .sequence([
        .set([.sequence([OID.commonName, .utf8String("assay")]), .sequence([OID.country, .printableString("ZZ")])])
      ])
    }
    leaf("5.14", .choice(.apple, "leaf-subject-with-a-value-of-another-type"), nil) {
      $0.subject.children.append(Names.attribute(OID.unknown, .integer(7)))
    }
    let wrong: [(CaseName, ASN1Node)] = [
      ("empty-set", .set([])), ("sequence-for-the-set", .sequence([.sequence([OID.commonName, .utf8String("x")])])),
      ("attribute-without-a-value", .set([.sequence([OID.commonName])])),
      ("attribute-without-a-type", .set([.sequence([.utf8String("x")])])),
      ("attribute-of-three-values", .set([.sequence([OID.commonName, .utf8String("x"), .null])])),
      ("attribute-as-a-set", .set([.set([OID.commonName, .utf8String("x")])])),
      ("attribute-that-is-a-null", .set([.null])),
    ]
    for (name, part) in wrong {
      leafAndIntermediate("5.14", "subject-with-an-\(name)") { $0.subject.children.append(part) }
    }
    leaf("5.14", "leaf-subject-as-a-set") { $0.subject.identifier = [0x31] }
    leaf("5.14", "leaf-subject-as-a-string") { $0.subject = .utf8String("assay") }
  }
}
