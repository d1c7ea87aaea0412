import Minting
import PaymentToken
import TestCases

/// Mutations that respell what another mutation changed. The loop combines them with the others
/// (`MutationChoice.picks`); within a layer they come last.
extension Mutation {
  static let respelledPayload = Mutation(
    "respelled-payload", .payload, \.payloadTree,
    hunts: "rules of the payload that hold in one spelling only: with escapes, another place, another nesting",
    isRespelling: true
  ) { tree, draft, random in
    Respelling.change(&tree, since: draft.original.payload.flatMap { JSONPiece($0) }, using: &random)
  }

  static let respelledMembers = Mutation(
    "respelled-members", .members, \.token,
    hunts: "rules of the token that hold in one spelling only: with escapes, another place, another nesting",
    isRespelling: true
  ) { token, draft, random in
    Respelling.change(&token, since: draft.original.token, using: &random)
  }

  static let respelledRequest = Mutation(
    "respelled-request", .request, \.requestTree,
    hunts: "rules of the request that hold in one spelling only: with escapes, another place, another nesting",
    isRespelling: true
  ) { tree, draft, random in
    guard case .route? = draft.location else { return false }
    return Respelling.change(&tree, since: draft.original.requestTree, using: &random)
  }

  static let prelude = Mutation(
    "prelude", .context,
    hunts: "state that a refused or an accepted request leaves behind: buffers, caches, flags",
    isRespelling: true, weight: 0.25
  ) { draft, random throws(MintingError) in
    let count = random.pick([1, 1, 1, 2])
    var earlier: [[UInt8]] = []
    for _ in 0..<count { earlier.append(try Self.earlier(than: draft, using: &random)) }
    draft.context.prelude = earlier
    return true
  }

  /// A request that is accepted, or refused for its text, signature, merchant key, decryption or payload.
  private static func earlier(
    than draft: Draft, using random: inout QuickGenerator
  ) throws(MintingError) -> [UInt8] {
    var other = random.chance(3) ? draft : try draft.sampleSigner.donor(using: &random)
    switch random.below(6) {
    case 0: return other.request
    case 1: return ByteEdits.changed(other.request, using: &random)
    case 2:
      // The encrypted and signed text is not a payload.
      guard other.payload != nil else { return other.request }
      other.replacePayload(with: Array("{}".utf8))
    case 3:
      guard let data = other.fields.data, data.count > 16 else { return other.request }
      other.fields.data = data.dropLast() + [data[data.count - 1] ^ 1]
      other.touch(.content)
      // Refused at the signature, or at the tag if it is signed again.
      other.isLeftStale = random.chance(2)
    case 4:
      guard let key = other.fields.publicKeyHash else { return other.request }
      other.fields.publicKeyHash = ByteEdits.nearly(key, using: &random)
      other.touch(.content)
    default:
      guard var tree = other.token else { return other.request }
      _ = Respelling.change(&tree, since: nil, using: &random)
      other.token = tree
      other.touch(.members)
    }
    try other.settle(to: .context, using: &random)
    return other.request
  }
}
