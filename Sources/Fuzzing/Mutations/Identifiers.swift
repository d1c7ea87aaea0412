extension Mutation {
  static let identifiers = Mutation(
    "identifiers", .content, hunts: "transactionId and applicationData that the digest leaves out, or covers in part"
  ) { draft, random in
    switch random.below(6) {
    case 0: draft.fields.applicationData = draft.fields.applicationData == nil ? random.octets(32) : nil
    case 1: draft.fields.applicationData = draft.fields.applicationData.map { OctetEdits.nearly($0, using: &random) }
    case 2: draft.fields.transactionId = random.octets(32)
    case 3: draft.fields.transactionId = draft.fields.transactionId.map { OctetEdits.nearly($0, using: &random) }
    case 4: draft.fields.applicationData = draft.fields.transactionId
    default:
      (draft.fields.transactionId, draft.fields.applicationData) =
        (draft.fields.applicationData ?? draft.fields.transactionId, draft.fields.transactionId)
    }
    // Under the old signature it must be refused.
    if random.chance(3) { draft.isLeftStale = true }
    draft.touch(.content)
    return true
  }
}
