import Minting
import PaymentToken
import ReferenceDecryption
import Testing

/// Stage 5 on CMS trees edited one value at a time: what is malformed, and what only fails later or not at all.
struct SignatureShapeTests {
  typealias Edit = @Sendable (inout ASN1Node) -> Void
  typealias AttributesEdit = @Sendable (inout [ASN1Node]) -> Void

  private let minter: Minter
  private let engine: ReferenceDecryptor

  init() throws {
    minter = try Minted.minter()
    engine = try Minted.engine(minter)
  }

  private func code(tree edit: @escaping Edit, _ wrappers: ASN1Node.Length = .shortest) throws -> TokenFault.Code? {
    var recipe = TokenRecipe()
    recipe.signature.wrappers = wrappers
    recipe.signature.editTree = edit
    return engine.code(try minter.mint(recipe).bytes)
  }

  private func code(attributes edit: @escaping AttributesEdit) throws -> TokenFault.Code? {
    var recipe = TokenRecipe()
    recipe.signature.editAttributes = edit
    return engine.code(try minter.mint(recipe).bytes)
  }

  private func trace(attributes edit: @escaping AttributesEdit) throws -> Trace {
    var recipe = TokenRecipe()
    recipe.signature.editAttributes = edit
    let token = try minter.mint(recipe).bytes
    return engine.decryptTraced(token.span, at: Minted.time, under: VerificationPolicy()).trace
  }

  @Test func `wrappers may be indefinite or have longer lengths than needed`() throws {
    let lengths: [ASN1Node.Length] = [.indefinite, .shortest, .long(bytes: 3), .long(bytes: 4)]
    for length in lengths {
      let edits: [Edit] = [
        { $0.length = length }, { $0[1].length = length }, { $0.signedData.length = length },
        { $0.signedData[1].length = length }, { $0.signedData[2].length = length },
        { $0.signedData[3].length = length }, { $0.signedData[4].length = length },
      ]
      for (index, edit) in edits.enumerated() {
        #expect(try code(tree: edit) == nil, "\(length) of wrapper \(index)")
        #expect(try code(tree: edit, .indefinite) == nil, "\(length) of wrapper \(index)")
      }
    }
  }

  @Test func `everything else has the shortest length`() throws {
    for length in [ASN1Node.Length.indefinite, .long(bytes: 4)] {
      let edits: [Edit] = [
        { $0.signedData[1][0].length = length }, { $0.signerInfo.length = length },
        { $0.signerInfo[1].length = length }, { $0.signerInfo[1][0].length = length },
        { $0.signerInfo[2].length = length },
        { $0.signerInfo[3].length = length }, { $0.signerInfo[3][0].length = length },
        { $0.signerInfo[3][0][1].length = length }, { $0.signerInfo[4].length = length },
      ]
      for (index, edit) in edits.enumerated() {
        #expect(try code(tree: edit) == .malformedSignature, "\(length) of value \(index)")
      }
    }
    let primitives: [Edit] = [
      { $0[0].length = .long(bytes: 1) }, { $0.signedData[0].length = .long(bytes: 1) },
      { $0.signedData[2][0].length = .long(bytes: 1) }, { $0.signerInfo[0].length = .long(bytes: 1) },
      { $0.signerInfo[5].length = .long(bytes: 2) }, { $0.signerInfo[1][1].length = .long(bytes: 1) },
    ]
    for (index, edit) in primitives.enumerated() {
      #expect(try code(tree: edit) == .malformedSignature, "primitive \(index)")
    }
    #expect(try code(tree: { $0.length = .long(bytes: 5) }) == .malformedSignature)
  }

  @Test func `ContentInfo and SignedData have exactly their members`() throws {
    let extra = ASN1Node.null
    let edits: [Edit] = [
      { $0 = .raw($0.encoded + [0x05, 0x00]) }, { $0.children.append(extra) }, { $0[1].children.append(extra) },
      { $0[0] = .oid([1, 2, 840, 113549, 1, 7, 1]) }, { $0.identifier = [0x31] }, { $0[1].identifier = [0xA1] },
      { $0.signedData.identifier = [0x31] }, { $0.signedData.children.append(extra) },
      { $0.signedData[0] = .integer(3) }, { $0.signedData[0] = .primitive(0x02, [0, 1]) },
      { $0.signedData[1].children.append($0.signedData[1][0]) }, { $0.signedData[1].children = [] },
      { $0.signedData[1].identifier = [0x30] }, { $0.signedData[1][0] = Algorithms.ecdsaSHA256 },
      { $0.signedData[1][0].children.append(.octetString([])) },
      { $0.signedData[1][0].children += [.null, .null] },
      { $0.signedData[2][0] = .oid([1, 2, 840, 113549, 1, 7, 2]) },
      { $0.signedData[2].children.append(.context(0, [.octetString([])])) },
      { $0.signedData[2].children = [] },
      { $0.signedData.children.insert(.context(1, []), at: 4) },
      { $0.signedData[3].identifier = [0xA1] }, { $0.signedData[3] = .contextPrimitive(0, []) },
      { $0.signedData[4].children = [] }, { $0.signedData[4].children.append($0.signedData[4][0]) },
      { $0.signedData[4].identifier = [0x30] }, { $0.signedData.children.swapAt(1, 2) },
    ]
    for (index, edit) in edits.enumerated() {
      #expect(try code(tree: edit) == .malformedSignature, "edit \(index)")
    }
  }

  @Test func `certificates: at most three, of at most 4,096 bytes, absent or empty for a later stage`() throws {
    let absent: Edit = { $0.signedData.children.remove(at: 3) }
    #expect(try code(tree: absent) == .missingLeafMarker)
    let root = minter.pki.root
    #expect(try code(tree: { $0.signedData[3].children = [] }) == .missingLeafMarker)
    #expect(try code(tree: { $0.signedData[3].children.append(.raw(root)) }) == nil)
    #expect(try code(tree: { $0.signedData[3].children.insert(.raw(root), at: 0) }) == nil)
    #expect(try code(tree: { $0.signedData[3].children += [.raw(root), .raw(root)] }) == .malformedSignature)
    #expect(try code(tree: { $0.signedData[3].children.append(.context(1, [])) }) == .malformedSignature)
    #expect(try code(tree: { $0.signedData[3].children.append(.sequence([])) }) == .malformedSignature)
    #expect(try code(tree: { $0.signedData[3].children.reverse() }) == nil)
    for (count, expected) in [(4_096, TokenFault.Code?.none), (4_097, .malformedSignature)] {
      var layers = try minter.layers()
      var pki = minter.pki
      // The size of an ECDSA value depends on what is signed.
      let filler = count - (try sized(&pki, by: 2_000, salt: 0)) + 2_000
      let salt = try (UInt8(0)...255).first { try sized(&pki, by: filler, salt: $0) == count }
      #expect(salt != nil)
      layers.signer = TokenSigner(pki)
      try layers.sign()
      #expect(engine.code(layers.token) == expected)
    }
  }

  /// Gives the leaf an extension with a value of `count` bytes `salt`, and returns the leaf's size.
  private func sized(_ pki: inout TestPKI, by count: Int, salt: UInt8) throws -> Int {
    pki.leafRecipe.extensions =
      minter.pki.leafRecipe.extensions + [
        .sequence([.oid([2, 999, 7]), .octetString([UInt8](repeating: salt, count: count))])
      ]
    try pki.issueLeaf()
    return pki.leaf.count
  }

  @Test func `SignerInfo has exactly its members`() throws {
    let edits: [Edit] = [
      { $0.signerInfo.children.append(.context(1, [])) }, { $0.signerInfo[0] = .integer(3) },
      { $0.signerInfo[1] = .contextPrimitive(0, [1]) }, { $0.signerInfo[1].children.append(.null) },
      { $0.signerInfo[1][1] = .null }, { $0.signerInfo[1][0] = .set([]) },
      { $0.signerInfo[1][0].children.append(.set([])) }, { $0.signerInfo[1][0].children.append(.sequence([])) },
      { $0.signerInfo[2] = Algorithms.ecdsaSHA256 }, { $0.signerInfo.children.remove(at: 3) },
      { $0.signerInfo[3].identifier = [0xA1] }, { $0.signerInfo[3] = .contextPrimitive(0, []) },
      { $0.signerInfo[4] = Algorithms.sha256 }, { $0.signerInfo[4].children.append(.null) },
      { $0.signerInfo[4][0] = .oid([1, 2, 840, 10045, 4, 3, 3]) }, { $0.signerInfo[5].identifier = [0x03] },
      { $0.signerInfo[5].identifier = [0x24] }, { $0.signerInfo.identifier = [0x31] },
    ]
    for (index, edit) in edits.enumerated() {
      #expect(try code(tree: edit) == .malformedSignature, "edit \(index)")
    }
    #expect(try code(tree: { $0.signerInfo[2].children.append(.null) }) == nil)
    #expect(try code(tree: { $0.signerInfo[5] = .octetString([]) }) == .signatureMismatch)
    #expect(try code(tree: { $0.signerInfo[1][1] = .integer(1) }) == .signerMismatch)
    #expect(try code(tree: { $0.signerInfo[1][0] = .sequence([]) }) == .signerMismatch)
    #expect(
      try code(tree: {
        $0.signerInfo[0] = .integer(3)
        $0.signerInfo[1] = .contextPrimitive(0, [])
      }) == .signerMismatch)
  }

  @Test func `the required attributes occur once with one value`() throws {
    let edits: [AttributesEdit] = [
      { $0.remove(at: 0) }, { $0.remove(at: 1) }, { $0.remove(at: 3) }, { $0 = [] },
      { $0.append($0[0]) }, { $0.append($0[1]) }, { $0.append($0[2]) }, { $0.append($0[3]) },
      { $0[0][1].children.append($0[0][1][0]) }, { $0[1][1].children.append($0[1][1][0]) },
      { $0[3][1].children.append($0[3][1][0]) }, { $0[2][1].children.append($0[2][1][0]) },
      { $0[0][1].children = [] }, { $0[1][1].children = [] }, { $0[2][1].children = [] }, { $0[3][1].children = [] },
      { $0[0][1][0] = .oid([1, 2, 840, 113549, 1, 7, 2]) }, { $0[3][1][0].contents.removeLast() },
      { $0[3][1][0].contents.append(0) }, { $0[3][1][0].identifier = [0x80] }, { $0[3].children.append(.null) },
      { $0[3][1].identifier = [0x30] }, { $0.append(.null) }, { $0.append(.sequence([.set([]), .set([])])) },
      { $0.append(.sequence([.oid([2, 999])])) },
    ]
    for (index, edit) in edits.enumerated() {
      #expect(try code(attributes: edit) == .malformedSignature, "edit \(index)")
    }
    #expect(try code(attributes: { $0.remove(at: 2) }) == nil)
    #expect(try code(attributes: { $0.reverse() }) == nil)
    #expect(try code(attributes: { $0[3][1][0].contents[0] ^= 1 }) == .signatureMismatch)
  }

  @Test func `cmsAlgorithmProtection agrees with the signer or is malformed`() throws {
    let edits: [AttributesEdit] = [
      { $0[2][1][0][0] = Algorithms.ecdsaSHA256 }, { $0[2][1][0][0].children.append(.octetString([])) },
      { $0[2][1][0][1].children.append(.null) }, { $0[2][1][0][1].children[0] = .oid([1, 2, 840, 10045, 4, 3, 3]) },
      { $0[2][1][0][1].identifier = [0xA2] }, { $0[2][1][0].children.append(.context(2, Algorithms.sha256.children)) },
      { $0[2][1][0].children.removeLast() }, { $0[2][1][0][1] = .context(1, [Algorithms.ecdsaSHA256]) },
      { $0[2][1][0].identifier = [0x31] },
    ]
    for (index, edit) in edits.enumerated() {
      #expect(try code(attributes: edit) == .malformedSignature, "edit \(index)")
    }
    #expect(try code(attributes: { $0[2][1][0][0].children.append(.null) }) == nil)
  }

  @Test func `other attributes are ignored, repeated, empty or with many values`() throws {
    let edits: [AttributesEdit] = [
      { $0.append(.attribute(99, [.null])) },
      { $0 += [.attribute(99, [.null]), .attribute(99, [.null])] },
      { $0.append(.attribute(99, [])) },
      { $0.append(.attribute(99, [.integer(2), .integer(1), .boolean(true), .octetString([1])])) },
      { $0.append(.attribute(6, [.sequence([])])) },
      { $0.append(.attribute(99, [.primitive(0x1E, [0])])) },
      { $0.append(.attribute(99, [.primitive(0x0C, [0xFF])])) },
      { $0.append(.attribute(99, [.primitive(0x0A, [0, 0])])) },
      { $0.append(.attribute(99, [.primitive(0x0F, [])])) },
      { $0.append(.attribute(99, [.context(9, [.contextPrimitive(3, [1])])])) },
    ]
    for (index, edit) in edits.enumerated() {
      #expect(try code(attributes: edit) == nil, "edit \(index)")
    }
    let many = try trace(attributes: edits[3])
    #expect(many.facts.contains(.crossCheck(.notComparable)))
    #expect(try trace(attributes: edits[0]).facts.contains(.crossCheck(.agreed)))
  }

  @Test(
    arguments: [
      (0x17, "260101000000Z", true), (0x18, "20260101000000Z", true), (0x17, "260101000000", false),
      (0x17, "2601010000Z", false), (0x17, "260101000000+0000", false), (0x17, "261301000000Z", false),
      (0x17, "260001000000Z", false), (0x17, "260100000000Z", false), (0x17, "260229000000Z", false),
      (0x17, "260101240000Z", false), (0x17, "260101006000Z", false), (0x17, "260101000060Z", false),
      (0x18, "20260101000000.0Z", false), (0x18, "202601010000Z", false), (0x18, "20260101000000", false),
      (0x17, "20260101000000Z", false), (0x18, "260101000000Z", false), (0x17, "26010100000 Z", false),
      (0x17, "2601010000-1Z", false), (0x17, "260101000000z", false), (0x0C, "260101000000Z", false), (0x17, "", false),
    ] as [(UInt8, String, Bool)])
  func `signing times are real and in one of two forms`(tag: UInt8, text: String, isTime: Bool) throws {
    var recipe = TokenRecipe()
    recipe.signature.signingTime = .primitive(tag, Array(text.utf8))
    #expect(engine.code(try minter.mint(recipe).bytes) == (isTime ? nil : .malformedSignature))
  }

  @Test func `two-digit years turn at 50`() throws {
    for (text, seconds) in [("491231235959Z", 2_524_607_999), ("500101000000Z", -631_152_000)] as [(String, Int64)] {
      var recipe = TokenRecipe()
      recipe.signature.signingTime = .utcTime(text)
      let token = try minter.mint(recipe).bytes
      let trace = engine.decryptTraced(token.span, at: Minted.time, under: VerificationPolicy()).trace
      #expect(trace.facts.contains(.signingTime(UnixTime(secondsSinceEpoch: seconds))))
      #expect(trace[.signingTime]?.outcome == .failed(TokenFault(.signingTimeOutsideWindow)))
    }
  }

  @Test func `ECDSA values are strict, and a high s is fine`() throws {
    func code(_ edit: @escaping @Sendable (inout [UInt8]) -> Void) throws -> TokenFault.Code? {
      var recipe = TokenRecipe()
      recipe.signature.editValue = edit
      return engine.code(try minter.mint(recipe).bytes)
    }
    #expect(try code { $0.append(0) } == .signatureMismatch)
    #expect(try code { $0 = [0x30, 0x81] + $0.dropFirst() } == .signatureMismatch)
    #expect(try code { $0 = [0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00] } == .signatureMismatch)
    #expect(try code { $0 = [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01] } == .signatureMismatch)
    let order = CurveConstants.p256Order
    #expect(
      try code { value in
        guard let s = try? BERValue(value).children[1].contents else { return }
        let r = (try? BERValue(value).children[0].encoding).map(Array.init) ?? []
        let negated = ASN1Node.unsigned(subtract(Array(s), from: order)).encoded
        value = [0x30, UInt8(r.count + negated.count)] + r + negated
      } == nil)
  }
}

/// Big-endian subtraction of a smaller number.
private func subtract(_ small: [UInt8], from large: [UInt8]) -> [UInt8] {
  var result = large
  var borrow = 0
  let digits = Array(repeating: 0, count: max(0, large.count - small.count)) + small.suffix(large.count)
  for index in result.indices.reversed() {
    let difference = Int(large[index]) - Int(digits[index]) - borrow
    borrow = difference < 0 ? 1 : 0
    result[index] = UInt8(truncatingIfNeeded: difference)
  }
  return result
}
