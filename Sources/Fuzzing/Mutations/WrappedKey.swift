import Minting

extension Mutation {
  static let wrappedKey = Mutation(
    "wrapped-key", .content, hunts: "RSA-OAEP: labels, digests, separators, lengths of keys, numbers beyond the modulus"
  ) { draft, random throws(MintingError) in
    guard draft.version == .rsaV1 else { return false }
    let keys = draft.workshop.minter.rsaMerchants.flatMap(\.keys)
    let key = draft.workshop.rsaMerchantKey(draft.fields.publicKeyHash) ?? keys[0]
    if random.chance(3) {
      draft.fields.key = number(draft.fields.key ?? [], key.pair.modulus, using: &random)
      draft.openPayload()
      draft.touch(.content)
      return true
    }
    if random.chance(6) { return try zeros(&draft, key, using: &random) }
    let size = random.pick([16, 16, 16, 0, 1, 15, 17, 24, 32])
    var wrapping = KeyWrapping(random.octets(size), under: key, seed: random.octets(64))
    switch random.below(9) {
    case 0: wrapping.padding.label = random.pick([[0], Array("label".utf8)])
    case 1: wrapping.padding.digest = random.pick([.sha1, .sha384, .sha512])
    case 2: wrapping.padding.maskDigest = random.pick([.sha1, .sha384, .sha512])
    case 3: wrapping.padding.firstOctet = random.pick([1, 2])
    case 4:
      let index = random.below(32)
      wrapping.padding.editBlock = { $0[index] ^= 1 }
    case 5:
      let value = random.octet()
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
    // What comes out of it is encrypted to, whatever it is.
    let field = try wrapping.wrapped()
    draft.fields.key = field
    draft.contentKey = size == 16 ? wrapping.key : nil
    let payload = draft.payload
    if size != 16 { draft.openPayload() }
    if let payload, size == 16 { draft.replacePayload(with: payload) }
    draft.touch(.content)
    return true
  }

  /// A field that cannot be unwrapped, and a ciphertext under the key of zeros; or a field that begins with a zero, which
  /// may be missing.
  private static func zeros(
    _ draft: inout Draft, _ key: RSATestMerchant.Key, using random: inout QuickGenerator
  ) throws(MintingError) -> Bool {
    guard let payload = draft.payload else { return false }
    draft.fields.publicKeyHash = key.publicKeyHash
    if random.chance(2) {
      draft.fields.key = PointEdges.nearly([UInt8](repeating: 0, count: key.pair.modulus.count), using: &random)
      draft.contentKey = [UInt8](repeating: 0, count: 16)
      draft.replacePayload(with: payload)
      draft.touch(.content)
      return true
    }
    for _ in 0..<1_024 {
      let wrapping = KeyWrapping(random.octets(16), under: key, seed: random.octets(32))
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
    default: OctetEdits.nearly(field, using: &random)
    }
  }
}
