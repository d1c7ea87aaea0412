import Minting
import NamedCases
import TestCases

extension Mutation {
  static let payloadBytes = Mutation(
    "payload-bytes", .payload,
    hunts:
      "disagreements of the payload readers, which only decrypted tokens reach, byte by byte"
  ) { draft, random in
    guard let payload = draft.payload else { return false }
    draft.replacePayload(with: ByteEdits.changed(payload, using: &random))
    return true
  }

  static let payloadMembers = Mutation(
    "payload-members", .payload, hunts: "payload members removed, repeated, renamed, retyped, too many or too deep"
  ) { draft, random in
    guard let payload = draft.payload, var tree = JSONPiece(payload) else { return false }
    for _ in 0..<random.pick([1, 1, 2]) { JSONEdits.change(&tree, names: PayloadNames.all, using: &random) }
    draft.replacePayload(with: random.chance(8) ? JSONEdits.spaced(tree.text, using: &random) : tree.text)
    return true
  }

  static let payloadAmount = Mutation(
    "payload-amount", .payload, \.payloadTree,
    hunts: "amounts: exponents, fractions, zeros, the limit of 10^12, overflows"
  ) { tree, _, random in
    let text = AmountEdges.text(using: &random)
    tree["transactionAmount"] = .scalar(random.chance(2) ? text : JSONEdits.changedNumber(text, using: &random))
    return true
  }

  static let payloadKind = Mutation(
    "payload-kind", .payload,
    hunts: "payloads of every kind in both versions: EMV with a PIN, multi-merchant, merchant tokens"
  ) { draft, random throws(MintingError) in
    var stream = draft.sampleSigner.minter.generator.stream("payload", random.next())
    var recipe = PayloadRecipe.random(from: &stream)
    switch random.below(6) {
    case 0: recipe.kind = .emv(data: stream.bytes(random.pick([1, 2, 3, 64, 255])))
    case 1: recipe.kind = .emv(data: stream.bytes(30), pinData: stream.bytes(random.pick([0, 1, 8, 300])))
    case 2: recipe.authenticationResponses = []
    case 3: recipe.merchantTokenMetadata = "{}"
    case 4: recipe.transactionAmount = random.pick(["0", "999999999999", "1e2", "1.50e2"])
    default: break
    }
    var text = recipe.plaintext
    if random.chance(4), var tree = JSONPiece(text), case .object(var members) = tree {
      members.shuffle(using: &random)
      tree = .object(members)
      text = tree.text
    }
    draft.replacePayload(with: text)
    return true
  }

  static let payloadSize = Mutation(
    "payload-size", .payload, hunts: "buffers for the largest ciphertext that fits into a token of 16,384 bytes"
  ) { draft, random in
    guard var payload = draft.payload, !draft.tokenText.isEmpty else { return false }
    // The size in base64 must hit the limit exactly or nearly.
    let room = RuleLimits.token - draft.tokenText.count
    let missing = room / 4 * 3 + random.pick([-12, -6, -3, 0, 0, 0, 3, 6, -random.below(400)])
    guard missing > 0 else { return false }
    payload += [UInt8](repeating: 0x20, count: missing)
    draft.replacePayload(with: payload)
    if random.chance(2) {
      draft.fields.applicationData = random.bytes(32)
      draft.touch(.content)
    }
    return true
  }
}

/// The member names of payloads (Docs/Verification.md stage 13).
enum PayloadNames {
  static let all =
    Set(Boundary.payload.flatMap(\.path)).sorted() + ["merchantIdentifier", "authenticationData", "unknown", "", "😀"]
}

/// The responses of payloads for several merchants, as JSON text.
enum PayloadResponses {
  /// One valid element.
  static let one: JSONPiece = JSONPiece(Array(response().utf8)) ?? .array([])

  /// Arrays of up to two elements, valid and invalid, and values that are no array of objects.
  static let texts = [
    "[]", "null", "{}", "[{}]", "[null]", "[[]]", response(), "[\(response(brackets: false)),0]",
    "[\(response(brackets: false)),\(response(brackets: false))]", response(extra: ",\"merchantIdentifier\":\"b\""),
    response(extra: ",\"unknown\":null"), response(amount: "100"), response(extra: many(60)),
    response(extra: many(61)), response(extra: many(62)), "[\(response(brackets: false)),]",
  ]

  private static func many(_ count: Int) -> String { (0..<count).map { ",\"m\($0)\":0" }.joined() }

  private static func response(amount: String = "\"100\"", extra: String = "", brackets: Bool = true) -> String {
    let object =
      "{\"merchantIdentifier\":\"merchant.test\",\"authenticationData\":\"AAAA\",\"transactionAmount\":\(amount)\(extra)}"
    return brackets ? "[\(object)]" : object
  }
}
