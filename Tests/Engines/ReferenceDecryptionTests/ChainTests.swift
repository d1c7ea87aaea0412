import Minting
import PaymentToken
import ReferenceDecryption
import Testing

/// Stages 6 and 7 on chains that differ from the sound one in one thing.
struct ChainTests {
  typealias Edit = (inout TestPKI) throws -> Void

  private let minter: Minter

  init() throws { minter = try Minted.minter() }

  private func code(
    at now: UnixTime = Minted.time, extraRoots: [[UInt8]] = [], bag: [Bagged] = [.leaf, .intermediate],
    _ edit: Edit
  ) throws -> TokenFault.Code? {
    var pki = minter.pki
    try edit(&pki)
    try pki.issue()
    var token = try minter.layers()
    token.signer = TokenSigner(pki)
    token.signer.certificates = bag.map { $0.bytes(of: pki) }
    token.signedAt = now
    try token.sign()
    let anchors = TrustAnchors(certificates: extraRoots + [pki.root])
    return try Minted.engine(minter, anchors: anchors).code(token.token, at: now)
  }

  private static func make(_ arcs: [UInt64], critical: Bool? = nil, _ value: ASN1Node) -> ASN1Node {
    .sequence([.oid(arcs)] + (critical.map { [.boolean($0)] } ?? []) + [.octetString(value.encoded)])
  }

  private static func constraints(_ fields: [ASN1Node]) -> ASN1Node {
    make([2, 5, 29, 19], critical: true, .sequence(fields))
  }

  private static func usage(_ bytes: [UInt8], unused: UInt8 = 0) -> ASN1Node {
    make([2, 5, 29, 15], critical: true, .bitString(bytes, unusedBits: unused))
  }

  private static func has(_ arcs: [UInt64]) -> (ASN1Node) -> Bool { { $0.children.first == .oid(arcs) } }

  /// Removes the extensions with this OID, and appends the replacement if there is one.
  private static func replace(_ extensions: inout [ASN1Node], _ arcs: [UInt64], _ replacement: ASN1Node?) {
    extensions.removeAll(where: has(arcs))
    if let replacement { extensions.append(replacement) }
  }

  private static let basicConstraints: [UInt64] = [2, 5, 29, 19]
  private static let keyUsage: [UInt64] = [2, 5, 29, 15]
  private static let leafMarker: [UInt64] = [1, 2, 840, 113635, 100, 6, 29]
  private static let intermediateMarker: [UInt64] = [1, 2, 840, 113635, 100, 6, 2, 14]

  @Test func `the sound chain is trusted`() throws { #expect(try code { _ in } == nil) }

  @Test func `markers count by their presence alone`() throws {
    let leaf = ChainTests.leafMarker
    let intermediate = ChainTests.intermediateMarker
    #expect(try code { ChainTests.replace(&$0.leafRecipe.extensions, leaf, nil) } == .missingLeafMarker)
    #expect(try code { $0.intermediateRecipe.extensions.append(ChainTests.make(leaf, .null)) } == .missingLeafMarker)
    #expect(
      try code { ChainTests.replace(&$0.intermediateRecipe.extensions, intermediate, nil) }
        == .missingIntermediateMarker)
    #expect(
      try code { $0.leafRecipe.extensions.append(ChainTests.make(intermediate, .null)) } == .missingIntermediateMarker)
    #expect(
      try code {
        ChainTests.replace(&$0.intermediateRecipe.extensions, intermediate, nil)
        $0.leafRecipe.extensions.append(ChainTests.make(intermediate, .null))
      } == .missingIntermediateMarker)
    #expect(
      try code {
        ChainTests.replace(&$0.leafRecipe.extensions, leaf, ChainTests.make(leaf, critical: true, .integer(7)))
        ChainTests.replace(
          &$0.intermediateRecipe.extensions, intermediate, ChainTests.make(intermediate, critical: true, .sequence([])))
      } == nil)
    #expect(try code(bag: [.leaf]) { _ in } == .missingIntermediateMarker)
    #expect(try code(bag: [.intermediate]) { _ in } == .missingLeafMarker)
    #expect(try code(bag: [.leaf, .leaf, .intermediate]) { _ in } == .missingLeafMarker)
    #expect(
      try code(bag: [.leaf, .intermediate, .intermediate]) { _ in } == .missingIntermediateMarker)
  }

  @Test func `a third certificate is a trusted root byte for byte`() throws {
    let foreign = minter.foreign.root
    #expect(try code(bag: [.root, .leaf, .intermediate]) { _ in } == nil)
    #expect(try code(bag: [.leaf, .intermediate, .other(foreign)]) { _ in } == .unexpectedCertificate)
    #expect(
      try code(extraRoots: [foreign], bag: [.leaf, .intermediate, .other(foreign)]) { _ in } == nil)
  }

  @Test func `roots of one name are all tried`() throws {
    var other = minter.foreign
    other.rootRecipe.subject = minter.pki.rootRecipe.subject
    try other.issue()
    #expect(try code(extraRoots: [other.root, minter.foreign.root]) { _ in } == nil)
  }

  @Test func `names link byte for byte`() throws {
    let name = minter.foreign.rootRecipe.subject
    #expect(try code { $0.leafRecipe.issuer = name } == .untrustedChain)
    #expect(try code { $0.intermediateRecipe.issuer = name } == .untrustedChain)
    #expect(try code { $0.rootRecipe.subject = name } == .untrustedChain)
    // The root's own issuer and signature do not matter.
    #expect(try code { $0.rootRecipe.issuer = name } == nil)
    #expect(try code { $0.rootRecipe.editSignature = { $0[9] ^= 1 } } == nil)
  }

  @Test func `a broken signature on leaf or intermediate`() throws {
    #expect(try code { $0.leafRecipe.editSignature = { $0[$0.count - 1] ^= 1 } } == .untrustedChain)
    #expect(try code { $0.intermediateRecipe.editSignature = { $0[$0.count - 1] ^= 1 } } == .untrustedChain)
    #expect(try code { $0.leafRecipe.editSignature = { $0.append(0) } } == .untrustedChain)
    #expect(try code { $0.leafRecipe.editSignature = { $0 = [] } } == .untrustedChain)
    #expect(try code { $0.leafKey = minter.foreign.leafKey } == .signatureMismatch)
  }

  @Test func `authorities say they are, within their path length, and may sign certificates`() throws {
    let base = ChainTests.basicConstraints
    let usage = ChainTests.keyUsage
    let authority = ASN1Node.boolean(true)
    func root(_ value: ASN1Node?, _ arcs: [UInt64]) throws -> TokenFault.Code? {
      try code { ChainTests.replace(&$0.rootRecipe.extensions, arcs, value) }
    }
    func intermediate(_ value: ASN1Node?, _ arcs: [UInt64]) throws -> TokenFault.Code? {
      try code { ChainTests.replace(&$0.intermediateRecipe.extensions, arcs, value) }
    }
    for check in [root, intermediate] {
      #expect(try check(nil, base) == .untrustedChain)
      #expect(try check(ChainTests.constraints([]), base) == .untrustedChain)
      #expect(try check(ChainTests.constraints([.boolean(false)]), base) == .untrustedChain)
      #expect(try check(ChainTests.constraints([authority, .integer(1)]), base) == nil)
      #expect(
        try check(ChainTests.constraints([authority, .unsigned([UInt8](repeating: 0xFF, count: 20))]), base) == nil)
      #expect(try check(nil, usage) == nil)
      #expect(try check(ChainTests.usage([0x80], unused: 7), usage) == .untrustedChain)
      #expect(try check(ChainTests.usage([]), usage) == .untrustedChain)
      #expect(try check(ChainTests.usage([0x04], unused: 2), usage) == nil)
    }
    #expect(try root(ChainTests.constraints([authority, .integer(0)]), base) == .untrustedChain)
    #expect(try intermediate(ChainTests.constraints([authority, .integer(0)]), base) == nil)
    #expect(
      try intermediate(ChainTests.constraints([authority, .primitive(0x02, [0xFF])]), base) == .malformedSignature)
  }

  @Test func `the leaf is no authority and may sign`() throws {
    let base = ChainTests.basicConstraints
    let usage = ChainTests.keyUsage
    func leaf(_ value: ASN1Node?, _ arcs: [UInt64]) throws -> TokenFault.Code? {
      try code { ChainTests.replace(&$0.leafRecipe.extensions, arcs, value) }
    }
    #expect(try leaf(nil, base) == nil)
    #expect(try leaf(ChainTests.constraints([.boolean(true)]), base) == .untrustedChain)
    #expect(try leaf(ChainTests.constraints([.boolean(false)]), base) == nil)
    #expect(try leaf(nil, usage) == nil)
    #expect(try leaf(ChainTests.usage([0x40], unused: 6), usage) == .untrustedChain)
    #expect(try leaf(ChainTests.usage([0xC0], unused: 6), usage) == nil)
  }

  @Test func `unknown extensions may not be critical`() throws {
    let critical = ChainTests.make([2, 5, 29, 32], critical: true, .sequence([]))
    let plain = ChainTests.make([2, 999, 1], critical: false, .sequence([]))
    #expect(
      try code { ChainTests.replace(&$0.leafRecipe.extensions, [2, 5, 29, 32], critical) } == .untrustedChain)
    #expect(try code { $0.intermediateRecipe.extensions.append(critical) } == .untrustedChain)
    #expect(try code { $0.rootRecipe.extensions.append(critical) } == .untrustedChain)
    #expect(
      try code {
        $0.leafRecipe.extensions.append(plain)
        $0.intermediateRecipe.extensions.append(plain)
        $0.rootRecipe.extensions.append(plain)
      } == nil)
  }

  @Test func `RSA authorities of 2,048 bits are trusted, shorter ones not`() throws {
    for (bits, expected) in [(2_048, TokenFault.Code?.none), (4_096, nil), (1_536, .untrustedChain)] {
      var stream = minter.generator.stream("rsa", UInt64(bits))
      let key = SigningKey.rsa(try RSAKeyPair(bits: bits, from: &stream))
      for last in [11, 12] as [UInt64] {
        for parameters in [[ASN1Node.null], []] {
          let algorithm = ASN1Node.sequence([.oid([1, 2, 840, 113549, 1, 1, last])] + parameters)
          let found = try code { pki in
            pki.rootKey = key
            pki.rootRecipe.publicKeyInfo = key.publicKeyInfo
            pki.intermediateRecipe.sign(with: algorithm, last == 11 ? .sha256 : .sha384)
          }
          #expect(found == expected, "\(bits) bits, \(last), \(parameters.count) parameters")
        }
      }
      let short = try code { pki in
        pki.rootKey = key
        pki.rootRecipe.publicKeyInfo = key.publicKeyInfo
        pki.intermediateRecipe.sign(with: .sequence([.oid([1, 2, 840, 113549, 1, 1, 11]), .null]), .sha256)
        pki.intermediateRecipe.editSignature = { $0.insert(0, at: 0) }
      }
      #expect(short == .untrustedChain)
    }
  }

  @Test func `algorithm and key belong together`() throws {
    let rsa = ASN1Node.sequence([.oid([1, 2, 840, 113549, 1, 1, 11]), .null])
    #expect(try code { $0.leafRecipe.algorithm = rsa } == .untrustedChain)
    let withNull = ASN1Node.sequence([.oid([1, 2, 840, 10045, 4, 3, 2]), .null])
    #expect(try code { $0.leafRecipe.algorithm = withNull } == .untrustedChain)
    #expect(try code { $0.leafRecipe.sign(with: .sequence([.oid([1, 2, 840, 10045, 4, 3, 3])]), .sha384) } == nil)
    #expect(
      try code { $0.leafRecipe.outerAlgorithm = .sequence([.oid([1, 2, 840, 10045, 4, 3, 3])]) } == .malformedSignature)
  }

  @Test func `a leaf key on P-384 signs no token`() throws {
    var stream = minter.generator.stream("p384")
    let pair = try KeyPair(.p384, from: &stream)
    #expect(try code { $0.leafRecipe.publicKeyInfo = pair.publicKeyInfo } == .untrustedChain)
  }

  @Test func `dates include both ends, expired before not yet valid, leaf before intermediate`() throws {
    let time = Minted.time
    func leaf(_ from: Int64, _ to: Int64) throws -> TokenFault.Code? {
      try code {
        $0.leafRecipe.notBefore = .time(time.advanced(by: from))
        $0.leafRecipe.notAfter = .time(time.advanced(by: to))
      }
    }
    #expect(try leaf(0, 0) == nil)
    #expect(try leaf(-1, -1) == .certificateExpired)
    #expect(try leaf(1, 1) == .certificateNotYetValid)
    #expect(try leaf(1, -1) == .certificateExpired)
    #expect(
      try code { $0.intermediateRecipe.notAfter = .time(time.advanced(by: -1)) } == .certificateExpired)
    #expect(
      try code { $0.intermediateRecipe.notBefore = .time(time.advanced(by: 1)) } == .certificateNotYetValid)
    #expect(
      try code {
        $0.leafRecipe.notBefore = .time(time.advanced(by: 1))
        $0.intermediateRecipe.notAfter = .time(time.advanced(by: -1))
      } == .certificateNotYetValid)
    #expect(
      try code {
        $0.rootRecipe.notBefore = .time(time.advanced(by: 1))
        $0.rootRecipe.notAfter = .time(time.advanced(by: -1))
      } == nil)
  }

  @Test func `names and extensions that OpenSSL cannot read are decided by the rules alone`() throws {
    let odd = ASN1Node.sequence([.set([.sequence([.oid([2, 5, 4, 3]), .primitive(0x04, [1])])])])
    #expect(try code { $0.leafRecipe.subject = odd } == nil)
    let garbage = ChainTests.make([2, 5, 29, 35], .integer(1))
    #expect(
      try code {
        ChainTests.replace(&$0.leafRecipe.extensions, [2, 5, 29, 35], garbage)
        ChainTests.replace(&$0.intermediateRecipe.extensions, [2, 5, 29, 35], garbage)
      } == nil)
  }

  @Test func `all three of one name and serial number: the marker tells the leaf`() throws {
    let name = minter.pki.rootRecipe.subject
    let serial = minter.pki.leafRecipe.serial
    for reversed in [false, true] {
      let found = try code(bag: reversed ? [.intermediate, .leaf] : [.leaf, .intermediate]) {
        $0.intermediateRecipe.subject = name
        $0.intermediateRecipe.serial = serial
        $0.leafRecipe.issuer = name
      }
      #expect(found == nil)
    }
  }
}

/// A certificate that travels in the CMS.
private enum Bagged {
  case leaf
  case intermediate
  case root
  case other([UInt8])

  func bytes(of pki: TestPKI) -> [UInt8] {
    switch self {
    case .leaf: pki.leaf
    case .intermediate: pki.intermediate
    case .root: pki.root
    case .other(let bytes): bytes
    }
  }
}
