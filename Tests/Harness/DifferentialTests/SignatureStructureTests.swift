import Differential
import Fuzzing
import Minting
import PaymentToken
import TestCases
import Testing

/// CMS signatures with changed structure, most of them over the changed attributes: stages 5 and 8 in depth.
@Suite struct SignatureStructureTests {
  @Test(arguments: 0..<2) func `changed signatures get one verdict`(_ lane: Int) throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let engines = try Engines.minted(minter)
    var hunt = Hunt("changed signatures")
    for number in 0..<UInt64(Hunt.count(4_000)) {
      var random = QuickGenerator(minter.generator.stream("signatures \(lane)", number))
      var recipe = TokenRecipe(index: number)
      recipe.signature = Self.recipe(using: &random)
      hunt.ask(try minter.layers(recipe).token, of: engines, "lane \(lane), number \(number)")
    }
    hunt.report()
    #expect(hunt.metAcceptance)
    #expect(hunt.met(.malformedSignature))
  }

  @Test func `wrappers of every length form around sound contents get one verdict`() throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let engines = try Engines.minted(minter)
    var hunt = Hunt("lengths of wrappers")
    for number in 0..<UInt64(Hunt.count(2_500)) {
      let stream = QuickGenerator(minter.generator.stream("wrappers", number))
      var recipe = TokenRecipe(index: 0)
      recipe.signature.editTree = { contentInfo in
        var random = stream
        contentInfo.changeWrapperLengths(using: &random)
      }
      hunt.ask(try minter.layers(recipe).token, of: engines, "number \(number)")
    }
    hunt.report()
    #expect(hunt.metAcceptance)
  }

  @Test(arguments: 1...9) func `sixteen constructed values within one another are well-shaped and one more is not`(
    _ depth: Int
  ) throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let engines = try Engines.minted(minter)
    let nested = (1..<depth).reduce(ASN1Node.sequence([])) { node, _ in .sequence([node]) }
    var attribute = TokenRecipe()
    attribute.signature.editAttributes = { $0.append(.sequence([.oid([2, 999, 1]), .set([nested])])) }
    var name = minter.pki
    name.leafRecipe.subject.children.append(.set([.sequence([.oid([2, 999, 1]), nested])]))
    try name.issueLeaf()
    var named = try minter.layers()
    named.signer = TokenSigner(name)
    try named.sign()
    // The SET of the attribute is at depth 8, the pair of the name at depth 9.
    for (token, outer) in [(try minter.layers(attribute).token, 8), (named.token, 9)] {
      let comparison = Comparison(of: TestInput(token, TestContext(now: Hunt.now)), by: engines.pair)
      #expect(comparison.agrees)
      if outer + depth <= 16 {
        #expect(throws: Never.self) { try comparison.first.get() }
      } else {
        #expect(throws: TokenFault(.malformedSignature)) { try comparison.first.get() }
      }
    }
  }

  private static func recipe(using random: inout QuickGenerator) -> SignedDataRecipe {
    var recipe = SignedDataRecipe()
    recipe.wrappers = random.pick([.indefinite, .shortest, .long(bytes: 2), .long(bytes: 4)])
    recipe.nullParameters = random.chance(4)
    recipe.attributes = random.chance(3) ? .three : .four
    if random.chance(6) { recipe.identifier = .subjectKeyIdentifier }
    let seed = random.next()
    let kind = Int.random(in: 0..<8, using: &random)
    if kind < 5 {
      recipe.editAttributes = { attributes in
        var random = QuickGenerator(seed: seed, stream: 0)
        attributes.change(using: &random)
      }
    }
    if kind > 3 {
      recipe.editTree = { contentInfo in
        var random = QuickGenerator(seed: seed, stream: 1)
        contentInfo.changeStructure(using: &random)
      }
    }
    if random.chance(12) {
      recipe.editValue = { value in
        var random = QuickGenerator(seed: seed, stream: 2)
        guard var node = ASN1Node(der: value) else { return }
        node.mutate(from: node, using: &random)
        value = node.encoded
      }
    }
    return recipe
  }
}

extension [ASN1Node] {
  /// One to three edits of signed attributes.
  fileprivate mutating func change(using random: inout QuickGenerator) {
    for _ in 0..<random.pick([1, 1, 2, 3]) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: append(Self.someAttribute(using: &random))
      case 1: shuffle(using: &random)
      case 2: insert(random.pick(ASN1Node.edgeValues), at: Int.random(in: 0...count, using: &random))
      case 3:
        guard !isEmpty else { return }
        remove(at: Int.random(in: indices, using: &random))
      default:
        guard !isEmpty else { return }
        let index = Int.random(in: indices, using: &random)
        let donor = self[Int.random(in: indices, using: &random)]
        self[index].mutate(from: donor, using: &random)
      }
    }
  }

  /// An attribute of a type that is unknown, that the engines know, or that only other programs know.
  private static func someAttribute(using random: inout QuickGenerator) -> ASN1Node {
    let types: [[UInt64]] = [
      [2, 999, 1], [2, 999, 1], [1, 2, 840, 113549, 1, 9, 3], [1, 2, 840, 113549, 1, 9, 4],
      [1, 2, 840, 113549, 1, 9, 5],
      [1, 2, 840, 113549, 1, 9, 52], [1, 2, 840, 113549, 1, 9, 6], [1, 2, 840, 113549, 1, 9, 16, 2, 12],
      [1, 2, 840, 113549, 1, 9, 16, 2, 47], [1, 2, 840, 113549, 1, 9, 15],
    ]
    let values = (0..<random.pick([0, 1, 1, 1, 1, 2, 3])).map { _ in
      // The value of an attribute is at depth 9, of 16 that are allowed.
      let depth = random.chance(4) ? Int.random(in: 6...9, using: &random) : 0
      return (0..<depth).reduce(random.pick(ASN1Node.edgeValues)) { node, _ in .sequence([node]) }
    }
    return .sequence([.oid(random.pick(types)), .set(values)])
  }
}

extension ASN1Node {
  /// Edits of the ContentInfo outside the certificates.
  fileprivate mutating func changeStructure(using random: inout QuickGenerator) {
    changeWrapperLengths(using: &random)
    let donor = self
    for _ in 0..<random.pick([0, 1, 1, 2]) {
      if random.chance(3) {
        // Changes the SignerInfo, whose few fields would rarely be picked among all nodes.
        let index = Int.random(in: 0..<6, using: &random)
        guard children.count > 1, !self[1].children.isEmpty, self[1][0].children.count > 4,
          !self[1][0][4].children.isEmpty, self[1][0][4][0].children.indices.contains(index)
        else { return }
        self[1][0][4][0][index].mutate(from: donor, using: &random)
      } else {
        mutate(from: donor, using: &random)
      }
    }
  }

  /// Writes the lengths of some wrappers in other forms.
  fileprivate mutating func changeWrapperLengths(using random: inout QuickGenerator) {
    func form() -> Length {
      random.chance(12)
        ? random.pick(ASN1Edits.lengths) : random.pick([.indefinite, .shortest, .long(bytes: 3), .long(bytes: 4)])
    }
    length = form()
    self[1].length = form()
    self[1][0].length = form()
    for index in 1...4 where !random.chance(3) { self[1][0][index].length = form() }
  }
}
