import COpenSSL
import Foundation
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import TestSupport
import Testing

/// How memory is released, and what is accepted when an allocation fails.
@Suite(.serialized) struct MemoryTests {
  /// This process's resident memory, in bytes.
  private static func residentSize() throws -> Int {
    let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(words.dropFirst().first.flatMap { Int($0) }) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// The memory at an address, whether or not it is allocated.
  private static func memory(at address: UInt, count: Int) throws -> [UInt8] {
    let file = open("/proc/self/mem", O_RDONLY)
    try #require(file >= 0)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    try #require(pread(file, &bytes, count, off_t(address)) == count)
    return bytes
  }

  // The sanitizer keeps freed blocks aside, and fills them.
  @Test(.disabled(if: Sanitizer.isPresent)) func `released bytes are zeroed and freed`() throws {
    var bytes: WipedBytes? = WipedBytes([UInt8](repeating: 0xA5, count: 60_000).span)
    let address = try #require(
      bytes?.all.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) } as UInt?)
    // The allocator writes at the ends of a free block.
    #expect(try Self.memory(at: address + 64, count: 59_872) == [UInt8](repeating: 0xA5, count: 59_872))
    bytes = nil
    #expect(try !Self.memory(at: address + 64, count: 59_872).contains(0xA5))

    // The allocator gives each block of over 32 MiB a mapping of its own, and unmaps it when the block is freed.
    let (large, before) = (34_000_000, try Self.residentSize())
    for _ in 0..<6 { _ = WipedBytes([UInt8](repeating: 1, count: large).span) }
    #expect(try Self.residentSize() - before < 2 * large)
    let held = (0..<6).map { _ in WipedBytes([UInt8](repeating: 1, count: large).span) }
    #expect(try withExtendedLifetime(held) { try Self.residentSize() - before > 5 * large })
  }

  /// Rule 11.5: at the same cost. The private-key operation takes milliseconds, reading the token takes far less.
  @Test func `a wrapped key that cannot be one takes as long as one that can`() throws {
    let minter = try Minted.minter()
    let merchant = minter.rsaMerchants[0].keys[2]
    let keys = try MerchantKeySet(
      files: [KeyFile(name: "key", bytes: Array((merchant.pkcs8PEM + merchant.certificatePEM).utf8))])
    let engine = try ReferenceDecryptor(keys: keys, anchors: minter.anchors)
    var recipe = TokenRecipe()
    (recipe.version, recipe.key) = (.rsaV1, 2)
    let sound = try minter.layers(recipe)

    func shortest(_ wrappedKey: [UInt8]) -> UInt64 {
      var token = sound
      token.wrappedKey = wrappedKey
      let bytes = token.token
      let times = (0..<5).map { _ in
        let start = ThreadTime.nanoseconds
        let opens = engine.opens(bytes.span, from: .named(.apple), withKeyAt: 0)
        let end = ThreadTime.nanoseconds
        #expect(opens == (wrappedKey == sound.wrappedKey))
        return end - start
      }
      return times.min() ?? 0
    }
    let usual = shortest(sound.wrappedKey)
    for wrong in [Array(sound.wrappedKey.dropLast()), [UInt8](repeating: 0xFF, count: 512)] {
      #expect(shortest(wrong) > usual / 2, "\(wrong.count) bytes")
    }
  }

  /// Calls `body` with one of libcrypto's allocations failing, then with a later one, until `body` makes fewer than
  /// that.
  ///
  /// - Parameters:
  ///   - step: the distance between the allocations that fail.
  ///   - start: the number of the first that fails.
  /// - Returns: how many `body` makes, rounded up to a step.
  private static func failEach(_ step: Int = 1, from start: Int = 0, _ body: () -> Void) -> Int {
    var count = start
    while OpenSSLAllocator.failing(count, body) { count += step }
    return count
  }

  /// A PKI with a root on P-256, because verifying on P-384 takes more allocations.
  private static func lightPKI(_ minter: Minter) throws -> TestPKI {
    var stream = minter.generator.stream("light root")
    let key = try KeyPair(.p256, from: &stream)
    var pki = minter.pki
    pki.rootKey = .ec(key)
    pki.rootRecipe.publicKeyInfo = key.publicKeyInfo
    pki.rootRecipe.sign(with: Algorithms.ecdsaSHA256, .sha256)
    try pki.issue()
    return pki
  }

  /// A token that OpenSSL cannot compare, because an attribute occurs twice: no cross-check repeats the decision.
  private static func incomparable(_ minter: Minter, _ pki: TestPKI) throws -> TokenLayers {
    var token = try minter.layers()
    token.signer = TokenSigner(pki)
    token.signatureRecipe.editAttributes = { list in
      for _ in 0..<2 { list.append(.sequence([.oid([2, 999, 1]), .set([.null])])) }
    }
    try token.sign()
    return token
  }

  @Test func `without memory no forgery is accepted`() async {
    await #expect(processExitsWith: .success) {
      try #require(OpenSSLAllocator.install())
      let minter = try Minted.minter()
      var pki = try MemoryTests.lightPKI(minter)
      let engine = try Minted.engine(minter, anchors: pki.anchors)
      let sound = try MemoryTests.incomparable(minter, pki)
      #expect(engine.code(sound.token) == nil)

      pki.leafRecipe.editSignature = { $0[$0.count - 1] ^= 1 }
      try pki.issueLeaf()
      var untrusted = sound
      untrusted.signer = TokenSigner(pki)
      try untrusted.sign()
      var forged = sound
      forged.signer.key = minter.foreign.leafKey
      try forged.sign()
      var accepted = 0
      for (token, step) in [(untrusted.token, 1), (forged.token, Ring.isDeep ? 1 : 5)] {
        #expect(engine.code(token) != nil)
        let count = MemoryTests.failEach(step) { accepted += engine.code(token) == nil ? 1 : 0 }
        #expect(count > 50 && accepted == 0)
      }

      // Every signature check of this engine succeeds: only the tag of GCM refuses the token.
      let trusting = try ReferenceDecryptor(keys: Minted.keys(minter), anchors: minter.anchors) { _, _ in true }
      var altered = sound
      altered.data[0] ^= 1
      try altered.sign()
      let tampered = altered.token
      #expect(trusting.code(tampered) == .decryptionFailed)
      let count = MemoryTests.failEach { #expect(trusting.code(tampered) != nil) }
      #expect(count > 20)
    }
  }

  @Test func `without memory a sound token is refused by the stage that lacks it`() async {
    await #expect(processExitsWith: .success) {
      try #require(OpenSSLAllocator.install())
      let minter = try Minted.minter()
      let engine = try ReferenceDecryptor(keys: Minted.keys(minter), anchors: minter.anchors) { _, _ in true }
      let token = try minter.mint().bytes
      #expect(engine.code(token) == nil)
      var found: Set<TokenFault.Code?> = []
      let count = MemoryTests.failEach { found.insert(engine.code(token)) }
      let codes: Set<TokenFault.Code?> = [
        nil, .malformedSignature, .invalidEphemeralKey, .keyUnavailable, .decryptionFailed,
      ]
      #expect(count > 20 && found.isSubset(of: codes), "\(found)")
      #expect(found.contains(.decryptionFailed) && found.contains(.keyUnavailable))
    }
  }

  @Test func `without memory OpenSSL agrees with nothing that it rejects, and the engine heeds it`() async {
    await #expect(processExitsWith: .success) {
      try #require(OpenSSLAllocator.install())
      let minter = try Minted.minter()
      let pki = try MemoryTests.lightPKI(minter)
      var layers = try minter.layers()
      layers.signer = TokenSigner(pki)
      try layers.sign()
      let (root, intermediate) = (try Certificate(der: pki.root), try Certificate(der: pki.intermediate))
      let chain = CertificateChain(root: root, intermediate: intermediate, leaf: try Certificate(der: pki.leaf))
      let (cms, content) = (layers.signature, layers.signedContent)
      #expect(CrossCheck.outcome(contentInfo: cms, content: content, chain: chain) == .agreed)
      let rejected = content + [0]
      #expect(CrossCheck.outcome(contentInfo: cms, content: rejected, chain: chain) == .disagreed)
      // `CrossCheck` verifies the CMS after the links of the chain, and only if none of them is broken.
      var broken = pki
      broken.leafRecipe.editSignature = { $0[$0.count - 1] ^= 1 }
      try broken.issueLeaf()
      let short = CertificateChain(root: root, intermediate: intermediate, leaf: try Certificate(der: broken.leaf))
      let links = OpenSSLAllocator.count { _ = CrossCheck.outcome(contentInfo: cms, content: rejected, chain: short) }
      var agreements = 0
      let count = MemoryTests.failEach(from: Ring.isDeep ? 0 : max(0, links - 50)) {
        agreements += CrossCheck.outcome(contentInfo: cms, content: rejected, chain: chain) == .agreed ? 1 : 0
      }
      #expect(count > links && agreements == 0)

      let engine = try Minted.engine(minter, anchors: pki.anchors)
      let token = layers.token
      var disagreements = 0
      _ = MemoryTests.failEach(Ring.isDeep ? 1 : 29) {
        let (result, trace) = engine.decryptTraced(token.span, at: Minted.time, under: VerificationPolicy())
        guard trace.facts.contains(.crossCheck(.disagreed)) else { return }
        disagreements += 1
        #expect(result.map(\.version) == .failure(TokenFault(.signatureMismatch)))
      }
      #expect(disagreements > 0)
    }
  }

  @Test func `without memory an external key is not asked about points off the curve`() async {
    await #expect(processExitsWith: .success) {
      try #require(OpenSSLAllocator.install())
      let minter = try Minted.minter()
      let key = ExternalKeyStandIn()
      let external = try ExternalECKey(publicKey: minter.merchants[0].keys[0].pair.point, agreement: key)
      let keys = try MerchantKeySet([
        MerchantKeySource(secret: .external(external), merchantID: minter.merchants[0].identifier)
      ])
      let engine = try ReferenceDecryptor(keys: keys, anchors: minter.anchors) { _, _ in true }
      var layers = try minter.layers()
      #expect(engine.code(layers.token) == .keyUnavailable)
      #expect(key.asked.count == 1)
      layers.ephemeralPublicKey[90] ^= 1
      try layers.sign()
      let token = layers.token
      let count = MemoryTests.failEach { #expect(engine.code(token) != nil) }
      #expect(count > 0)
      #expect(key.asked.count == 1)
    }
  }
}
