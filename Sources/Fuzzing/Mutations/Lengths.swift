extension Mutation {
  static let lengths = Mutation(
    "lengths", .content, hunts: "decoded lengths one off: 91, 32, 17, 256 and 512 octets, and the order of the checks"
  ) { draft, random in
    for _ in 0..<random.pick([1, 1, 2]) {
      switch random.below(7) {
      case 0: draft.fields.key = draft.fields.key.map { OctetEdits.resized($0, using: &random) }
      case 1: draft.fields.publicKeyHash = draft.fields.publicKeyHash.map { OctetEdits.resized($0, using: &random) }
      case 2: draft.fields.transactionId = draft.fields.transactionId.map { OctetEdits.resized($0, using: &random) }
      case 3: draft.fields.applicationData = random.octets(random.pick([0, 1, 31, 32, 33, 64]))
      case 4: draft.fields.data = random.octets(random.pick([0, 1, 15, 16, 17, 18]))
      case 5 where draft.version == .rsaV1:
        draft.fields.key = random.octets(random.pick([255, 256, 257, 384, 511, 512, 513]))
      default: draft.fields.data = draft.fields.data.map { OctetEdits.resized($0, using: &random) }
      }
    }
    draft.openPayload()
    draft.touch(.content)
    return true
  }
}
