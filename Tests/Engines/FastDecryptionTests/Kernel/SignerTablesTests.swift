import CP256
import FastDecryption
import Minting
import NamedCases
import PaymentToken
import TestCases
import TestSupport
import Testing

/// Tables are bounded, are made for frequent signers, and change no verdict.
@Suite struct SignerTablesTests {
  private func key(_ number: UInt8) throws -> P256SignerKey {
    let pair = try KeyPair(.p256, wideScalar: [UInt8](repeating: number, count: 32))
    let key = P256SignerKey(point: pair.point.span)
    return try #require(key)
  }

  @Test func `a new table replaces the oldest, and no other`() throws {
    let signers = KnownSigners(for: .fastest, tables: .atOnce)
    let keys = try (1...UInt8(KnownSigners.tableCapacity)).map { try key($0) }
    let made = try keys.map { try #require(signers.tableForUse(of: $0)) }
    #expect(signers.tables.count == KnownSigners.tableCapacity)
    for (key, table) in zip(keys, made) { #expect(signers.tableForUse(of: key) === table) }
    #expect(try signers.tableForUse(of: key(99)) != nil)
    #expect(signers.tables.count == KnownSigners.tableCapacity)
    for (key, table) in zip(keys, made).dropFirst() { #expect(signers.tableForUse(of: key) === table) }
    #expect(signers.table(of: keys[0]) == nil)
    let again = signers.tableForUse(of: keys[0])
    #expect(again != nil && again !== made[0])
  }

  @Test func `a key gets its table after some uses`() throws {
    let signers = KnownSigners(for: .fastest)
    let key = try key(7)
    for _ in 1..<KnownSigners.minimumUses { #expect(signers.tableForUse(of: key) == nil) }
    #expect(signers.tables.isEmpty)
    signers.countUse(of: key)
    #expect(signers.table(of: key) != nil)
    #expect(signers.tables.count == 1)
  }

  @Test func `tables are evicted in the order in which they were made`() throws {
    let signers = KnownSigners(for: .fastest, tables: .atOnce)
    let keys = try (1...UInt8(KnownSigners.tableCapacity)).map { try key($0) }
    let made = try keys.map { try #require(signers.tableForUse(of: $0)) }
    for (number, next) in zip(UInt8(101)..., made) {
      #expect(signers.tables.contains { $0 === next })
      #expect(try signers.tableForUse(of: key(number)) != nil)
      #expect(signers.tables.count == KnownSigners.tableCapacity && !signers.tables.contains { $0 === next })
    }
  }

  @Test func `an evicted key gets a table again after as many uses`() throws {
    let signers = KnownSigners(for: .fastest)
    let keys = try (1...UInt8(KnownSigners.tableCapacity + 1)).map { try key($0) }
    for key in keys {
      for _ in 0..<KnownSigners.minimumUses { signers.countUse(of: key) }
      #expect(signers.table(of: key) != nil)
    }
    let made = signers.tables
    #expect(made.count == KnownSigners.tableCapacity && signers.table(of: keys[0]) == nil)
    for _ in 1..<KnownSigners.minimumUses { #expect(signers.tableForUse(of: keys[0]) == nil) }
    #expect(made.elementsEqual(signers.tables) { $0 === $1 })
    signers.countUse(of: keys[0])
    #expect(signers.table(of: keys[0]) != nil)
  }

  @Test func `a table holds the multiples of its point`() throws {
    let pair = try KeyPair(.p256, wideScalar: [UInt8](repeating: 9, count: 32))
    let table = try #require(KnownSigners(for: .fastest, tables: .atOnce).tableForUse(of: key(9)))
    #expect(Self.isTable(table, of: Array(pair.point.dropFirst())))
    var generator = [UInt8](repeating: 0, count: 64)
    assay_p256_generator(&generator)
    #expect(Self.isTable(try #require(SignerTable.generator), of: generator))

    let word = table.words[5]
    table.flipBit(3, ofWord: 5)
    #expect(table.words[5] == word ^ 8)
    #expect(!Self.isTable(table, of: Array(pair.point.dropFirst())))
  }

  /// Compares a table with one made here.
  private static func isTable(_ table: SignerTable, of point: [UInt8]) -> Bool {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Int(ASSAY_P256_TABLE_SIZE), alignment: Int(ASSAY_P256_TABLE_ALIGNMENT))
    defer { memory.deallocate() }
    let words = memory.bindMemory(to: UInt64.self, capacity: SignerTable.wordCount)
    guard assay_p256_make_table(point, words) else { return false }
    return (0..<SignerTable.wordCount).allSatisfy { words[$0] == table.words[$0] }
  }

  @Test func `the portable kernel has no tables`() throws {
    let signers = KnownSigners(for: .portable, tables: .atOnce)
    #expect(try signers.tableForUse(of: key(3)) == nil)
    #expect(signers.tables.isEmpty)
  }

  @Test func `tokens get a table eventually, and the same verdict before and after`() throws {
    let fixture = try Fixture(seed: 45)
    let engine = try FastDecryptor(keys: fixture.keys, anchors: fixture.minter.anchors, kernel: .fastest)
    var workspace = makeWorkspace()
    let sound = try fixture.minter.mint(index: 3)
    var layers = try fixture.minter.layers(TokenRecipe(index: 4))
    // Within s, before the end-of-contents bytes of the indefinite lengths.
    layers.signature[layers.signature.count - 30] ^= 1
    for count in [200, 2] {
      for _ in 0..<count {
        #expect(engine.verdict(sound.bytes, in: &workspace) == .success(sound.plaintext))
        #expect(engine.fault(layers.token, in: &workspace) == TokenFault(.signatureMismatch))
      }
      #expect(engine.signers.tables.count == 1)
    }
  }

  @Test func `more signers than tables get correct verdicts`() throws {
    let minter = try Minter(seed: 46, at: mintingTime)
    let engine = try FastDecryptor(
      keys: minter.merchantKeySet(), anchors: minter.anchors, kernel: .fastest, tables: .atOnce)
    let recipes = stride(from: 0, to: CaseRecipe.all.count, by: Ring.isDeep ? 1 : 3).map { CaseRecipe.all[$0] }
    let tokens = try recipes.map { try minter.make($0) }.filter(\.isSingleToken)
    for _ in 0..<(Ring.isDeep ? 2 : 1) {
      let results = engine.decryptBatch(tokens.map(\.test.request), at: mintingTime, under: VerificationPolicy())
      for (minted, result) in zip(tokens, results) {
        #expect(TestVerdict(result.map(\.plaintext)) == minted.test.expected, Comment(rawValue: minted.test.name))
      }
    }
    #expect(engine.signers.tables.count == KnownSigners.tableCapacity, "there are not more signers than tables")
  }

  @Test func `a table with a flipped bit is detected, and libcrypto decides`() throws {
    let fixture = try Fixture(seed: 47)
    let engine = try FastDecryptor(
      keys: fixture.keys, anchors: fixture.minter.anchors, kernel: .fastest, tables: .atOnce)
    let tokens = try (UInt64(0)..<24).map { try fixture.minter.mint(index: $0) }
    let results = engine.decryptBatch(tokens.map(\.bytes), at: mintingTime, under: VerificationPolicy())
    #expect(results.allSatisfy { (try? $0.get()) != nil })
    #expect(engine.signers.tables.count == 1, "there is no table whose bits could be flipped")
    for table in engine.signers.tables {
      for word in stride(from: 0, to: SignerTable.wordCount, by: 8) { table.flipBit(word / 8 % 60, ofWord: word) }
    }
    let again = engine.decryptBatch(tokens.map(\.bytes), at: mintingTime, under: VerificationPolicy())
    for (token, result) in zip(tokens, again) { #expect(try result.get().plaintext == token.plaintext) }
    var workspace = makeWorkspace()
    #expect(engine.verdict(tokens[0].bytes, in: &workspace) == .success(tokens[0].plaintext))

    let pki = fixture.minter.pki
    let forged = try fixture.tokenOfOtherSigner(in: [pki.leaf, pki.intermediate])
    guard var batch = BatchWorkspace() else { fatalError("no memory") }
    for count in [1, 7] {
      let all = [[UInt8]](repeating: forged, count: count) + [tokens[0].bytes]
      let mismatches = [TokenFault?](repeating: TokenFault(.signatureMismatch), count: count)
      #expect(engine.faults(of: all, in: &batch) == mismatches + [nil])
    }
    #expect(engine.fault(forged, in: &workspace) == TokenFault(.signatureMismatch))
  }

  @Test func `certificates of the same key share its table`() throws {
    let fixture = try Fixture(seed: 63)
    let engine = try FastDecryptor(
      keys: fixture.keys, anchors: fixture.minter.anchors, kernel: .fastest, tables: .atOnce)
    var workspace = makeWorkspace()
    for form in try RewrittenChains.forms(of: fixture.minter.pki).prefix(6) {
      #expect(engine.fault(try fixture.layers(in: form).token, in: &workspace) == nil)
    }
    #expect(engine.knownChains == 6 && engine.signers.tables.count == 1)
  }

  @Test func `a batch workspace releases the tables of an engine that is gone before its next batch`() throws {
    let fixture = try Fixture(seed: 64)
    let tokens = try (UInt64(0)..<3).map { try fixture.minter.mint(index: $0).bytes }
    guard var batch = BatchWorkspace() else { fatalError("no memory") }
    weak var table: SignerTable?
    do {
      let engine = try FastDecryptor(
        keys: fixture.keys, anchors: fixture.minter.anchors, kernel: .fastest, tables: .atOnce)
      for _ in 0..<2 { #expect(engine.faults(of: tokens, in: &batch) == [nil, nil, nil]) }
      withExtendedLifetime(engine) {
        table = engine.signers.tables.first
        #expect(table != nil)
      }
    }
    // The workspace holds it: borrowing it from the engine for each batch would write to memory that threads share.
    #expect(table != nil)
    let again = try fixture.engine().faults(of: tokens, in: &batch)
    #expect(again == [nil, nil, nil])
    #expect(table == nil)
  }
}

extension KnownSigners {
  /// The table of a key that is about to verify a signature, as stage 8 looks for it.
  fileprivate func tableForUse(of key: P256SignerKey) -> SignerTable? {
    if let known = table(of: key) { return known }
    countUse(of: key)
    return table(of: key)
  }
}

extension SignerTable {
  /// The number of words of a table.
  fileprivate static var wordCount: Int { Int(ASSAY_P256_TABLE_SIZE) / MemoryLayout<UInt64>.size }

  /// Flips one bit. Other threads must not use the table yet.
  fileprivate func flipBit(_ bit: Int, ofWord index: Int) {
    UnsafeMutablePointer(mutating: words)[index] ^= 1 << UInt64(bit)
  }
}
