import FastDecryption
import Minting
import PaymentToken
import Testing
import TokenScanning

/// A signature with a known layout is read as the parser reads it.
@Suite struct SignedDataLayoutTests {
  private let minter = try? Fixture().minter

  private func signature(_ index: UInt64, _ version: TokenVersion = .ecV1) throws -> [UInt8] {
    var recipe = TokenRecipe(index: index)
    recipe.version = version
    return try #require(minter).layers(recipe).signature
  }

  private func parse(_ bytes: [UInt8], _ version: TokenVersion = .ecV1) -> SignedDataView? {
    try? SignedDataView(bytes.span, version: version)
  }

  /// All that a view says.
  private func text(_ view: SignedDataView?) -> String { view.map { "\($0)" } ?? "malformed" }

  @Test func `of all single changes, those of the digest, the signature and a valid time keep the layout`() throws {
    let model = try signature(1)
    let view = try #require(parse(model))
    let layout = SignedDataLayout(view, of: model.span, version: .ecV1)
    let free = Array(view.signer.attributes.messageDigest) + Array(view.signer.signature)
    var others: [Int: Int] = [:]
    for position in model.indices {
      for byte in UInt8.min...UInt8.max where byte != model[position] {
        var changed = model
        changed[position] = byte
        let known = layout.view(of: changed.span, version: .ecV1, like: model.span)
        if let known {
          #expect(text(known) == text(parse(changed)), "\(position): \(byte)")
          if !free.contains(position) { others[position, default: 0] += 1 }
        } else {
          #expect(!free.contains(position), "\(position): \(byte)")
        }
      }
    }
    // The twelve digits of a UTCTime, each of which may have another value.
    #expect(others.count == 12 && others.values.allSatisfy { (1...9).contains($0) }, "\(others)")
    #expect(Set(others.keys).count == (others.keys.max() ?? 0) - (others.keys.min() ?? 0) + 1)
  }

  @Test(arguments: TokenVersion.allCases)
  func `signatures of one signer and length have one layout, whose views are the parser's`(
    _ version: TokenVersion
  ) throws {
    var models: [Int: [UInt8]] = [:]
    var known = 0
    for index in UInt64(0)..<24 {
      let bytes = try signature(index, version)
      let view = try #require(parse(bytes, version))
      guard let model = models[bytes.count] else {
        models[bytes.count] = bytes
        continue
      }
      let layout = SignedDataLayout(try #require(parse(model, version)), of: model.span, version: version)
      #expect(text(layout.view(of: bytes.span, version: version, like: model.span)) == text(view))
      known += 1
    }
    #expect(known >= 16)
  }

  @Test func `another length, version or model is no match`() throws {
    let model = try signature(1)
    let layout = SignedDataLayout(try #require(parse(model)), of: model.span, version: .ecV1)
    #expect(layout.view(of: model.span, version: .ecV1, like: model.span) != nil)
    #expect(layout.view(of: model.span, version: .rsaV1, like: model.span) == nil)
    let longer = model + [0]
    #expect(layout.view(of: longer.span, version: .ecV1, like: model.span) == nil)
    #expect(layout.view(of: longer.span, version: .ecV1, like: longer.span) == nil)
    #expect(layout.view(of: model.span, version: .ecV1, like: longer.span) == nil)
    let shorter = Array(model.dropLast())
    #expect(layout.view(of: shorter.span, version: .ecV1, like: shorter.span) == nil)
  }

  @Test func `a workspace that knows a signer's layouts decides every changed signature as a new one does`() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    var layers = try fixture.minter.layers()
    var workspace = makeWorkspace()
    for index in UInt64(0)..<24 {
      #expect(engine.fault(try fixture.minter.layers(TokenRecipe(index: index)).token, in: &workspace) == nil)
    }
    var codes: [TokenFault.Code: Int] = [:]
    for position in layers.signature.indices {
      layers.signature[position] ^= 0x01
      let token = layers.token
      layers.signature[position] ^= 0x01
      var unused = makeWorkspace()
      let fault = engine.fault(token, in: &unused)
      #expect(engine.fault(token, in: &workspace) == fault, "\(position)")
      if let fault { codes[fault.code, default: 0] += 1 }
    }
    #expect(engine.fault(layers.token, in: &workspace) == nil)
    #expect(codes[.malformedSignature] ?? 0 > 100 && codes[.signatureMismatch] ?? 0 > 100, "\(codes)")
    #expect(codes.values.reduce(0, +) == layers.signature.count, "\(codes)")
  }

  @Test func `signatures too long to be remembered, and more layouts than are remembered, are read`() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    var workspace = makeWorkspace()
    for round in 0..<3 {
      for padding in [0, 8_000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] {
        var recipe = TokenRecipe(index: UInt64(padding))
        recipe.signature.editAttributes = { attributes in
          let value = ASN1Node.octetString([UInt8](repeating: 0x41, count: padding))
          attributes.append(.sequence([.primitive(0x06, [0x2A, 0x03]), .set([value])]))
        }
        let token = try fixture.minter.mint(recipe)
        #expect(try engine.verdict(token.bytes, in: &workspace).get() == token.plaintext, "\(padding), round \(round)")
      }
    }
  }
}
