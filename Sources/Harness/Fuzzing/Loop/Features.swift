import Differential
import Gateways
import Minting
import PaymentToken
import TestCases

/// The features of a sample: hashes of its verdict combined with each of its structural features.
///
/// They replace code coverage in the shipped binary, which is not instrumented. A structural
/// feature is a coarse property of a layer: a size class, the depth of a tree, the shape of a member's value, the form
/// of a length, the extensions of a certificate, the spelling of a member (`addSpellings`). Sizes are put into
/// logarithmic buckets and texts are hashed into 64 classes, so that the number of features stays finite and the corpus
/// stops growing. A sample is new if any of its features is new.
struct Features {
  private(set) var hashes: [UInt64] = []
  /// The features of the CMS, which is what OpenSSL's cross-check reads.
  private(set) var signatureHashes: ArraySlice<UInt64> = []
  private let outcome: UInt64

  init(of draft: Draft, _ comparison: Comparison) {
    outcome = Self.outcome(comparison.first)
    add(0, 0)
    addRequest(draft)
    addPolicy(draft.context)
    if let token = draft.token { addJSON(1, token) }
    if let cms = draft.cms {
      let start = hashes.count
      addSignature(cms)
      signatureHashes = hashes[start...]
    }
    // If the engines never read the payload, its structure is irrelevant.
    if Self.stage(comparison.first) >= .payload, let payload = draft.payload, let tree = JSONPiece(payload) {
      addPayload(tree)
      addPayloadSpellings(tree)
    }
    addSpellings(draft, comparison.first)
  }

  /// The stage that decided; the last one for accepted tokens.
  static func stage(_ verdict: Verdict) -> VerificationStage {
    switch verdict {
    case .success: .expectations
    case .failure(let fault): fault.stage
    }
  }

  private static func outcome(_ verdict: Verdict) -> UInt64 {
    switch verdict {
    case .success(let token): return token.isSigned ? 1 : 2
    case .failure(let fault):
      var hasher = Mix()
      hasher.add(Array(fault.description.utf8))
      return hasher.value | 0x100
    }
  }

  mutating func add(_ kind: UInt64, _ value: Int) {
    var mix = Mix()
    mix.add(outcome)
    mix.add(kind)
    mix.add(UInt64(bitPattern: Int64(value)))
    hashes.append(mix.value)
  }

  mutating func add(_ kind: UInt64, bytes: [UInt8]) {
    var mix = Mix()
    mix.add(bytes)
    // 64 classes, so that the number of features stays finite.
    var spread = Mix()
    spread.add(mix.value)
    add(kind, Int(spread.value >> 58))
  }

  /// 0, 1, 2, 3-4, 5-8, …
  private static func bucket(_ count: Int) -> Int {
    count < 3 ? count : Int.bitWidth - (count - 1).leadingZeroBitCount + 1
  }

  // MARK: Outside

  private mutating func addRequest(_ draft: Draft) {
    add(10, Self.bucket(draft.request.count / 256))
    guard let location = draft.location, let tree = draft.requestTree else { return add(11, 0) }
    switch location {
    case .bare: add(11, 1)
    case .route(let route):
      add(11, bytes: Array(route.path.joined(separator: ".").utf8))
      add(12, Self.bucket(tree.depth))
      for field in route.fields {
        add(13, bytes: tree[field.path[...]].map { Self.shape($0) } ?? [])
      }
    }
  }

  private mutating func addPolicy(_ context: TestContext) {
    let policy = context.policy
    switch policy.freshness {
    case .window(let seconds, nil): add(20, Int(seconds % 1_000) << 4 | 15)
    case .window(let seconds, .silent): add(20, Int(seconds % 1_000) << 4 | 14)
    case .window(let seconds, .capacity(let capacity)): add(20, Int(seconds % 1_000) << 4 | min(capacity, 13))
    case .windowOff: add(20, -1)
    case .signingTime: add(20, -2)
    }
    add(21, policy.isUnsigned ? 1 : 0)
    switch policy.envelope {
    case .named(let envelope): add(22, bytes: Array(envelope.name.utf8))
    case .automatic: add(22, 1)
    }
    add(23, min(policy.revoked.count, 3))
    let expected = policy.expectations
    add(
      24,
      (expected.applicationData == nil ? 0 : 1) | (expected.currencyCode == nil ? 0 : 2)
        | (expected.transactionAmount == nil ? 0 : 4))
    add(25, context.prelude.count)
  }

  // MARK: JSON

  /// Structural features of a JSON tree near its root.
  private mutating func addJSON(_ kind: UInt64, _ tree: JSONPiece) {
    add(kind << 8, Self.bucket(tree.depth))
    guard case .object(let members) = tree else { return add(kind << 8 | 1, 0) }
    add(kind << 8 | 2, members.count > 60 ? members.count : Self.bucket(members.count))
    add(kind << 8 | 3, tree.repeatsNames ? 1 : 0)
    for member in members.prefix(16) {
      add(kind << 8 | 4, bytes: member.name.prefix(40) + Self.shape(member.value))
      if case .object(let inner) = member.value {
        add(kind << 8 | 5, inner.count > 60 ? inner.count : Self.bucket(inner.count))
        for inner in inner.prefix(16) {
          add(kind << 8 | 6, bytes: inner.name.prefix(40) + Self.shape(inner.value))
        }
      }
    }
  }

  /// The shape of a value: type, length class, escapes, base64 padding.
  private static func shape(_ piece: JSONPiece) -> [UInt8] {
    switch piece {
    case .array(let elements): return [1, UInt8(min(elements.count, 9))]
    case .object: return [2]
    case .scalar(let text):
      let hasEscapes = text.contains(UInt8(ascii: "\\"))
      let isWide = text.contains { $0 >= 0x80 }
      let padding = text.suffix(4).reduce(0) { $0 + ($1 == UInt8(ascii: "=") ? 1 : 0) }
      return [
        3, text.first ?? 0, UInt8(bucket(text.count)), hasEscapes ? 1 : 0, isWide ? 1 : 0, UInt8(padding),
        UInt8(text.count & 3),
      ]
    }
  }

  // MARK: CMS

  private mutating func addSignature(_ cms: ASN1Node) {
    add(30, Self.bucket(cms.nodeCount))
    let forms = WrapperLengths.paths(in: cms).map { Self.form(cms.node(at: $0)?.length) }
    for (index, form) in forms.enumerated() { add(31, index << 8 | form) }
    if let value = cms[.value]?.contents, value.count < 120 { add(37, SignatureValues.side(of: value)) }
    if let info = cms[.signerInfo] {
      for (index, child) in info.children.enumerated().prefix(8) {
        add(
          32,
          bytes: [UInt8(index)] + child.identifier + [
            UInt8(Self.form(child.length)), UInt8(Self.bucket(child.contents.count)),
          ])
      }
      for index in [2, 4] where info.children.indices.contains(index) {
        add(33, bytes: info[index].encoded.prefix(32) + [UInt8(index)])
      }
    }
    if let attributes = cms[.attributes] {
      add(34, attributes.children.count)
      for attribute in attributes.children.prefix(8) { add(35, bytes: Self.skeleton(attribute)) }
    }
    guard let bag = cms[.certificates] else { return }
    add(
      36,
      bytes: bag.children.prefix(6).map {
        UInt8(CertificateEdits.Part.allCases.firstIndex(of: CertificateEdits.part(of: $0)) ?? 3)
      })
    for certificate in bag.children.prefix(3) { addCertificate(certificate) }
  }

  private mutating func addCertificate(_ certificate: ASN1Node) {
    if let body = certificate.node(at: [0]) {
      add(40, body.children.count)
      for (index, child) in body.children.enumerated().prefix(9) {
        add(41, bytes: [UInt8(index)] + child.identifier + [UInt8(Self.bucket(child.nodeCount))])
      }
    }
    for path in [[1], [0, 2]] { add(42, bytes: certificate.node(at: path)?.encoded.prefix(24).map { $0 } ?? []) }
    add(43, bytes: certificate.node(at: CertificateEdits.key + [0])?.encoded.prefix(32).map { $0 } ?? [])
    let list = certificate.node(at: CertificateEdits.extensions)?.children ?? []
    for entry in list.prefix(16) {
      let value = entry.children.last?.contents ?? []
      add(
        44,
        bytes: (entry.children.first?.encoded ?? []) + [UInt8(entry.children.count)] + (value.count < 12 ? value : []))
    }
  }

  private static func form(_ length: ASN1Node.Length?) -> Int {
    switch length {
    case .shortest: 1
    case .indefinite: 2
    case .long(let bytes): 8 + bytes
    case .verbatim: 3
    case nil: 0
    }
  }

  /// Tags, forms of lengths, object identifiers and size classes of contents, in order.
  private static func skeleton(_ node: ASN1Node, depth: Int = 0) -> [UInt8] {
    var result = node.identifier + [UInt8(form(node.length)), UInt8(min(node.children.count, 20))]
    if depth < 6 { for child in node.children.prefix(6) { result += skeleton(child, depth: depth + 1) } }
    if node.children.isEmpty, node.has(0x06) { result += node.contents.prefix(16) }
    if node.children.isEmpty { result.append(UInt8(bucket(node.contents.count))) }
    return result
  }

  // MARK: Payload

  private mutating func addPayload(_ tree: JSONPiece) {
    addJSON(2, tree)
    guard case .object(let members) = tree else { return }
    for member in members.prefix(20) {
      if case .scalar(let text) = member.value, text.first != UInt8(ascii: "\"") {
        add(50, bytes: member.name.prefix(24) + Self.digits(text))
      }
      if case .object(let inner) = member.value {
        for member in inner.prefix(10) { add(51, bytes: member.name.prefix(30) + Self.shape(member.value)) }
      }
    }
  }

  /// A number with its digits as classes, runs collapsed.
  private static func digits(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for byte in text {
      let kind: UInt8 = byte == 0x30 ? 0x30 : (0x31...0x39).contains(byte) ? 0x31 : byte
      if result.last != kind { result.append(kind) }
    }
    return result + [UInt8(bucket(text.count))]
  }
}

/// A fast non-cryptographic hash in the manner of FNV-1a.
struct Mix {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}
