import Minting
import PaymentToken
import ReferenceDecryption
import Testing

/// Forgeries that published decryptors have accepted, and valid tokens that they have rejected.
struct ForgeryTests {
  private let minter: Minter
  private let engine: ReferenceDecryptor

  init() throws {
    minter = try Minted.minter()
    engine = try Minted.engine(minter)
  }

  private func layers(applicationData: [UInt8]? = nil) throws -> TokenLayers {
    var recipe = TokenRecipe()
    recipe.applicationData = applicationData
    return try minter.layers(recipe)
  }

  @Test func `sound tokens of every style are accepted, and OpenSSL agrees`() throws {
    for index in UInt64(0)..<100 {
      let token = try minter.mint(index: index)
      let (result, trace) = engine.decryptTraced(token.bytes.span, at: Minted.time, under: VerificationPolicy())
      #expect(try result.get().plaintext == token.plaintext, "token \(index)")
      #expect(trace.facts.contains(.crossCheck(.agreed)))
    }
  }

  @Test func `A: a self-signed intermediate with the marker`() throws {
    var pki = minter.foreign
    pki.intermediateRecipe.issuer = pki.intermediateRecipe.subject
    try pki.issueSelfSignedIntermediate()
    var token = try layers()
    token.signer = TokenSigner(pki)
    try token.sign()
    #expect(engine.code(token.token) == .untrustedChain)
    // The same with the genuine root's name as its issuer.
    pki.intermediateRecipe.issuer = minter.pki.rootRecipe.subject
    try pki.issueSelfSignedIntermediate()
    token.signer = TokenSigner(pki)
    try token.sign()
    #expect(engine.code(token.token) == .untrustedChain)
  }

  @Test func `B: a third certificate signs`() throws {
    var token = try layers()
    token.signer = TokenSigner(minter.foreign)
    token.signer.certificates = [minter.pki.leaf, minter.pki.intermediate, try unmarkedForeignLeaf()]
    try token.sign()
    #expect(engine.code(token.token) == .unexpectedCertificate)
    token.signer.certificates = [minter.pki.leaf, minter.pki.intermediate]
    try token.sign()
    #expect(engine.code(token.token) == .signerMismatch)
    token.signer.issuer = minter.pki.leafRecipe.issuer
    token.signer.serial = minter.pki.leafRecipe.serial
    try token.sign()
    #expect(engine.code(token.token) == .signatureMismatch)
  }

  @Test func `C: an attacker's certificate with the leaf's issuer and serial number, placed first`() throws {
    var pki = minter.foreign
    pki.leafRecipe.issuer = minter.pki.leafRecipe.issuer
    pki.leafRecipe.serial = minter.pki.leafRecipe.serial
    try pki.issueLeaf()
    var token = try layers()
    token.signer = TokenSigner(pki)
    token.signer.certificates = [pki.leaf, minter.pki.leaf, minter.pki.intermediate]
    try token.sign()
    #expect(engine.code(token.token) == .missingLeafMarker)
    token.signer.certificates = [pki.leaf, minter.pki.intermediate]
    try token.sign()
    #expect(engine.code(token.token) == .untrustedChain)
    pki.leafRecipe.extensions.removeLast()
    try pki.issueLeaf()
    token.signer.certificates = [pki.leaf, minter.pki.leaf, minter.pki.intermediate]
    try token.sign()
    #expect(engine.code(token.token) == .unexpectedCertificate)
  }

  @Test func `D: digest and time patched, the signature value left stale`() throws {
    var token = try layers()
    let stale = try signatureValue(of: token)
    token.transactionId[0] ^= 1
    token.signatureRecipe.editValue = { $0 = stale }
    try token.sign()
    #expect(engine.code(token.token) == .signatureMismatch)
  }

  @Test func `E: the attacker's certificates alone`() throws {
    var token = try layers()
    token.signer = TokenSigner(minter.foreign)
    try token.sign()
    #expect(engine.code(token.token) == .untrustedChain)
    // With the genuine root along, which proves nothing.
    token.signer.certificates.append(minter.pki.root)
    try token.sign()
    #expect(engine.code(token.token) == .untrustedChain)
  }

  @Test func `F: someone else's CMS with any applicationData`() throws {
    var token = try layers()
    token.applicationData = [UInt8](repeating: 1, count: 32)
    #expect(engine.code(token.token) == .signatureMismatch)
    token = try layers(applicationData: [UInt8](repeating: 1, count: 32))
    token.applicationData = nil
    #expect(engine.code(token.token) == .signatureMismatch)
  }

  @Test func `G: a ciphertext bit flipped under the old tag, signed or not`() throws {
    var token = try layers()
    token.data[0] ^= 1
    #expect(engine.code(token.token) == .signatureMismatch)
    try token.sign()
    #expect(engine.code(token.token) == .decryptionFailed)
    var tag = try layers()
    tag.data[tag.data.count - 1] ^= 0x80
    try tag.sign()
    #expect(engine.code(tag.token) == .decryptionFailed)
  }

  @Test func `H: applicationData moved into the tail of transactionId`() throws {
    var token = try layers(applicationData: [UInt8](repeating: 1, count: 32))
    token.transactionId += token.applicationData ?? []
    token.applicationData = nil
    #expect(
      engine.fault(token.token, at: Minted.time, VerificationPolicy())
        == TokenFault(.invalidLength, member: .transactionId))
  }

  @Test func `I: a shared secret that begins with a zero byte is accepted`() throws {
    var token = try layers()
    var stream = minter.generator.stream("leading zero")
    var pair = token.ephemeral
    repeat {
      pair = try KeyPair(.p256, from: &stream)
    } while try pair.sharedSecret(with: token.merchantKey.pair.point)[0] != 0
    try token.replaceEphemeral(with: pair)
    #expect(engine.code(token.token) == nil)
  }

  @Test func `J: data shorter than a byte and a tag`() throws {
    for count in 0...16 {
      var token = try layers()
      token.data = [UInt8](repeating: 0, count: count)
      try token.sign()
      #expect(engine.fault(token.token) == TokenFault(.invalidLength, member: .data))
    }
    var token = try layers()
    token.data = [UInt8](repeating: 0, count: 17)
    try token.sign()
    #expect(engine.code(token.token) == .decryptionFailed)
  }

  @Test func `K: ephemeral keys that are not a named-curve point`() throws {
    let prime: [UInt8] = CurveConstants.p256Prime
    func point(_ x: [UInt8], _ y: [UInt8]) -> (inout [UInt8]) -> Void {
      { $0.replaceSubrange(27..., with: x + y) }
    }
    let edits: [(inout [UInt8]) -> Void] = [
      { $0[90] ^= 1 }, { $0[26] = 0x06 }, { $0[26] = 0x02 }, { $0[26] = 0x00 }, { $0[25] = 1 }, { $0[1] = 0x58 },
      { $0[22] = 0x08 }, { $0[0] = 0x31 },
      point([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32)), point(prime, prime),
      point([UInt8](repeating: 0xFF, count: 32), [UInt8](repeating: 0xFF, count: 32)),
    ]
    for (index, edit) in edits.enumerated() {
      var token = try layers()
      edit(&token.ephemeralPublicKey)
      try token.sign()
      #expect(engine.code(token.token) == .invalidEphemeralKey, "edit \(index)")
    }
  }

  @Test func `L: a transactionId with leading zeros is accepted`() throws {
    var token = try layers()
    token.transactionId.replaceSubrange(0..<8, with: [UInt8](repeating: 0, count: 8))
    try token.sign()
    #expect(engine.code(token.token) == nil)
  }

  @Test func `M: members read at other bounds under the genuine signature fail to decrypt, and leave no trace`() throws
  {
    var token = try layers(applicationData: [UInt8](repeating: 1, count: 32))
    let genuine = token.token
    let applicationData = try #require(token.applicationData)
    token.data += token.transactionId
    token.transactionId = applicationData
    token.applicationData = nil
    let store = CountingStore()
    let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: store))
    #expect(engine.fault(token.token, at: Minted.time, policy) == TokenFault(.decryptionFailed))
    #expect(store.calls == 0)
    #expect(engine.fault(genuine, at: Minted.time, policy) == nil)
    #expect(store.calls == 1, "the store does not hear of the genuine one either")
  }

  @Test func `a merchant's key that is not loaded, or another one loaded`() throws {
    var token = try layers()
    token.publicKeyHash[0] ^= 1
    #expect(engine.code(token.token) == .unknownMerchantKey)
    token.publicKeyHash = minter.merchants[0].keys[1].publicKeyHash
    #expect(engine.code(token.token) == .decryptionFailed)
  }

  @Test func `no byte of the CMS can be changed`() throws {
    var token = try layers()
    let genuine = token.signature
    #expect(engine.code(token.token) == nil, "what is not changed is refused as well")
    var stream = minter.generator.stream("changed bytes")
    for index in genuine.indices {
      let flip = UInt8.random(in: 1...255, using: &stream)
      token.signature = genuine
      token.signature[index] ^= flip
      #expect(engine.code(token.token) != nil, "seed \(minter.seed), byte \(index) changed by \(flip)")
    }
  }

  @Test func `random cuts, repetitions and changes are refused or change nothing`() throws {
    let token = try minter.mint()
    var stream = minter.generator.stream("damage")
    var accepted = 0
    for round in 0..<1_000 {
      var damaged = token.bytes
      for _ in 0..<Int.random(in: 1...4, using: &stream) {
        let start = Int.random(in: 0..<damaged.count, using: &stream)
        let end = min(damaged.count, start + Int.random(in: 0...40, using: &stream))
        switch Int.random(in: 0..<4, using: &stream) {
        case 0: damaged[start] = UInt8.random(in: 0...255, using: &stream)
        case 1 where end - start < damaged.count: damaged.removeSubrange(start..<end)
        case 2: damaged.insert(contentsOf: Array(damaged[start..<end]), at: start)
        default: damaged.swapAt(start, max(start, end - 1))
        }
      }
      guard case .success(let opened) = engine.result(damaged, at: Minted.time, VerificationPolicy()) else { continue }
      #expect(opened.plaintext == token.plaintext, "seed \(minter.seed), round \(round)")
      accepted += 1
    }
    #expect((1..<500).contains(accepted), "\(accepted)")
  }

  private func signatureValue(of token: TokenLayers) throws -> [UInt8] {
    let signer = try #require(try BERValue(token.signature).children.last?.children[0].children.last?.children[0])
    return Array(try #require(signer.children.last).contents)
  }

  private func unmarkedForeignLeaf() throws -> [UInt8] {
    var pki = minter.foreign
    pki.leafRecipe.extensions.removeLast()
    try pki.issueLeaf()
    return pki.leaf
  }
}

extension TestPKI {
  /// The intermediate signs itself, and the leaf under it.
  fileprivate mutating func issueSelfSignedIntermediate() throws {
    let key = rootKey
    defer { rootKey = key }
    rootKey = intermediateKey
    try issueIntermediate()
  }
}
