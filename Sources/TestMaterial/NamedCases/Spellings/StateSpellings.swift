import Gateways
import Minting
import PaymentToken
import TestCases

extension Spelling {
  /// The request after an accepted or a refused token, whose data may remain in the engine's caches and buffers.
  static let states: [Spelling] = [
    around("after-an-accepted-token", .afterAccepted) { subject, input in
      let policy = input.context.policy
      guard subject.draft.anchors == nil, policy.revoked.isEmpty, policy.expectations == Expectations(),
        abs(subject.draft.now.secondsSinceEpoch - subject.draft.minter.time.secondsSinceEpoch) < 86_400
      else { throw Inapplicability.context }
      return try subject.after(input) { _ in }
    },
    around("after-a-refused-token", .afterRefused) { subject, input in
      try subject.after(input) { layers in layers.data[0] ^= 1 }
    },
  ]
}

extension SpellingSubject {
  /// The input with another token in its prelude, which is edited after it was signed.
  fileprivate func after(_ input: TestInput, _ edit: (inout TokenLayers) -> Void) throws -> TestInput {
    var draft = draft
    let now = draft.now
    var layers = try draft.soundToken { recipe in
      recipe.version = made.version
    }
    if now != layers.signedAt {
      layers.signedAt = now
      try layers.sign()
    }
    edit(&layers)
    var input = input
    input.context.prelude.append(try enclosed(like: input.context.policy.envelope, layers.token))
    return input
  }

  /// A token in a request of the envelope that the policy names.
  private func enclosed(like selection: EnvelopeSelection, _ token: [UInt8]) throws(Inapplicability) -> [UInt8] {
    guard case .named(let envelope) = selection, envelope != .apple else { return token }
    guard let form = RequestForm.all.first(where: { $0.gateway.envelope == envelope }) else { throw .context }
    guard !form.route.isInParts || made.version == .ofParts else { throw .context }
    return form.request(EnclosedToken(token)).text()
  }
}
