import Differential
import Gateways
import MerchantKeys
import Minting
import PaymentToken
import TestCases
import Testing

/// For every pair of faults in one token, both engines report the one that comes first in Docs/Verification.md.
@Suite struct FaultOrderTests {
  @Test func `of any two faults both engines report the first`() throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let engines = try Engines.minted(minter)
    var pairs = 0
    for (index, first) in OrderedFault.all.enumerated() {
      for second in OrderedFault.all[index...] {
        var draft = FaultyToken(minter)
        // The first fault is applied last: where both change the same member, its change remains.
        second.apply(&draft)
        if second.name != first.name { first.apply(&draft) }
        let token = try draft.token()
        let input = TestInput(token, TestContext(now: Hunt.now, policy: draft.policy))
        let comparison = Comparison(of: input, by: engines.pair)
        let comment = Comment(rawValue: "\(first.name) and \(second.name)")
        #expect(Self.fault(comparison.first) == first.fault, comment)
        #expect(Self.fault(comparison.second) == first.fault, comment)
        pairs += 1
      }
    }
    print("\(pairs) pairs of \(OrderedFault.all.count) faults")
    #expect(pairs > 1_000)
    #expect(Self.fault(try Self.sound(minter, engines).first) == nil)
  }

  private static func sound(_ minter: Minter, _ engines: Engines) throws -> Comparison {
    var draft = FaultyToken(minter)
    let token = try draft.token()
    return Comparison(of: TestInput(token, TestContext(now: Hunt.now)), by: engines.pair)
  }

  private static func fault(_ verdict: Verdict) -> TokenFault? {
    guard case .failure(let fault) = verdict else { return nil }
    return fault
  }
}

/// The edits of each layer of a token. They are applied from the innermost layer to the outermost.
private struct FaultyToken {
  let minter: Minter
  var pki: TestPKI
  var policy = TestPolicy()
  var signer: [(inout TokenSigner) -> Void] = []
  /// Edits before encryption and signature.
  var inside: [(inout TokenLayers) throws -> Void] = []
  /// Edits after encryption and signature.
  var outside: [(inout TokenLayers) -> Void] = []
  var object: [(inout JSONObject) -> Void] = []
  var text: [(inout [UInt8]) -> Void] = []
  /// Whether the policy revokes the leaf, by the fingerprint that it has after all edits.
  var revokesLeaf = false

  init(_ minter: Minter) {
    self.minter = minter
    pki = minter.pki
  }

  mutating func token() throws -> [UInt8] {
    try pki.issueIntermediate()
    if revokesLeaf { policy.revoked = [try Certificate(der: pki.leaf).fingerprint()] }
    var recipe = TokenRecipe()
    recipe.applicationData = [UInt8](repeating: 9, count: 32)
    var layers = try minter.layers(recipe)
    layers.signer = TokenSigner(pki)
    for edit in signer { edit(&layers.signer) }
    for edit in inside { try edit(&layers) }
    try layers.encrypt()
    try layers.sign()
    for edit in outside { edit(&layers) }
    var object = layers.object
    for edit in self.object { edit(&object) }
    var bytes = JSONValue.object(object).text()
    for edit in text { edit(&bytes) }
    return bytes
  }

  mutating func header(_ name: String, _ value: JSONValue?) {
    object.append { object in
      guard var header = object["header"]?.object else { return }
      header[name] = value
      object["header"] = .object(header)
    }
  }
}

/// A fault, and the edits that give it to a token.
private struct OrderedFault: Sendable {
  let name: String
  let fault: TokenFault
  let apply: @Sendable (inout FaultyToken) -> Void

  init(
    _ name: String, _ code: TokenFault.Code, _ member: TokenMember? = nil,
    _ apply: @escaping @Sendable (inout FaultyToken) -> Void
  ) {
    self.name = name
    fault = TokenFault(code, member: member)
    self.apply = apply
  }

  /// All faults in the order of the rules.
  static let all = text + shape + encodings + signature + chain + decryption + expectations

  private static let text = [
    OrderedFault("16,385 bytes", .tokenTooLarge) {
      $0.text.append { $0 += [UInt8](repeating: 0x20, count: max(0, 16_385 - $0.count)) }
    },
    OrderedFault("text after the object", .malformedJSON) { $0.text.append { $0.append(UInt8(ascii: "x")) } },
    OrderedFault("version twice", .duplicateMember, .version) {
      $0.object.append { object in for _ in 0..<2 { object.append("version", .raw("1")) } }
    },
  ]

  private static let shape = [
    OrderedFault("no version", .missingMember, .version) { $0.object.append { $0["version"] = nil } },
    OrderedFault("data a number", .wrongType, .data) { $0.object.append { $0["data"] = .raw("1") } },
    OrderedFault("no signature", .missingMember, .signature) { $0.object.append { $0["signature"] = nil } },
    OrderedFault("no header", .missingMember, .header) { $0.object.append { $0["header"] = nil } },
    OrderedFault("publicKeyHash null", .wrongType, .publicKeyHash) { $0.header("publicKeyHash", .raw("null")) },
    OrderedFault("no transactionId", .missingMember, .transactionId) { $0.header("transactionId", nil) },
    OrderedFault("EC_v2", .unsupportedVersion, .version) { $0.object.append { $0["version"] = .string("EC_v2") } },
    OrderedFault("no ephemeralPublicKey", .missingMember, .ephemeralPublicKey) { $0.header("ephemeralPublicKey", nil) },
    OrderedFault("a wrappedKey", .conflictingMembers, .wrappedKey) { $0.header("wrappedKey", .raw("{}")) },
    OrderedFault("applicationData null", .wrongType, .applicationData) { $0.header("applicationData", .raw("null")) },
  ]

  private static let encodings = [
    OrderedFault("data no base64", .invalidBase64, .data) { $0.object.append { $0["data"] = .string("AAA") } },
    OrderedFault("data of 16 bytes", .invalidLength, .data) {
      $0.outside.append { $0.data = Array($0.data.suffix(16)) }
    },
    OrderedFault("signature no base64", .invalidBase64, .signature) {
      $0.object.append { $0["signature"] = .string("AB==") }
    },
    OrderedFault("signature empty", .invalidLength, .signature) { $0.object.append { $0["signature"] = .string("") } },
    OrderedFault("ephemeralPublicKey no base64", .invalidBase64, .ephemeralPublicKey) {
      $0.header("ephemeralPublicKey", .string("A==="))
    },
    OrderedFault("ephemeralPublicKey of 92 bytes", .invalidLength, .ephemeralPublicKey) {
      $0.outside.append { $0.ephemeralPublicKey = $0.ephemeralPublicKey.prefix(91) + [0] }
    },
    OrderedFault("publicKeyHash no base64", .invalidBase64, .publicKeyHash) {
      $0.header("publicKeyHash", .string("-_-_"))
    },
    OrderedFault("publicKeyHash of 31 bytes", .invalidLength, .publicKeyHash) {
      $0.outside.append { $0.publicKeyHash = Array($0.publicKeyHash.prefix(31)) }
    },
    OrderedFault("transactionId no hex", .invalidHex, .transactionId) { $0.header("transactionId", .string("0")) },
    OrderedFault("transactionId of 33 bytes", .invalidLength, .transactionId) {
      $0.outside.append { $0.transactionId = $0.transactionId.prefix(32) + [0] }
    },
    OrderedFault("applicationData no hex", .invalidHex, .applicationData) {
      $0.header("applicationData", .string("0g"))
    },
    OrderedFault("applicationData empty", .invalidLength, .applicationData) {
      $0.header("applicationData", .string(""))
    },
  ]

  private static let signature = [
    OrderedFault("bytes after ContentInfo", .malformedSignature) { $0.outside.append { $0.signature.append(0) } },
    OrderedFault("a third certificate no certificate", .malformedSignature) {
      $0.signer.append { $0.certificates.append([0x30, 0x00]) }
    },
    OrderedFault("no leaf marker", .missingLeafMarker) {
      $0.pki.leafRecipe.extensions.removeAll { $0[0] == .oid([1, 2, 840, 113635, 100, 6, 29]) }
    },
    OrderedFault("no intermediate marker", .missingIntermediateMarker) {
      $0.pki.intermediateRecipe.extensions.removeAll { $0[0] == .oid([1, 2, 840, 113635, 100, 6, 2, 14]) }
    },
    OrderedFault("a foreign root", .unexpectedCertificate) {
      let root = $0.minter.foreign.root
      $0.signer.append { $0.certificates = $0.certificates.prefix(2) + [root] }
    },
    OrderedFault("another serial number", .signerMismatch) { $0.signer.append { $0.serial = .integer(1) } },
  ]

  private static let chain = [
    OrderedFault("a critical extension", .untrustedChain) {
      $0.pki.leafRecipe.extensions.append(.sequence([.oid([2, 999, 1]), .boolean(true), .octetString([])]))
    },
    OrderedFault("a revoked leaf", .certificateRevoked) { $0.revokesLeaf = true },
    OrderedFault("an expired leaf", .certificateExpired) { $0.pki.leafRecipe.notAfter = .utcTime("200101000000Z") },
    OrderedFault("a leaf of the future", .certificateNotYetValid) {
      $0.pki.leafRecipe.notBefore = .utcTime("400101000000Z")
    },
    OrderedFault("an expired intermediate", .certificateExpired) {
      $0.pki.intermediateRecipe.notAfter = .generalizedTime("00000101000000Z")
    },
    OrderedFault("an intermediate of the future", .certificateNotYetValid) {
      $0.pki.intermediateRecipe.notBefore = .generalizedTime("99991231235959Z")
    },
  ]

  private static let decryption = [
    OrderedFault("another digest", .signatureMismatch) {
      $0.outside.append { if !$0.transactionId.isEmpty { $0.transactionId[0] ^= 1 } }
    },
    OrderedFault("another signature value", .signatureMismatch) {
      $0.inside.append { $0.signatureRecipe.editValue = { $0[$0.count - 1] ^= 1 } }
    },
    OrderedFault("signed too early", .signingTimeOutsideWindow) {
      $0.inside.append { $0.signedAt = $0.signedAt.advanced(by: -301) }
    },
    OrderedFault("another publicKeyHash", .unknownMerchantKey) {
      $0.outside.append { if !$0.publicKeyHash.isEmpty { $0.publicKeyHash[0] ^= 1 } }
    },
    OrderedFault("a point off the curve", .invalidEphemeralKey) { $0.inside.append { $0.ephemeralPublicKey[90] ^= 1 } },
    OrderedFault("another merchant ID", .decryptionFailed) { $0.inside.append { $0.merchantHash[0] ^= 1 } },
    OrderedFault("an empty payload", .malformedPayload) { $0.inside.append { try $0.encrypt(Array("{}".utf8)) } },
  ]

  private static let expectations = [
    OrderedFault("other application data", .applicationDataMismatch) {
      $0.policy.expectations.applicationData = Bytes32([UInt8](repeating: 1, count: 32))
    },
    OrderedFault("another currency", .currencyMismatch) { $0.policy.expectations.currencyCode = "840" },
    OrderedFault("another amount", .amountMismatch) { $0.policy.expectations.transactionAmount = 1_251 },
    OrderedFault("a full replay store", .replayStoreFull) {
      $0.policy.freshness = .window(seconds: 300, replay: .capacity(0))
    },
    OrderedFault("a silent replay store", .replayStoreUnavailable) {
      $0.policy.freshness = .window(seconds: 300, replay: .silent)
    },
  ]
}
