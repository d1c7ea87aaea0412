import Minting
import PaymentToken

/// Rules 5.15, 5.17 and 5.18: extensions. The certificates are signed after the change.
extension CaseList {
  /// Types of which one is the beginning of another; a reader that sorts them must compare their lengths.
  mutating func addExtensionOrderCases() {
    let (short, long): ([UInt8], [UInt8]) = ([0x2A, 0x03], [0x2A, 0x03, 0x01])
    let orders: [(CaseName, [[UInt8]], TokenFault.Code?)] = [
      ("the-longer-first", [long, short], nil), ("the-shorter-first", [short, long], nil),
      ("the-longer-twice", [long, short, long], .malformedSignature),
      ("the-shorter-twice", [short, long, short], .malformedSignature),
    ]
    for (name, types, code) in orders {
      leafAndIntermediate("5.15", "extension-types-that-begin-alike-\(name)", code) { certificate in
        for type in types { certificate.extensions.append(.sequence([.primitive(6, type), .octetString([])])) }
      }
    }
  }

  /// The first types in the list, where a sort begins: a reader that sorts them finds a repetition only if its
  /// comparison is a consistent order.
  mutating func addFirstExtensionCases() {
    let (a, b, c): ([UInt8], [UInt8], [UInt8]) = ([0x2A, 0x03, 0x01], [0x2A, 0x03, 0x02], [0x2A, 0x03, 0x03])
    let (otherFirst, shorter, longer): ([UInt8], [UInt8], [UInt8]) = ([0x2B, 0x03, 0x01], [0x2A, 0x03], a + [0x01])
    // From 64 elements on, some sort algorithms look for runs that are already sorted.
    let others: [[UInt8]] = (0..<64).map { [0x2A, 0x04, $0] }
    let orders: [(CaseName, [[UInt8]], TokenFault.Code?)] = [
      ("in-order", [a, b, c], nil), ("in-reverse", [c, b, a], nil),
      ("around-a-higher-one", [a, b, a], .malformedSignature), ("around-a-lower-one", [b, a, b], .malformedSignature),
      ("around-two-in-order", [a, b, c, a], .malformedSignature),
      ("around-two-in-reverse", [c, b, a, c], .malformedSignature),
      ("crossed", [a, b, c, b, a], .malformedSignature),
      ("around-one-of-another-first-byte", [a, otherFirst, a], .malformedSignature),
      ("around-a-shorter-one", [a, shorter, a], .malformedSignature),
      ("around-a-longer-one", [a, longer, a], .malformedSignature),
      ("in-order-before-64-others", [a, b] + others, nil),
      ("around-a-higher-one-before-64-others", [a, b, a] + others, .malformedSignature),
      ("around-a-lower-one-before-64-others", [b, a, b] + others, .malformedSignature),
      ("around-a-shorter-one-before-64-others", [a, shorter, a] + others, .malformedSignature),
      ("around-a-longer-one-before-64-others", [a, longer, a] + others, .malformedSignature),
    ]
    for (name, types, code) in orders {
      leafAndIntermediate("5.15", "first-extension-types-\(name)", code) { certificate in
        let first = types.map { ASN1Node.sequence([.primitive(6, $0), .octetString([])]) }
        certificate.extensions = first + certificate.extensions
      }
    }
  }

  mutating func addExtensionCases() {
    addExtensionShapeCases()
    addBasicConstraintsCases()
    addKeyUsageCases()
    addUnreadCases()
  }

  private mutating func addExtensionShapeCases() {
    leaf("6.1", "leaf-without-extensions", .missingLeafMarker) { $0.extensions = [] }
    leaf("5.15", .standing(.forgery, "leaf-with-an-empty-list-of-extensions")) {
      $0.extensions = []
      $0.editBody = { $0.children.append(.context(3, [.sequence([])])) }
    }
    leaf("5.15", .standing(.forgery, "leaf-with-an-empty-extensions-field")) { $0.editBody = { $0[7].children = [] } }
    leaf("5.15", "leaf-with-two-lists-of-extensions") { $0.editBody = { $0[7].children += $0[7].children } }
    leaf("5.15", "leaf-with-extensions-as-a-set") { $0.editBody = { $0[7][0].identifier = [0x31] } }
    leaf("5.15", "leaf-with-a-primitive-extensions-field") {
      $0.editBody = { $0[7] = .contextPrimitive(3, $0[7].contents) }
    }
    leaf("5.15", "leaf-with-extensions-tagged-4") { $0.editBody = { $0[7].identifier = [0xA4] } }
    let wrong: [(CaseName, ASN1Node)] = [
      ("without-a-value", .sequence([OID.unknown])), ("without-an-oid", .sequence([.octetString([])])),
      ("that-is-empty", .sequence([])),
      ("with-a-bit-string-for-the-value", .sequence([OID.unknown, .bitString([])])),
      ("with-two-values", .sequence([OID.unknown, .octetString([]), .octetString([])])),
      ("with-two-critical-flags", .sequence([OID.unknown, .boolean(false), .boolean(false), .octetString([])])),
      ("with-an-integer-for-the-critical-flag", .sequence([OID.unknown, .integer(0), .octetString([])])),
      ("with-the-critical-flag-last", .sequence([OID.unknown, .octetString([]), .boolean(false)])),
      ("as-a-set", .set([OID.unknown, .octetString([])])),
      ("that-is-a-null", .null),
    ]
    for (name, node) in wrong {
      leafAndIntermediate("5.15", "with-an-extension-\(name)") { $0.extensions.append(node) }
    }
    for (name, oid) in [
      ("key-usage", OID.keyUsage), ("marker", OID.leafMarker), ("policies", OID.certificatePolicies),
      ("basic-constraints", OID.basicConstraints),
    ] {
      leaf("5.15", "leaf-with-\(name)-twice") { recipe in
        if let node = recipe.extensions.first(where: { $0[0] == oid }) { recipe.extensions.append(node) }
      }
    }
    leaf("5.15", "leaf-with-an-unknown-extension-twice") {
      $0.extensions += [Extensions.make(OID.unknown, .null), Extensions.make(OID.unknown, .octetString([1]))]
    }
    intermediate("5.15", "intermediate-with-its-marker-twice") { $0.extensions.append(Extensions.intermediateMarker) }
    leaf("5.15", .choice(.apple, "leaf-with-an-explicit-not-critical"), nil) {
      $0.extensions.append(Extensions.make(OID.unknown, critical: false, .null))
    }
    leaf("5.15", .choice(.apple, "leaf-with-key-usage-explicitly-not-critical"), nil) {
      $0.editExtension(OID.keyUsage) { $0[1] = .boolean(false) }
    }
  }

  private mutating func addBasicConstraintsCases() {
    let values: [(CaseName, [UInt8], TokenFault.Code?)] = [
      ("explicitly-false", [0x30, 3, 1, 1, 0], nil), ("of-a-path-length-alone", [0x30, 3, 2, 1, 0], nil),
      ("false-with-a-path-length", [0x30, 6, 1, 1, 0, 2, 1, 3], nil),
      ("empty", [], .malformedSignature), ("of-null", [5, 0], .malformedSignature),
      ("as-a-set", [0x31, 0], .malformedSignature),
      ("with-a-byte-after-it", [0x30, 0, 0], .malformedSignature),
      ("with-a-third-value", [0x30, 8, 1, 1, 0, 2, 1, 0, 5, 0], .malformedSignature),
      ("with-a-negative-path-length", [0x30, 3, 2, 1, 0xFF], .malformedSignature),
      ("in-reverse", [0x30, 6, 2, 1, 0, 1, 1, 0], .malformedSignature),
      ("with-a-flag-of-01", [0x30, 3, 1, 1, 1], .malformedSignature),
      ("with-a-padded-path-length", [0x30, 4, 2, 2, 0, 1], .malformedSignature),
      ("with-a-long-length", [0x30, 0x81, 0], .malformedSignature),
      ("of-indefinite-length", [0x30, 0x80, 0, 0], .malformedSignature),
      ("cut", [0x30, 3, 1, 1], .malformedSignature),
      ("with-two-flags", [0x30, 6, 1, 1, 0, 1, 1, 0], .malformedSignature),
    ]
    for (name, bytes, code) in values {
      leaf("5.17", "leaf-basic-constraints-\(name)", code) { $0.setExtensionValue(OID.basicConstraints, bytes) }
    }
    for (name, bytes) in [
      ("with-a-byte-after-it", [0x30, 3, 1, 1, 0xFF, 0]), ("with-a-flag-of-01", [0x30, 3, 1, 1, 1]),
      ("with-a-negative-path-length", [0x30, 6, 1, 1, 0xFF, 2, 1, 0x80]),
    ] as [(CaseName, [UInt8])] {
      intermediate("5.17", "intermediate-basic-constraints-\(name)") {
        $0.setExtensionValue(OID.basicConstraints, bytes)
      }
    }
  }

  private mutating func addKeyUsageCases() {
    let values: [(CaseName, [UInt8], TokenFault.Code?)] = [
      ("of-two-bytes", [3, 3, 7, 0x80, 0x80], nil), ("with-zero-bits-after-it", [3, 2, 0, 0x80], nil),
      ("of-all-bits", [3, 2, 0, 0xFF], nil),
      ("of-no-bits", [3, 1, 0], .untrustedChain), ("of-zeros", [3, 2, 0, 0], .untrustedChain),
      ("of-bit-8-alone", [3, 3, 7, 0, 0x80], .untrustedChain),
      ("empty", [], .malformedSignature), ("as-an-octet-string", [4, 1, 0x80], .malformedSignature),
      ("of-no-bytes", [3, 0], .malformedSignature),
      ("with-a-byte-after-it", [3, 2, 7, 0x80, 0], .malformedSignature),
      ("with-an-unused-bit-set", [3, 2, 7, 0xC0], .malformedSignature),
      ("with-8-unused-bits", [3, 2, 8, 0], .malformedSignature),
      ("with-a-long-length", [3, 0x81, 2, 7, 0x80], .malformedSignature),
      ("constructed", [0x23, 4, 3, 2, 7, 0x80], .malformedSignature), ("cut", [3, 2, 7], .malformedSignature),
    ]
    for (name, bytes, code) in values {
      leaf("5.17", "leaf-key-usage-\(name)", code) { $0.setExtensionValue(OID.keyUsage, bytes) }
    }
    let identifiers: [(CaseName, [UInt8], TokenFault.Code?)] = [
      ("empty", [], .malformedSignature), ("of-null", [5, 0], .malformedSignature),
      ("with-a-byte-after-it", [4, 1, 1, 0], .malformedSignature),
      ("constructed", [0x24, 3, 4, 1, 1], .malformedSignature),
      ("with-a-long-length", [4, 0x81, 1, 1], .malformedSignature), ("of-no-bytes", [4, 0], nil),
      ("of-one-byte", [4, 1, 1], nil),
    ]
    for (name, bytes, code) in identifiers {
      leafAndIntermediate("5.17", "subject-key-identifier-\(name)", code) {
        $0.setExtensionValue(OID.subjectKeyIdentifier, bytes)
      }
    }
  }

  /// OpenSSL's functions find no key identifier in a certificate if they cannot read one of its other extensions.
  mutating func addUnreadableSignerCases() {
    accept("5.18", "signer-named-by-the-key-identifier-of-a-leaf-with-garbage-in-an-extension") { draft in
      draft.layers.signatureRecipe.identifier = .subjectKeyIdentifier
      try draft.leaf { $0.setExtensionValue(OID.authorityKeyIdentifier, [0x30, 0x80, 0xFF, 0x02, 0x00]) }
    }
    underRSA("signer-named-by-the-key-identifier-of-a-leaf-with-garbage-in-an-extension")
  }

  private mutating func addUnreadCases() {
    let garbage: [UInt8] = [0x30, 0x80, 0xFF, 0x02, 0x00]
    for (name, oid) in [
      ("authority-key-identifier", OID.authorityKeyIdentifier), ("information-access", OID.authorityInformationAccess),
      ("policies", OID.certificatePolicies), ("distribution-points", OID.crlDistributionPoints),
      ("marker", OID.leafMarker),
    ] {
      leaf("5.18", "leaf-with-garbage-for-its-\(name)", nil) { $0.setExtensionValue(oid, garbage) }
      leaf("5.18", "leaf-with-nothing-for-its-\(name)", nil) { $0.setExtensionValue(oid, []) }
    }
    leaf("5.18", "leaf-with-garbage-for-extended-key-usage", nil) {
      $0.extensions.append(Extensions.make(OID.extendedKeyUsage, .raw(garbage)))
    }
    intermediate("5.18", "intermediate-with-garbage-for-its-marker", nil) {
      $0.setExtensionValue(OID.intermediateMarker, garbage)
    }
    intermediate("5.18", "intermediate-with-garbage-for-name-constraints", nil) {
      $0.extensions.append(Extensions.make(OID.nameConstraints, .raw(garbage)))
    }
  }
}
