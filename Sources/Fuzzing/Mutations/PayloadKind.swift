import Minting

extension Mutation {
  static let payloadKind = Mutation(
    "payload-kind", .payload,
    hunts: "payloads of every kind under either version: EMV with a PIN, multi-merchant, merchant tokens"
  ) { draft, random throws(MintingError) in
    var stream = draft.workshop.minter.generator.stream("payload", random.next())
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
}
