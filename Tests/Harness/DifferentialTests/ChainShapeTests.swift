import Differential
import FastDecryption
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import TestCases
import Testing

/// Chains of mixed keys and algorithms under several roots, with an oracle for rules 7.1 and 7.2.
@Suite struct ChainShapeTests {
  @Test func `chains of mixed keys and algorithms are trusted exactly as the rules say`() throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    var stream = minter.generator.stream("chain keys")
    let keys = try IssuingKey.all(from: &stream)
    let set = try Engines.keys(of: minter)
    var hunt = Hunt("chains")
    for number in 0..<UInt64(Hunt.count(800)) {
      var random = minter.generator.stream("chains", number)
      let (root, intermediate) = (random.pick(keys), random.pick(keys))
      let rootAlgorithm = root.algorithm(using: &random)
      let leafAlgorithm = intermediate.algorithm(using: &random)
      var pki = minter.pki
      pki.rootKey = root.key
      pki.rootRecipe.publicKeyInfo = root.key.publicKeyInfo
      pki.rootRecipe.sign(with: rootAlgorithm.node, rootAlgorithm.digest)
      pki.intermediateKey = intermediate.key
      pki.intermediateRecipe.publicKeyInfo = intermediate.key.publicKeyInfo
      pki.intermediateRecipe.sign(with: rootAlgorithm.node, rootAlgorithm.digest)
      pki.leafRecipe.sign(with: leafAlgorithm.node, leafAlgorithm.digest)
      try pki.issue()
      var layers = try minter.layers(TokenRecipe(index: number))
      layers.signer = TokenSigner(pki)
      try layers.sign()

      let anchors = Self.anchors(pki, minter, using: &random)
      guard root.loads else {
        let anchors = TrustAnchors(certificates: [pki.root])
        #expect(throws: EngineError.self) { try FastDecryptor(keys: set, anchors: anchors) }
        #expect(throws: EngineError.self) { try ReferenceDecryptor(keys: set, anchors: anchors) }
        continue
      }
      let engines = try Engines(keys: set, anchors: TrustAnchors(certificates: anchors))
      let how = "number \(number): \(root.name) \(rootAlgorithm.name) \(intermediate.name) \(leafAlgorithm.name)"
      let verdict = hunt.ask(layers.token, of: engines, how)
      #expect(
        Self.code(verdict) == Self.expected(root, rootAlgorithm, intermediate, leafAlgorithm), Comment(rawValue: how))
    }
    hunt.report()
    #expect(hunt.metAcceptance)
  }

  @Test func `a root of 65,536 bytes is loaded and one byte more is refused by both engines`() throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let set = try Engines.keys(of: minter)
    for (size, loads) in [(65_536, true), (65_537, false)] {
      let root = try minter.pki.rootPadded(to: size)
      #expect(root.count == size)
      let anchors = TrustAnchors(certificates: [minter.pki.root, root])
      if loads {
        _ = try Engines(keys: set, anchors: anchors)
      } else {
        #expect(throws: EngineError.malformedRoot(index: 1)) { try FastDecryptor(keys: set, anchors: anchors) }
        #expect(throws: EngineError.malformedRoot(index: 1)) { try ReferenceDecryptor(keys: set, anchors: anchors) }
      }
    }
  }

  /// The root among up to three others: roots of the same and of another name, the root itself again, and a leaf.
  private static func anchors(_ pki: TestPKI, _ minter: Minter, using random: inout SeededGenerator) -> [[UInt8]] {
    var anchors = [pki.root]
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      anchors.append(random.pick([minter.foreign.root, minter.pki.root, pki.root, minter.pki.leaf]))
    }
    anchors.shuffle(using: &random)
    return anchors
  }

  private static func expected(
    _ root: IssuingKey, _ rootAlgorithm: IssuingAlgorithm, _ intermediate: IssuingKey, _ leafAlgorithm: IssuingAlgorithm
  ) -> TokenFault.Code? {
    guard intermediate.loads else { return .malformedSignature }
    return root.mayUse(rootAlgorithm) && intermediate.mayUse(leafAlgorithm) ? nil : .untrustedChain
  }

  private static func code(_ verdict: Verdict) -> TokenFault.Code? {
    guard case .failure(let fault) = verdict else { return nil }
    return fault.code
  }
}

private struct IssuingKey {
  let name: String
  let key: SigningKey
  /// Whether rule 5.16 allows it.
  let loads: Bool
  /// Whether rule 7.2 allows it.
  let isStrongEnough: Bool

  static func all(from stream: inout SeededGenerator) throws -> [IssuingKey] {
    var keys: [IssuingKey] = []
    for curve in Curve.allCases {
      let key = SigningKey.ec(try KeyPair(curve, from: &stream))
      keys.append(IssuingKey(name: "\(curve)", key: key, loads: true, isStrongEnough: [.p256, .p384].contains(curve)))
    }
    for bits in [1_024, 2_047, 2_048, 2_049, 3_000, 4_095, 4_096, 4_097] {
      let key = SigningKey.rsa(try RSAKeyPair(bits: bits, from: &stream))
      keys.append(
        IssuingKey(name: "RSA \(bits)", key: key, loads: bits <= 4_096, isStrongEnough: bits >= 2_048))
    }
    return keys
  }

  private var isRSA: Bool {
    if case .rsa = key { return true }
    return false
  }

  /// A random algorithm, mostly one that this key may use.
  func algorithm(using random: inout SeededGenerator) -> IssuingAlgorithm {
    let fitting = IssuingAlgorithm.all.filter { $0.isRSA == isRSA }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return random.pick(IssuingAlgorithm.all)
    case 1: return random.pick(fitting)
    default: return random.pick(fitting.filter(\.isAllowed))
    }
  }

  func mayUse(_ algorithm: IssuingAlgorithm) -> Bool {
    isStrongEnough && algorithm.isAllowed && algorithm.isRSA == isRSA
  }
}

/// A signature algorithm with its parameters.
private struct IssuingAlgorithm {
  let name: String
  let node: ASN1Node
  let digest: SignatureDigest
  let isRSA: Bool
  let isAllowed: Bool

  static let all: [IssuingAlgorithm] = {
    let parameters: [(String, [ASN1Node])] = [
      ("absent", []), ("NULL", [.null]), ("an empty SEQUENCE", [.sequence([])]),
      ("an odd BMPString", [.primitive(0x1E, [1])]),
    ]
    let digests: [(SignatureDigest, UInt64, UInt64)] = [
      (.sha256, 2, 11), (.sha384, 3, 12), (.sha512, 4, 13), (.sha256, 3, 12), (.sha384, 2, 11),
    ]
    return digests.enumerated().flatMap { index, digest in
      parameters.flatMap { parameter in
        [true, false].map { isRSA in
          IssuingAlgorithm(
            name: "\(isRSA ? "RSA" : "ECDSA") \(index) \(parameter.0)",
            node: .sequence(
              [.oid(isRSA ? [1, 2, 840, 113549, 1, 1, digest.2] : [1, 2, 840, 10045, 4, 3, digest.1])] + parameter.1),
            digest: digest.0, isRSA: isRSA,
            isAllowed: index < 2 && (parameter.1.isEmpty || isRSA && parameter.1 == [.null]))
        }
      }
    }
  }()
}
