import Minting
import PaymentToken

/// Rule 8.3: signatures that are mathematically special. Keys, nonces and values are constructed for each case.
extension CaseList {
  mutating func addECDSAEdgeCases() {
    addKeyEdges()
    addValueEdges()
    addReductionEdges()
  }

  /// n−`less`.
  private static func order(less: UInt8) -> [UInt8] {
    ExplicitParameters.order.dropLast() + [ExplicitParameters.order[31] - less]
  }

  private static let edges: [(CaseName, [UInt8])] = [
    ("1", number(1)), ("2", number(2)), ("3", number(3)), ("16", number(16)), ("n-1", order(less: 1)),
    ("n-2", order(less: 2)),
  ]

  fileprivate static func number(_ value: UInt8) -> [UInt8] { zeros(31) + [value] }

  private mutating func addKeyEdges() {
    for (name, scalar) in Self.edges {
      accept("8.3", "ecdsa-leaf-key-of-scalar-\(name)", note: "Q is a small multiple of the generator") { draft in
        try draft.edgeLeaf(ScalarField().keyPair(scalar))
      }
      accept("8.3", "ecdsa-nonce-\(name)", note: "R is a small multiple of the generator") { draft in
        let key = draft.layers.signer.key.scalar
        guard let value = try ScalarField().sign(draft.signedDigest, nonce: scalar, by: key) else {
          throw MintingError.recipe("no such signature")
        }
        try draft.sign(with: value)
      }
    }
  }

  private mutating func addValueEdges() {
    for (name, s) in Self.edges { signature(withS: s, name) }
    accept("8.3", "ecdsa-both-halves-of-the-sum-equal", note: "u1 G = u2 Q: their addition is a doubling") { draft in
      let field = try ScalarField()
      let digest = draft.signedDigest
      let nonce = try field.reduced(draft.stream.bytes(48))
      let r = try field.commitment(nonce)
      try draft.edgeLeaf(field.keyPair(field.product(digest, field.inverse(r))))
      try draft.sign(with: ECDSAValue(r: r, s: field.product(field.sum(digest, digest), field.inverse(nonce))))
    }
    for (name, s) in Self.edges + [("random", [])] {
      reject(
        "8.3",
        .standing(.apple, .standard("fips186-5-6.4.2"), .high, "ecdsa-both-halves-of-the-sum-cancel-with-s-\(name)"),
        .signatureMismatch,
        note: "u1 G + u2 Q is the point at infinity, which has no x"
      ) { draft in
        let r = try draft.leafWithCancellingSum()
        let s = try s.isEmpty ? ScalarField().reduced(draft.stream.bytes(48)) : s
        try draft.sign(with: ECDSAValue(r: r, s: s))
      }
    }
  }

  /// A signature with this s, which verifies.
  private mutating func signature(withS s: [UInt8], _ name: CaseName) {
    accept("8.3", "ecdsa-s-\(name)-that-verifies", note: "the leaf's key is chosen for it") { draft in
      let field = try ScalarField()
      let nonce = try field.reduced(draft.stream.bytes(48))
      let r = try field.commitment(nonce)
      // d = (s k − e) / r
      let difference = try field.sum(field.product(s, nonce), field.negated(draft.signedDigest))
      try draft.edgeLeaf(field.keyPair(field.product(difference, field.inverse(r))))
      try draft.sign(with: ECDSAValue(r: r, s: s))
    }
  }

  /// Positive INTEGERs of one and two bytes, with and without the leading zero byte that keeps them positive.
  mutating func addShortNumberCases() {
    for s in [UInt16(127), 128, 255, 256, 32_767, 32_768, 65_535] {
      signature(withS: zeros(30) + [UInt8(s >> 8), UInt8(s & 0xFF)], "\(s)")
    }
    for modulus in [[UInt8(0x7F)], [0x81], [0xFF], [0x7F, 0xFF], [0x80, 0x01]] {
      let key = ASN1Node.sequence([.unsigned(modulus), .integer(65_537)])
      leaf("5.16", .standing(.rsaKey, "leaf-rsa-key-of-modulus-\(Hex.encode(modulus))"), .untrustedChain) {
        $0.publicKeyInfo = .sequence([Algorithms.rsa, .bitString(key.encoded)])
      }
    }
  }

  /// Integers of 33 bytes whose last 32 are those of the genuine signature. In a buffer of digest, r and s, the first
  /// byte equals the one before the integer: a copy of 33 bytes in place of 32 changes nothing else.
  mutating func addOverlongIntegerCases() {
    for (name, index) in [("r", 0), ("s", 1)] {
      reject(
        "8.3",
        .standing(
          .holder, .standard("fips186-5-6.4.2"), .strictness, "ecdsa-\(name)-of-33-bytes-that-end-in-the-genuine-32"),
        .signatureMismatch
      ) { draft in
        for _ in 0..<1_000 {
          var value = try draft.signed().value
          let before = index == 0 ? draft.signedDigest[31] : value.r[31]
          // A zero byte at the front would only be a sign byte, or redundant.
          if before != 0 {
            if index == 0 { value.r.insert(before, at: 0) } else { value.s.insert(before, at: 0) }
            return try draft.sign(with: value)
          }
          draft.layers.transactionId = draft.stream.bytes(32)
        }
        throw MintingError.recipe("no such signature")
      }
    }
  }

  /// Keys that a reader takes for shorter ones if it trims zeros. The usual leaf's key has no zeros there.
  mutating func addLeafKeyEdgeCases() {
    for (name, index) in [("begins", 1), ("ends", 64)] {
      accept("8.2", "leaf-key-that-\(name)-in-a-zero-byte", note: "a coordinate with a zero at its edge") {
        draft in
        var key = try KeyPair(.p256, from: &draft.stream)
        while key.point[index] != 0 { key = try KeyPair(.p256, from: &draft.stream) }
        try draft.edgeLeaf(key)
      }
    }
  }

  /// Sums that a kernel cannot compute, so that libcrypto decides. They come after tokens of the same leaf: the chain
  /// of a token in a batch must be known before the kernel gets its signature.
  mutating func addUndecidedSumCases() {
    reject(
      "8.3",
      .standing(
        .apple, .standard("fips186-5-6.4.2"), .high, "ecdsa-both-halves-of-the-sum-cancel-after-a-genuine-signature"),
      .signatureMismatch,
      note: "u1 G + u2 Q is the point at infinity, which has no x"
    ) { draft in
      let r = try draft.leafWithCancellingSum()
      draft.prelude = [draft.layers.token]
      try draft.sign(with: ECDSAValue(r: r, s: ScalarField().reduced(draft.stream.bytes(48))))
    }
    accept(
      "8.3", "ecdsa-last-addition-is-a-doubling-among-many-of-the-same-leaf",
      note: "u1 G + u2 Q less the last digit of u2 equals that digit: their addition is a doubling"
    ) { draft in
      try draft.edgeLeaf(ScalarField().keyPair(Self.number(1)))
      // Enough for the lanes of every kernel.
      draft.prelude = Array(repeating: draft.layers.token, count: 9)
      for _ in 0..<100 {
        let value = try Self.signatureThatEndsInADoubling(of: draft.signedDigest)
        if let value { return try draft.sign(with: value) }
        draft.layers.transactionId = draft.stream.bytes(32)
      }
      throw MintingError.recipe("no such signature")
    }
  }

  /// A signature by the private key 1 whose u2, in signed digits of eight bits, has half the nonce as its highest
  /// digit.
  private static func signatureThatEndsInADoubling(of digest: [UInt8]) throws -> ECDSAValue? {
    let field = try ScalarField()
    for digit in 1...UInt8(127) {
      guard let value = try field.sign(digest, nonce: [2 * digit] + zeros(31), by: number(1)) else { continue }
      let u2 = try field.product(value.r, field.inverse(value.s))
      if u2[0] &+ u2[1] >> 7 == digit { return value }
    }
    return nil
  }

  /// Points whose x-coordinate lies at or above n, of which there are 2^126 among 2^256: no random signature has one.
  private mutating func addReductionEdges() {
    let order = Self.order(less: 0)
    // p − n
    let gap: [UInt8] =
      zeros(16) + ExplicitParameters.number("4319055258E8617B0C46353D039CDAAE")
    let zero = Self.number(0)
    edge("ecdsa-r-of-a-point-whose-x-is-above-the-order", nil, r: zero, x: order, "r = x − n, and r + n < p")
    edge("ecdsa-r-of-a-point-whose-x-is-small", nil, r: zero, x: zero, "r = x, and r + n < p: nothing was reduced")
    edge(
      .standing(.holder, .standard("fips186-5-6.4.2"), .strictness, "ecdsa-r-above-the-order-as-x-is"),
      .signatureMismatch, r: order, x: order, "r = x is out of range")
    edge(
      .standing(.apple, .standard("fips186-5-6.4.2"), .high, "ecdsa-r-whose-sum-with-the-order-is-x-modulo-p"),
      .signatureMismatch, r: gap, x: zero,
      "r + n − p = x, but r + n > p: no x was ever reduced to this r")
  }

  /// A signature with r = `r` + t and a point of x = `x` + t, for the smallest t from 1 on that the curve has.
  private mutating func edge(_ name: CaseName, _ code: TokenFault.Code?, r: [UInt8], x: [UInt8], _ note: String) {
    either("8.3", name, code, note: note) { draft in
      let field = try ScalarField()
      let s = try field.reduced(draft.stream.bytes(48))
      for step in 1...UInt8.max {
        let (r, x) = (Array(r.adding([step]).suffix(32)), Array(x.adding([step]).suffix(32)))
        // Out of range, r counts modulo n in the key's equation.
        guard let point = try field.recoveredKey(digest: draft.signedDigest, r: field.reduced(r), s: s, pointX: x)
        else { continue }
        try draft.leaf { $0.publicKeyInfo = CaseList.info(point) }
        return try draft.sign(with: ECDSAValue(r: r, s: s))
      }
      throw MintingError.recipe("no such point")
    }
  }
}

extension CaseDraft {
  /// SHA-256 of the attributes that the leaf signs. They do not depend on the leaf.
  fileprivate var signedDigest: [UInt8] { Hashing.sha256(ASN1Node.set(signedAttributes).encoded) }

  /// Issues a leaf with this key, which signs.
  fileprivate mutating func edgeLeaf(_ key: KeyPair) throws {
    try leaf { $0.publicKeyInfo = key.publicKeyInfo }
    layers.signer.key = key
    try layers.sign()
  }

  /// Issues a leaf with the key for which u1 G + u2 Q is the point at infinity, with any s and the r that is returned.
  fileprivate mutating func leafWithCancellingSum() throws -> [UInt8] {
    let field = try ScalarField()
    let r = try field.commitment(field.reduced(stream.bytes(48)))
    try edgeLeaf(field.keyPair(field.negated(field.product(signedDigest, field.inverse(r)))))
    return r
  }

  /// Puts this value in the signature's place.
  fileprivate mutating func sign(with value: ECDSAValue) throws {
    try sign(value: value.node.encoded)
  }
}
