extension Mutation {
  static let requestOctets = Mutation(
    "request-octets", .requestText, hunts: "whatever trees cannot say, anywhere in a request, mostly around the token"
  ) { draft, random in
    guard !draft.request.isEmpty else { return false }
    let place = Frame.place(in: draft.request, using: &random)
    let range = max(0, place - 4)..<min(draft.request.count, place + 5)
    draft.request = OctetEdits.changed(draft.request, within: range, using: &random)
    return true
  }
}
