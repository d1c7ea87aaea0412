import Minting

extension Mutation {
  static let ciphertext = Mutation(
    "ciphertext", .content, hunts: "partly compared tags, data too short for a tag, unauthenticated ciphertext"
  ) { draft, random in
    guard var data = draft.fields.data, data.count >= 17 else { return false }
    switch random.below(8) {
    case 0, 1, 2: data[data.count - 1 - random.below(16)] ^= 1 << UInt8(random.below(8))
    case 3: data[random.below(data.count - 16)] ^= 1 << UInt8(random.below(8))
    case 4: data = Array(data.prefix(random.pick([0, 1, 15, 16, 17, 18, 32])))
    case 5: data = ByteEdits.resized(data, using: &random)
    case 6: data = Array(data.suffix(16))
    default: data.replaceSubrange((data.count - 16)..., with: [UInt8](repeating: 0, count: 16))
    }
    draft.fields.data = data
    draft.openPayload()
    return true
  }

  static let ephemeralKey = Mutation(
    "ephemeral-key", .content,
    hunts: "points off the curve, at infinity, compressed, on other curves, with coordinates beyond p"
  ) { draft, random throws(MintingError) in
    guard draft.version.hasEphemeralKey, var key = draft.fields.key, key.count >= 65 else { return false }
    let point = key.count - 65
    switch random.below(12) {
    case 0: key[point] = random.pick([0, 1, 2, 3, 5, 6 + (key[key.count - 1] & 1), 7 - (key[key.count - 1] & 1), 0xFF])
    case 1: key[point + 1 + random.below(64)] ^= 1 << UInt8(random.below(8))
    case 2: if point > 0 { key[random.below(point)] ^= 1 << UInt8(random.below(8)) }
    case 3: key.replaceSubrange((point + 1)..., with: [UInt8](repeating: 0, count: 64))
    case 4:
      let field = PointEdges.prime
      key.replaceSubrange((point + 1)..<(point + 33), with: PointEdges.nearly(field, using: &random))
      // A point with x = 0 is on the curve; x = p is its non-canonical form.
      if random.chance(2) { key.replaceSubrange((point + 33)..., with: PointEdges.rootOfB) }
    case 5: key = key.prefix(point) + PointEdges.xZero(odd: random.chance(2))
    // (x, p − y): other signed content, the same shared secret.
    case 6: key.replaceSubrange((point + 33)..., with: PointEdges.negated(Array(key[(point + 33)...])))
    case 7: key = try KeyPair(.p384, wideScalar: random.bytes(64)).publicKeyInfo.encoded
    case 8: key = key.prefix(point) + (try KeyPair(.secp256k1, wideScalar: random.bytes(48)).point)
    case 9: key = ByteEdits.resized(key, using: &random)
    case 10: key = [0x30, 0x81, 0x59] + key[2..<(key.count - 1)]
    default:
      try draft.takeFreshKey(using: &random)
      return true
    }
    draft.fields.key = key
    draft.openPayload()
    return true
  }

  static let leadingZeros = Mutation(
    "leading-zeros", .content, hunts: "dropped leading zeros: in the shared secret, in coordinates, in identifiers"
  ) { draft, random throws(MintingError) in
    guard draft.version.hasEphemeralKey, let known = draft.sampleSigner.merchantKey(draft.fields.publicKeyHash) else {
      return false
    }
    if random.chance(3) {
      draft.fields.transactionId = [0, 0] + random.bytes(30)
      return true
    }
    // One in 256 shared secrets, or x coordinates, begins with a zero byte.
    let wantsSecret = !random.chance(4)
    let start = try draft.freshPair(using: &random)
    guard let pair = try start.nextWithLeadingZero(inSecretWith: wantsSecret ? known.key.pair.point : nil) else {
      return false
    }
    try draft.take(pair, for: known.key.pair.point, identifierHash: known.identifierHash)
    return true
  }

  static let wrappedKey = Mutation(
    "wrapped-key", .content, hunts: "RSA-OAEP: labels, digests, separators, key lengths, numbers beyond the modulus"
  ) { draft, random throws(MintingError) in
    guard !draft.version.hasEphemeralKey else { return false }
    let keys = draft.sampleSigner.minter.rsaMerchants.flatMap(\.keys)
    let key = draft.sampleSigner.rsaMerchantKey(draft.fields.publicKeyHash) ?? keys[0]
    if random.chance(3) {
      draft.fields.key = number(draft.fields.key ?? [], key.pair.modulus, using: &random)
      draft.openPayload()
      return true
    }
    if random.chance(6) { return try zeros(&draft, key, using: &random) }
    let size = random.pick([16, 16, 16, 0, 1, 15, 17, 24, 32])
    var wrapping = KeyWrapping(random.bytes(size), under: key, seed: random.bytes(64))
    switch random.below(9) {
    case 0: wrapping.padding.label = random.pick([[0], Array("label".utf8)])
    case 1: wrapping.padding.digest = random.pick([.sha1, .sha384, .sha512])
    case 2: wrapping.padding.maskDigest = random.pick([.sha1, .sha384, .sha512])
    case 3: wrapping.padding.firstByte = random.pick([1, 2])
    case 4:
      let index = random.below(32)
      wrapping.padding.editBlock = { $0[index] ^= 1 }
    case 5:
      let value = random.byte()
      wrapping.padding.editBlock = { block in
        if block.count > 50 { block[40] = value }
      }
    case 6:
      let value: UInt8 = random.pick([0, 2, 0xFF])
      let back = size + 1
      wrapping.padding.editBlock = { block in
        if block.count > back { block[block.count - back] = value }
      }
    case 7: wrapping.seed = [UInt8](repeating: 0, count: 64)
    default: break
    }
    draft.fields.publicKeyHash = key.publicKeyHash
    // A key of 16 bytes encrypts the payload; any other must be refused.
    let field = try wrapping.wrapped()
    draft.fields.key = field
    draft.contentKey = size == 16 ? wrapping.key : nil
    let payload = draft.payload
    if size != 16 { draft.openPayload() }
    if let payload, size == 16 { draft.replacePayload(with: payload) }
    return true
  }

  /// Makes one of two samples. The first has a key field that cannot be unwrapped, and a payload that is encrypted with
  /// an all-zero key. The second has a key field with a leading zero byte, which may be removed.
  private static func zeros(
    _ draft: inout Draft, _ key: RSATestMerchant.Key, using random: inout QuickGenerator
  ) throws(MintingError) -> Bool {
    guard let payload = draft.payload else { return false }
    draft.fields.publicKeyHash = key.publicKeyHash
    if random.chance(2) {
      draft.fields.key = PointEdges.nearly([UInt8](repeating: 0, count: key.pair.modulus.count), using: &random)
      draft.contentKey = [UInt8](repeating: 0, count: 16)
      draft.replacePayload(with: payload)
      return true
    }
    for _ in 0..<1_024 {
      let wrapping = KeyWrapping(random.bytes(16), under: key, seed: random.bytes(32))
      guard try wrapping.wrapped()[0] == 0 else { continue }
      try draft.take(wrapping)
      if random.chance(2) { draft.fields.key?.removeFirst() }
      draft.replacePayload(with: payload)
      return true
    }
    return false
  }

  private static func number(_ field: [UInt8], _ modulus: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    switch random.below(9) {
    case 0: modulus
    case 1: PointEdges.nearly(modulus, using: &random)
    case 2: [UInt8](repeating: 0, count: modulus.count)
    case 3: [UInt8](repeating: 0, count: modulus.count - 1) + [1]
    case 4: [0] + field
    case 5: Array(field.dropFirst())
    case 6: field + [0]
    case 7: Array(field.prefix(random.pick([255, 256, 257, 384])))
    default: ByteEdits.nearly(field, using: &random)
    }
  }

  static let merchantKey = Mutation(
    "merchant-key", .content,
    hunts: "another merchant's key, hash or identifier; partly compared hashes; workspaces not reset between merchants"
  ) { draft, random throws(MintingError) in
    guard let hash = draft.fields.publicKeyHash else { return false }
    let minter = draft.sampleSigner.minter
    switch random.below(5) {
    case 0:
      draft.fields.publicKeyHash = ByteEdits.nearly(hash, using: &random)
    case 1:
      // Only the hash of another key, of either version.
      let hashes =
        minter.merchants.flatMap(\.keys).map(\.publicKeyHash) + minter.rsaMerchants.flatMap(\.keys).map(\.publicKeyHash)
      draft.fields.publicKeyHash = random.pick(hashes)
    case let kind where draft.version.hasEphemeralKey:
      let merchant = random.pick(minter.merchants)
      // Kind 2: the key of any merchant, with an identifier that may be another merchant's.
      let key = random.pick(kind == 2 ? minter.merchants.flatMap(\.keys) : merchant.keys)
      draft.fields.publicKeyHash = key.publicKeyHash
      try draft.take(
        try draft.freshPair(using: &random), for: key.pair.point, identifierHash: merchant.identifierHash)
    default:
      let key = random.pick(minter.rsaMerchants.flatMap(\.keys))
      draft.fields.publicKeyHash = key.publicKeyHash
      try draft.take(KeyWrapping(random.bytes(16), under: key, seed: random.bytes(32)))
    }
    return true
  }

  static let identifiers = Mutation(
    "identifiers", .content, hunts: "transactionId and applicationData that the digest omits or covers in part"
  ) { draft, random in
    switch random.below(6) {
    case 0: draft.fields.applicationData = draft.fields.applicationData == nil ? random.bytes(32) : nil
    case 1: draft.fields.applicationData = draft.fields.applicationData.map { ByteEdits.nearly($0, using: &random) }
    case 2: draft.fields.transactionId = random.bytes(32)
    case 3: draft.fields.transactionId = draft.fields.transactionId.map { ByteEdits.nearly($0, using: &random) }
    case 4: draft.fields.applicationData = draft.fields.transactionId
    default:
      (draft.fields.transactionId, draft.fields.applicationData) =
        (draft.fields.applicationData ?? draft.fields.transactionId, draft.fields.transactionId)
    }
    // A changed identifier must be refused under the old signature.
    if random.chance(3) { draft.isLeftStale = true }
    return true
  }

  static let boundaries = Mutation(
    "boundaries", .content, hunts: "the signed concatenation of members: the same bytes split at other places"
  ) { draft, random in
    guard var data = draft.fields.data, var key = draft.fields.key, var id = draft.fields.transactionId else {
      return false
    }
    // Keep the signature: the signed bytes stay the same, only the split moves.
    draft.isLeftStale = true
    switch random.below(5) {
    case 0:
      data += id
      id = draft.fields.applicationData ?? random.bytes(32)
      draft.fields.applicationData = nil
    case 1:
      guard data.count > 60 else { return false }
      draft.fields.applicationData = id
      id = data.suffix(32)
      data.removeLast(32)
    case 2:
      let count = random.pick([1, 16, 128, 256])
      guard data.count > count + 17 else { return false }
      key += data.prefix(count)
      data.removeFirst(count)
    case 3:
      let count = random.pick([1, 16, 128, 256])
      guard key.count > count else { return false }
      data = key.suffix(count) + data
      key.removeLast(count)
    default:
      id += draft.fields.applicationData ?? []
      draft.fields.applicationData = nil
    }
    draft.fields.data = data
    draft.fields.key = key
    draft.fields.transactionId = id
    draft.openPayload()
    return true
  }

  static let lengths = Mutation(
    "lengths", .content, hunts: "decoded lengths off by one: 91, 32, 17, 256 and 512 bytes, and the order of the checks"
  ) { draft, random in
    for _ in 0..<random.pick([1, 1, 2]) {
      switch random.below(7) {
      case 0: draft.fields.key = draft.fields.key.map { ByteEdits.resized($0, using: &random) }
      case 1: draft.fields.publicKeyHash = draft.fields.publicKeyHash.map { ByteEdits.resized($0, using: &random) }
      case 2: draft.fields.transactionId = draft.fields.transactionId.map { ByteEdits.resized($0, using: &random) }
      case 3: draft.fields.applicationData = random.bytes(random.pick([0, 1, 31, 32, 33, 64]))
      case 4: draft.fields.data = random.bytes(random.pick([0, 1, 15, 16, 17, 18]))
      case 5 where !draft.version.hasEphemeralKey:
        draft.fields.key = random.bytes(random.pick([255, 256, 257, 384, 511, 512, 513]))
      default: draft.fields.data = draft.fields.data.map { ByteEdits.resized($0, using: &random) }
      }
    }
    draft.openPayload()
    return true
  }
}

/// Edge values of the field of P-256 (SEC 2, 2.4.2).
enum PointEdges {
  static let prime: [UInt8] =
    [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12) + [UInt8](repeating: 0xFF, count: 12)

  /// A square root of the curve's b: the y of a point with x = 0.
  static let rootOfB: [UInt8] = [
    0x66, 0x48, 0x5C, 0x78, 0x0E, 0x2F, 0x83, 0xD7, 0x24, 0x33, 0xBD, 0x5D, 0x84, 0xA0, 0x6B, 0xB6, 0x54, 0x1C, 0x2A,
    0xF3, 0x1D, 0xAE, 0x87, 0x17, 0x28, 0xBF, 0x85, 0x6A, 0x17, 0x4F, 0x93, 0xF4,
  ]

  /// 04 ‖ 0 ‖ y.
  static func xZero(odd: Bool) -> [UInt8] {
    [4] + [UInt8](repeating: 0, count: 32) + (odd ? negated(rootOfB) : rootOfB)
  }

  /// p − y.
  static func negated(_ number: [UInt8]) -> [UInt8] {
    number.count == prime.count ? difference(prime, number) : number
  }

  /// The difference of two numbers of the same size.
  static func difference(_ number: [UInt8], _ other: [UInt8]) -> [UInt8] {
    var result = number
    var borrow = 0
    for index in result.indices.reversed() {
      let digit = Int(number[index]) - Int(other[index]) - borrow
      borrow = digit < 0 ? 1 : 0
      result[index] = UInt8(truncatingIfNeeded: digit)
    }
    return result
  }

  /// Returns the number, or one with a neighbouring last byte, or all ones.
  static func nearly(_ number: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    var result = number
    result[result.count - 1] = result[result.count - 1] &+ random.pick([0, 0, 1, 2, 0xFF])
    if random.chance(4) { return [UInt8](repeating: 0xFF, count: number.count) }
    return result
  }
}
