import Minting
import PaymentToken
import TestCases

/// Rules 7.3 to 7.5: what certificates may be used for.
extension CaseList {
  mutating func addChainConstraintCases() {
    addAuthorityCases()
    addLeafConstraintCases()
    addCriticalCases()
  }

  private static let authority = Standing(.apple, .rfc(5280, "4.2.1.9"), .interoperability)
  private static let usage = Standing(.apple, .rfc(5280, "4.2.1.3"), .interoperability)

  /// The name of a case of the root, whose extensions a verifier need not read: it is pinned.
  private static func root(_ name: CaseName, _ code: TokenFault.Code?) -> CaseName {
    .choice(code == nil ? .apple : .holder, "root-\(name)")
  }

  private mutating func addAuthorityCases() {
    let wrong = TokenFault.Code.untrustedChain
    let constraints: Named<(node: ASN1Node?, root: TokenFault.Code?, intermediate: TokenFault.Code?)> = [
      "without-basic-constraints": (nil, wrong, wrong),
      "that-is-no-authority": (Extensions.basicConstraints(authority: false), wrong, wrong),
      "that-has-a-path-length-and-is-no-authority":
        (Extensions.basicConstraints(authority: false, pathLength: 3), wrong, wrong),
      .standing(Self.authority, "of-path-length-0"): (
        Extensions.basicConstraints(authority: true, pathLength: 0), wrong, nil
      ),
      .standing(Self.authority, "of-path-length-1"): (
        Extensions.basicConstraints(authority: true, pathLength: 1), nil, nil
      ),
      .standing(Self.authority, "of-path-length-128"): (
        Extensions.basicConstraints(authority: true, pathLength: 128), nil, nil
      ),
      "of-a-path-length-of-nine-bytes":
        (
          Extensions.make(
            OID.basicConstraints, critical: true, .sequence([.boolean(true), .unsigned([1] + zeros(8))])), nil, nil
        ),
      "whose-basic-constraints-are-not-critical":
        (Extensions.make(OID.basicConstraints, .sequence([.boolean(true)])), nil, nil),
    ]
    for (name, (node, root, intermediate)) in constraints {
      chain("7.3", CaseList.root(name, root), root) { $0.rootRecipe.replaceExtension(OID.basicConstraints, with: node) }
      self.intermediate("7.3", "intermediate-\(name)", intermediate) {
        $0.replaceExtension(OID.basicConstraints, with: node)
      }
    }
    let usages: [(CaseName, ASN1Node?, TokenFault.Code?)] = [
      ("without-key-usage", nil, nil),
      (.standing(Self.usage, "that-may-sign-certificates-alone"), Extensions.keyUsage(0x04), nil),
      ("that-may-sign-lists-alone", Extensions.keyUsage(0x02), .untrustedChain),
      ("that-may-sign-data-alone", Extensions.keyUsage(0x80), .untrustedChain),
      ("that-may-agree-on-keys-alone", Extensions.keyUsage(0x08), .untrustedChain),
    ]
    for (name, node, code) in usages {
      chain("7.3", CaseList.root(name, code), code) { $0.rootRecipe.replaceExtension(OID.keyUsage, with: node) }
      intermediate("7.3", "intermediate-\(name)", code) { $0.replaceExtension(OID.keyUsage, with: node) }
    }
  }

  private mutating func addLeafConstraintCases() {
    leaf("7.4", .choice(.apple, "leaf-that-is-an-authority"), .untrustedChain) {
      $0.replaceExtension(Extensions.basicConstraints(authority: true))
    }
    leaf("7.4", .choice(.apple, "leaf-that-is-an-authority-of-path-length-0"), .untrustedChain) {
      $0.replaceExtension(Extensions.basicConstraints(authority: true, pathLength: 0))
    }
    leaf("7.4", .choice(.apple, "leaf-without-basic-constraints"), nil) {
      $0.replaceExtension(OID.basicConstraints, with: nil)
    }
    leaf("7.4", .choice(.apple, "leaf-without-key-usage"), nil) { $0.replaceExtension(OID.keyUsage, with: nil) }
    for (name, bits, code) in [
      ("agree-on-keys", 0x08, TokenFault.Code.untrustedChain),
      (.choice(.apple, "commit-to-contents"), 0x40, .untrustedChain),
      ("sign-certificates", 0x04, .untrustedChain),
      ("sign-data-and-commit-to-contents", 0xC0, nil),
    ] as [(CaseName, UInt8, TokenFault.Code?)] {
      leaf("7.4", "leaf-that-may-\(name)", code) { $0.replaceExtension(Extensions.keyUsage(bits)) }
    }
    leafAndIntermediate("7.4", .choice(.apple, "for-servers-by-extended-usage"), nil) {
      $0.extensions.append(Extensions.make(OID.extendedKeyUsage, .sequence([OID.serverAuthentication])))
    }
  }

  private mutating func addCriticalCases() {
    let critical: [(CaseName, ASN1Node)] = [
      ("an-unknown-extension", Extensions.make(OID.unknown, critical: true, .null)),
      (
        .choice(.apple, "extended-key-usage"),
        Extensions.make(OID.extendedKeyUsage, critical: true, .sequence([OID.serverAuthentication]))
      ),
      (.choice(.apple, "name-constraints"), Extensions.make(OID.nameConstraints, critical: true, .sequence([]))),
      (
        .choice(.apple, "policies"),
        Extensions.make(OID.certificatePolicies, critical: true, .sequence([.sequence([OID.anyPolicy])]))
      ),
      ("a-merchant-identifier", Extensions.make(OID.merchantIdentifierHash, critical: true, .null)),
      (
        .choice(.apple, "a-subject-key-identifier"),
        Extensions.make(OID.subjectKeyIdentifier, critical: true, .octetString([1]))
      ),
      (
        .choice(.apple, "an-authority-key-identifier"),
        Extensions.make(OID.authorityKeyIdentifier, critical: true, .sequence([]))
      ),
    ]
    for (name, node) in critical {
      leaf("7.5", "leaf-with-\(name)-critical", .untrustedChain) { $0.replaceExtension(node) }
      intermediate("7.5", "intermediate-with-\(name)-critical", .untrustedChain) { $0.replaceExtension(node) }
      chain("7.5", .choice(.holder, "root-with-\(name)-critical"), .untrustedChain) {
        $0.rootRecipe.replaceExtension(node)
      }
    }
    for (name, marker) in [("leaf", OID.leafMarker), ("intermediate", OID.intermediateMarker)] {
      chain("7.5", .choice(.apple, "root-with-the-\(name)-marker-critical"), nil) {
        $0.rootRecipe.extensions.append(Extensions.make(marker, critical: true, .null))
      }
    }
    leaf("7.5", "leaf-with-an-unknown-extension", nil) { $0.extensions.append(Extensions.make(OID.unknown, .null)) }
    leaf("7.5", .choice(.apple, "leaf-with-the-authority-key-identifier-of-another"), nil) {
      $0.replaceExtension(Extensions.authorityKeyIdentifier([UInt8](repeating: 1, count: 20)))
    }
    leafAndIntermediate("7.5", .choice(.apple, "with-the-subject-key-identifier-of-another"), nil) {
      $0.replaceExtension(Extensions.subjectKeyIdentifier([UInt8](repeating: 1, count: 20)))
    }
  }
}

/// Rules 7.3 and 7.4: of the nine bits of keyUsage one counts, whatever the others say.
extension CaseList {
  mutating func addKeyUsageBitCases() {
    for bit in 0...8 {
      keyUsage("with-bit-\(bit)-of-key-usage-alone", bits: 0x100 >> bit)
      keyUsage("with-all-bits-of-key-usage-but-\(bit)", bits: 0x1FF & ~(0x100 >> bit))
    }
  }

  /// - Parameter bits: nine bits, bit 0 of keyUsage the highest.
  private mutating func keyUsage(_ name: CaseName, bits: Int) {
    let usage = Extensions.make(
      OID.keyUsage, critical: true,
      .bitString([UInt8(bits >> 1), UInt8(bits & 1) << 7], unusedBits: 7))
    let leafCode: TokenFault.Code? = bits & 0x100 != 0 ? nil : .untrustedChain
    let issuerCode: TokenFault.Code? = bits & 0x008 != 0 ? nil : .untrustedChain
    // RFC 8550 4.4.2: bit 1 suffices for signatures of content, too. What other bits say beside the right one is open.
    let isAlone = bits.nonzeroBitCount == 1
    let leaf: CaseName = "leaf-\(name)"
    let intermediate: CaseName = "intermediate-\(name)"
    self.leaf("7.4", bits == 0x080 || leafCode == nil && !isAlone ? .choice(.apple, leaf) : leaf, leafCode) {
      $0.replaceExtension(usage)
    }
    self.intermediate(
      "7.3", issuerCode == nil && isAlone ? .standing(Self.usage, intermediate) : intermediate, issuerCode
    ) { $0.replaceExtension(usage) }
    chain("7.3", CaseList.root(name, issuerCode), issuerCode) { $0.rootRecipe.replaceExtension(usage) }
  }
}

/// Rule 7.7: validity dates, both ends included, and archival mode.
extension CaseList {
  mutating func addValidityCases() {
    let edges: [(CaseName, Int64, Int64, TokenFault.Code?)] = [
      ("from-this-second-on", 0, 1_000, nil), (.standing(Self.endOfValidity, "up-to-this-second"), -1_000, 0, nil),
      (.standing(Self.endOfValidity, "in-this-second-alone"), 0, 0, nil),
      ("up-to-a-second-ago", -1_000, -1, .certificateExpired),
      ("from-the-next-second-on", 1, 1_000, .certificateNotYetValid),
      ("the-wrong-way-round", 1_000, -1_000, .certificateExpired),
      ("up-to-ten-years-ago", -400_000_000, -300_000_000, .certificateExpired),
      ("from-ten-years-on", 300_000_000, 400_000_000, .certificateNotYetValid),
    ]
    for (name, start, end, code) in edges {
      let note = end == 0 ? CaseList.lastSecond : ""
      either("7.7", "leaf-valid-\(name)", code, note: note) { try $0.leaf(validFrom: start, to: end) }
      either("7.7", "intermediate-valid-\(name)", code, note: note) { try $0.intermediate(validFrom: start, to: end) }
    }
    for (name, leaf, intermediate, code) in [
      ("leaf-not-yet-valid-and-intermediate-expired", (1, 9), (-9, -1), TokenFault.Code.certificateNotYetValid),
      ("leaf-expired-and-intermediate-not-yet-valid", (-9, -1), (1, 9), .certificateExpired),
      ("leaf-and-intermediate-expired", (-9, -1), (-9, -1), .certificateExpired),
    ] as [(CaseName, (Int64, Int64), (Int64, Int64), TokenFault.Code)] {
      reject("7.7", name, code) { draft in
        let time = draft.minter.time
        try draft.chain {
          $0.leafRecipe.setValidity(time, leaf.0, leaf.1)
          $0.intermediateRecipe.setValidity(time, intermediate.0, intermediate.1)
        }
      }
    }
    addUsualChainCases()
    addArchivalCases()
  }

  /// The last second belongs to the validity; OpenSSL and what builds on it end a second earlier.
  private static let endOfValidity = Standing(.apple, .rfc(5280, "4.1.2.5"), .choice)
  private static let lastSecond = "OpenSSL accepts no certificate in its last second"

  private static let lastSeconds: [(CaseName, Int64, TokenFault.Code?)] = [
    (.standing(Self.endOfValidity, "in-the-last-second"), 0, nil), ("a-second-after-the-last", 1, .certificateExpired),
  ]

  /// The leaf of most other cases at other times: an engine that caches its chain must check its dates again.
  private mutating func addUsualChainCases() {
    for (name, seconds, code) in CaseList.lastSeconds {
      let note = code == nil ? CaseList.lastSecond : ""
      either("7.7", "a-token-of-the-usual-leaf-\(name)-of-its-validity", code, note: note) { draft in
        try draft.sign(andVerifyAfter: 4 * TestPKI.year + seconds)
      }
    }
    reject("7.7", "a-token-of-the-usual-leaf-a-second-before-its-validity", .certificateNotYetValid) { draft in
      try draft.sign(andVerifyAfter: -TestPKI.year - 1)
    }
  }

  private mutating func addArchivalCases() {
    accept("7.7", "an-archived-token-whose-leaf-has-expired-since") { draft in
      draft.policy.freshness = .signingTime
      draft.now = draft.minter.time.advanced(by: 3_155_695_200)
    }
    accept("9.1", "an-archived-token-far-in-the-future") { draft in
      draft.policy.freshness = .signingTime
      draft.now = UnixTime(secondsSinceEpoch: 0)
    }
    for (name, offset, code) in CaseList.lastSeconds {
      either("7.7", "an-archived-token-signed-\(name)-of-its-leaf", code) { draft in
        draft.policy.freshness = .signingTime
        draft.layers.signedAt = draft.minter.time.advanced(by: offset)
        try draft.leaf(validFrom: -1_000, to: 0)
      }
    }
    reject("7.7", "an-archived-token-signed-before-its-leaf-was-valid", .certificateNotYetValid) { draft in
      draft.policy.freshness = .signingTime
      draft.layers.signedAt = draft.minter.time.advanced(by: -1)
      try draft.leaf(validFrom: 0, to: 1_000)
    }
    for (year, time, code) in [
      ("1950", ASN1Node.utcTime("500101000000Z"), TokenFault.Code.certificateNotYetValid),
      ("9999", .generalizedTime("99991231235959Z"), .certificateExpired),
    ] {
      reject("7.7", "an-archived-token-signed-in-\(year)", code) { draft in
        draft.policy.freshness = .signingTime
        try draft.sign { $0.signatureRecipe.signingTime = time }
      }
    }
  }
}
