import FastDecryption
import Fuzzing
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import Testing

/// Certificates with changed structure, signed again by their issuers, in tokens signed again: stages 5 to 8 in depth.
@Suite struct CertificateStructureTests {
  @Test(arguments: 0..<2) func `changed leaves and intermediates get one verdict`(_ lane: Int) throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let engines = try Engines.minted(minter)
    let hunt = try Self.hunt(
      "changed leaves and intermediates", lane: lane, of: Hunt.count(3_000), minter
    ) { pki, random in
      let isLeaf = !random.chance(3)
      try isLeaf ? pki.changeLeaf(using: &random) : pki.changeIntermediate(using: &random)
      return engines
    }
    #expect(hunt.metAcceptance)
  }

  @Test func `changed roots get one verdict, at load and in use`() throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let keys = try Engines.keys(of: minter)
    var unloadable = 0
    let hunt = try Self.hunt("changed roots", lane: 2, of: Hunt.count(2_000), minter) { pki, random in
      try pki.changeRoot(using: &random)
      let anchors = TrustAnchors(certificates: [pki.root])
      let engines = try? Engines(keys: keys, anchors: anchors)
      if engines == nil {
        unloadable += 1
        #expect(!Self.loads(anchors, keys), "one engine loads \(Base64.encode(pki.root))")
      }
      return engines
    }
    #expect(hunt.metAcceptance && (Hunt.isShortened || unloadable > 0))
  }

  /// Mints tokens, changes their certificates, signs both again, and asks both engines.
  private static func hunt(
    _ what: String, lane: Int, of count: Int, _ minter: Minter,
    _ change: (inout TestPKI, inout QuickGenerator) throws -> Engines?
  ) throws -> Hunt {
    var hunt = Hunt(what)
    for number in 0..<UInt64(count) {
      var random = QuickGenerator(minter.generator.stream("certificates \(lane)", number))
      var pki = minter.pki
      guard let engines = try change(&pki, &random) else { continue }
      var recipe = TokenRecipe(index: number)
      if random.chance(4) { recipe.signature.identifier = .subjectKeyIdentifier }
      var layers = try minter.layers(recipe)
      layers.signer = pki.signer(using: &random)
      try layers.sign()
      hunt.ask(layers.token, of: engines, "lane \(lane), number \(number)")
    }
    hunt.report()
    return hunt
  }

  private static func loads(_ anchors: TrustAnchors, _ keys: MerchantKeySet) -> Bool {
    (try? FastDecryptor(keys: keys, anchors: anchors)) != nil
      || (try? ReferenceDecryptor(keys: keys, anchors: anchors)) != nil
  }
}

extension TestPKI {
  /// Changes the leaf, keeps its key, and signs it again.
  fileprivate mutating func changeLeaf(using random: inout QuickGenerator) throws {
    let body = try CertificateBody(leaf).changed(using: &random, donor: intermediate)
    leafRecipe.editBody = { $0 = body.node }
    leafRecipe.issuer = body.issuer ?? leafRecipe.issuer
    leafRecipe.serial = body.serial ?? leafRecipe.serial
    if random.chance(20) { leafRecipe.editSignature = { $0 = [0x30, 0x81, UInt8($0.count - 2)] + $0.dropFirst(2) } }
    try issueLeaf()
  }

  /// Changes the intermediate, keeps its key, issues the leaf under its new name, and signs both again.
  fileprivate mutating func changeIntermediate(using random: inout QuickGenerator) throws {
    let body = try CertificateBody(intermediate).changed(using: &random, donor: leaf)
    intermediateRecipe.editBody = { $0 = body.node }
    leafRecipe.issuer = body.subject ?? leafRecipe.issuer
    try issueIntermediate()
  }

  /// Changes the root, keeps its key, and issues the intermediate under its new name.
  fileprivate mutating func changeRoot(using random: inout QuickGenerator) throws {
    let body = try CertificateBody(root).changed(using: &random, donor: intermediate)
    rootRecipe.editBody = { $0 = body.node }
    intermediateRecipe.issuer = body.subject ?? intermediateRecipe.issuer
    try issue()
  }

  /// A signer with the certificates in some order, at times with the root or one of them twice.
  fileprivate func signer(using random: inout QuickGenerator) -> TokenSigner {
    var signer = TokenSigner(self)
    switch Int.random(in: 0..<16, using: &random) {
    case 0: signer.certificates.reverse()
    case 1: signer.certificates.insert(root, at: Int.random(in: 0...2, using: &random))
    case 2: signer.certificates.append(random.pick(signer.certificates))
    case 3: signer.certificates.append(rootRecipe.subject.encoded)
    case 4: signer.keyIdentifier = []
    default: break
    }
    return signer
  }
}

/// tbsCertificate as a tree.
private struct CertificateBody {
  var node: ASN1Node

  init(_ certificate: [UInt8]) throws {
    node = try #require(ASN1Node(der: certificate))[0]
  }

  var serial: ASN1Node? { field(1) }
  var issuer: ASN1Node? { field(3) }
  var subject: ASN1Node? { field(5) }

  private func field(_ index: Int) -> ASN1Node? {
    node.children.indices.contains(index) ? node[index] : nil
  }

  func changed(using random: inout QuickGenerator, donor: [UInt8]) throws -> CertificateBody {
    let donor = try CertificateBody(donor)
    var changed = self
    for _ in 0..<random.pick([1, 1, 1, 2, 3]) {
      if random.chance(2) {
        changed.changeExtensions(using: &random)
      } else {
        changed.changeField(from: donor, using: &random)
      }
    }
    return changed
  }

  /// Picks a field first and then a node within it. Among all nodes, those of the names would nearly always be picked.
  private mutating func changeField(from donor: CertificateBody, using random: inout QuickGenerator) {
    if random.chance(8) || node.children.isEmpty { return node.mutate(from: donor.node, using: &random) }
    let index = Int.random(in: node.children.indices, using: &random)
    node[index].mutate(from: donor.field(index) ?? donor.node, using: &random)
  }

  private mutating func changeExtensions(using random: inout QuickGenerator) {
    guard node.children.count > 7, !node[7].children.isEmpty, !node[7][0].children.isEmpty else { return }
    var list = node[7][0].children
    let replacement = Self.someExtension(using: &random)
    let index = list.firstIndex { $0.children.first == replacement[0] }
    switch (Int.random(in: 0..<6, using: &random), index) {
    case (0, let index?): list.remove(at: index)
    case (1, _): list.append(replacement)
    case (2, _): list.remove(at: Int.random(in: list.indices, using: &random))
    case (_, let index?): list[index] = replacement
    case (_, nil): list.insert(replacement, at: Int.random(in: 0...list.count, using: &random))
    }
    if random.chance(4) { list.shuffle(using: &random) }
    node[7][0].children = list
  }

  private static func someExtension(using random: inout QuickGenerator) -> ASN1Node {
    let (type, fitting) = random.pick(extensions)
    let critical: [ASN1Node] = random.pick([[], [], [.boolean(true)], [.boolean(false)]])
    let value =
      switch Int.random(in: 0..<6, using: &random) {
      case 0: random.pick(ASN1Node.edgeValues)
      case 1: random.pick(random.pick(extensions).values + oddValues)
      default: random.pick(fitting)
      }
    return .sequence([.oid(type)] + critical + [.octetString(value.encoded)])
  }

  /// Well-formed and malformed values for the extensions of each type.
  private static let extensions: [(type: [UInt64], values: [ASN1Node])] = [
    ([2, 5, 29, 19], basicConstraints), ([2, 5, 29, 19], basicConstraints), ([2, 5, 29, 15], keyUsages),
    ([2, 5, 29, 15], keyUsages), ([2, 5, 29, 14], keyIdentifiers), ([1, 2, 840, 113635, 100, 6, 29], oddValues),
    ([1, 2, 840, 113635, 100, 6, 2, 14], oddValues), ([2, 5, 29, 35], oddValues), ([2, 5, 29, 37], oddValues),
    ([2, 5, 29, 30], oddValues), ([2, 999, 1], oddValues),
  ]

  private static let basicConstraints: [ASN1Node] =
    [[], [.boolean(false)], [.integer(0)], [.integer(1)], [.integer(0), .boolean(true)]].map { .sequence($0) }
    + [
      [], [.integer(0)], [.integer(0)], [.integer(1)], [.integer(2)], [.integer(255)], [.integer(256)],
      [.unsigned([UInt8](repeating: 0xFF, count: 8))], [.unsigned([UInt8](repeating: 0x7F, count: 8))],
      [.unsigned([1] + [UInt8](repeating: 0, count: 40))], [.primitive(0x02, [0x80])], [.primitive(0x02, [0, 0])],
      [.primitive(0x02, [])], [.null], [.boolean(true)], [.integer(1), .integer(1)],
    ].map { .sequence([.boolean(true)] + $0) }

  private static let keyUsages: [ASN1Node] = [
    [7, 0x80], [2, 0x04], [1, 0x06], [2, 0x84], [0, 0xFF], [0, 0x7B], [7, 0, 0x80], [7, 0x84, 0x80], [0], [0, 0],
    [1, 0x01],
    [8, 0], [1], [],
  ].map { .primitive(0x03, $0) }

  private static let keyIdentifiers: [ASN1Node] = [
    .octetString([]), .octetString([1, 2, 3, 4]), .octetString([UInt8](repeating: 1, count: 200)), .raw([0x04, 0x01]),
    .raw([0x04, 0x81, 0x01, 0x00]), .raw([0x24, 0x00]), .contextPrimitive(0, [1]),
  ]

  private static let oddValues: [ASN1Node] = [
    .null, .sequence([]), .raw([]), .raw([0x05, 0x00, 0x05, 0x00]), .raw([0x30, 0x80, 0x00, 0x00]), .utf8String("a"),
  ]
}
