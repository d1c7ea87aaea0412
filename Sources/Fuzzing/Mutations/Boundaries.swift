extension Mutation {
  static let boundaries = Mutation(
    "boundaries", .content, hunts: "members that share one signed run of octets: the same octets cut elsewhere"
  ) { draft, random in
    guard var data = draft.fields.data, var key = draft.fields.key, var id = draft.fields.transactionId else {
      return false
    }
    // The signature is made over the usual cut first, then the cut moves.
    draft.isLeftStale = true
    switch random.below(5) {
    case 0:
      data += id
      id = draft.fields.applicationData ?? random.octets(32)
      draft.fields.applicationData = nil
    case 1:
      guard data.count > 60 else { return false }
      draft.fields.applicationData = id
      id = data.suffix(32)
      data.removeLast(32)
    case 2:
      let count = random.pick([1, 16, 128, 256])
      guard data.count > count + 17 else { return false }
      key += data.prefix(count)
      data.removeFirst(count)
    case 3:
      let count = random.pick([1, 16, 128, 256])
      guard key.count > count else { return false }
      data = key.suffix(count) + data
      key.removeLast(count)
    default:
      id += draft.fields.applicationData ?? []
      draft.fields.applicationData = nil
    }
    draft.fields.data = data
    draft.fields.key = key
    draft.fields.transactionId = id
    draft.openPayload()
    draft.touch(.content)
    return true
  }
}
