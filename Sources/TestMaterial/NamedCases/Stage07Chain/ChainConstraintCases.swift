import Minting
import PaymentToken

/// Rules 7.3 to 7.5: what certificates may be used for.
extension CaseList {
  mutating func addChainConstraintCases() {
    addAuthorityCases()
    addLeafConstraintCases()
    addCriticalCases()
  }

  private mutating func addAuthorityCases() {
    let constraints: [(String, ASN1Node?, TokenFault.Code?, TokenFault.Code?)] = [
      ("without-basic-constraints", nil, .untrustedChain, .untrustedChain),
      ("that-is-no-authority", Extensions.basicConstraints(authority: false), .untrustedChain, .untrustedChain),
      (
        "that-has-a-path-length-and-is-no-authority", Extensions.basicConstraints(authority: false, pathLength: 3),
        .untrustedChain, .untrustedChain
      ),
      ("of-path-length-0", Extensions.basicConstraints(authority: true, pathLength: 0), .untrustedChain, nil),
      ("of-path-length-1", Extensions.basicConstraints(authority: true, pathLength: 1), nil, nil),
      ("of-path-length-128", Extensions.basicConstraints(authority: true, pathLength: 128), nil, nil),
      (
        "of-a-path-length-of-nine-octets",
        Extensions.make(
          OID.basicConstraints, critical: true,
          .sequence([.boolean(true), .unsigned([1] + zeros(8))])), nil, nil
      ),
      (
        "whose-basic-constraints-are-not-critical", Extensions.make(OID.basicConstraints, .sequence([.boolean(true)])),
        nil, nil
      ),
    ]
    for (name, node, root, intermediate) in constraints {
      either("7.3", "root-\(name)", root) { draft in
        try draft.chain { $0.rootRecipe.replaceExtension(OID.basicConstraints, with: node) }
      }
      self.intermediate("7.3", "intermediate-\(name)", intermediate) {
        $0.replaceExtension(OID.basicConstraints, with: node)
      }
    }
    let usages: [(String, ASN1Node?, TokenFault.Code?)] = [
      ("without-key-usage", nil, nil), ("that-may-sign-certificates-alone", Extensions.keyUsage(0x04), nil),
      ("that-may-sign-lists-alone", Extensions.keyUsage(0x02), .untrustedChain),
      ("that-may-sign-data-alone", Extensions.keyUsage(0x80), .untrustedChain),
      ("that-may-agree-on-keys-alone", Extensions.keyUsage(0x08), .untrustedChain),
    ]
    for (name, node, code) in usages {
      either("7.3", "root-\(name)", code) { try $0.chain { $0.rootRecipe.replaceExtension(OID.keyUsage, with: node) } }
      intermediate("7.3", "intermediate-\(name)", code) { $0.replaceExtension(OID.keyUsage, with: node) }
    }
  }

  private mutating func addLeafConstraintCases() {
    leaf("7.4", "leaf-that-is-an-authority", .untrustedChain) {
      $0.replaceExtension(OID.basicConstraints, with: Extensions.basicConstraints(authority: true))
    }
    leaf("7.4", "leaf-that-is-an-authority-of-path-length-0", .untrustedChain) {
      $0.replaceExtension(OID.basicConstraints, with: Extensions.basicConstraints(authority: true, pathLength: 0))
    }
    leaf("7.4", "leaf-without-basic-constraints", nil) { $0.replaceExtension(OID.basicConstraints, with: nil) }
    leaf("7.4", "leaf-without-key-usage", nil) { $0.replaceExtension(OID.keyUsage, with: nil) }
    for (name, bits, code) in [
      ("agree-on-keys", 0x08, TokenFault.Code.untrustedChain), ("commit-to-contents", 0x40, .untrustedChain),
      ("sign-certificates", 0x04, .untrustedChain),
      ("sign-data-and-commit-to-contents", 0xC0, nil),
    ] as [(String, UInt8, TokenFault.Code?)] {
      leaf("7.4", "leaf-that-may-\(name)", code) { $0.replaceExtension(OID.keyUsage, with: Extensions.keyUsage(bits)) }
    }
    leaf("7.4", "leaf-for-servers-by-extended-usage", nil) {
      $0.extensions.append(Extensions.make(OID.extendedKeyUsage, .sequence([OID.serverAuthentication])))
    }
    intermediate("7.4", "intermediate-for-servers-by-extended-usage", nil) {
      $0.extensions.append(Extensions.make(OID.extendedKeyUsage, .sequence([OID.serverAuthentication])))
    }
  }

  private mutating func addCriticalCases() {
    let critical: [(String, ASN1Node)] = [
      ("an-unknown-extension", Extensions.make(OID.unknown, critical: true, .null)),
      (
        "extended-key-usage",
        Extensions.make(OID.extendedKeyUsage, critical: true, .sequence([OID.serverAuthentication]))
      ),
      ("name-constraints", Extensions.make(OID.nameConstraints, critical: true, .sequence([]))),
      ("policies", Extensions.make(OID.certificatePolicies, critical: true, .sequence([.sequence([OID.anyPolicy])]))),
      ("a-merchant-identifier", Extensions.make(OID.merchantIdentifierHash, critical: true, .null)),
      ("a-subject-key-identifier", Extensions.make(OID.subjectKeyIdentifier, critical: true, .octetString([1]))),
      ("an-authority-key-identifier", Extensions.make(OID.authorityKeyIdentifier, critical: true, .sequence([]))),
    ]
    for (name, node) in critical {
      leaf("7.5", "leaf-with-\(name)-critical", .untrustedChain) { $0.replaceExtension(node[0], with: node) }
      intermediate("7.5", "intermediate-with-\(name)-critical", .untrustedChain) {
        $0.replaceExtension(node[0], with: node)
      }
      reject("7.5", "root-with-\(name)-critical", .untrustedChain) { draft in
        try draft.chain { $0.rootRecipe.replaceExtension(node[0], with: node) }
      }
    }
    for (name, marker) in [("leaf", OID.leafMarker), ("intermediate", OID.intermediateMarker)] {
      accept("7.5", "root-with-the-\(name)-marker-critical") { draft in
        try draft.chain { $0.rootRecipe.extensions.append(Extensions.make(marker, critical: true, .null)) }
      }
    }
    leaf("7.5", "leaf-with-an-unknown-extension", nil) { $0.extensions.append(Extensions.make(OID.unknown, .null)) }
    leaf("7.5", "leaf-with-the-authority-key-identifier-of-another", nil) {
      $0.replaceExtension(
        OID.authorityKeyIdentifier, with: Extensions.authorityKeyIdentifier([UInt8](repeating: 1, count: 20)))
    }
    leaf("7.5", "leaf-with-the-subject-key-identifier-of-another", nil) {
      $0.replaceExtension(
        OID.subjectKeyIdentifier, with: Extensions.subjectKeyIdentifier([UInt8](repeating: 1, count: 20)))
    }
    intermediate("7.5", "intermediate-with-the-subject-key-identifier-of-another", nil) {
      $0.replaceExtension(
        OID.subjectKeyIdentifier, with: Extensions.subjectKeyIdentifier([UInt8](repeating: 1, count: 20)))
    }
  }
}
