import Gateways
import Minting
import PaymentToken
import TestCases

extension Spelling {
  /// A bare token in every envelope, and with the envelope chosen by the shape of the request (stage 0).
  static let envelopes: [Spelling] =
    RequestForm.ofEveryName.map { form in
      around("in-\(form.label)", form.route.column) { try $0.enclosed(form, $1) }
    }
    + [
      around("chosen-by-shape", .automatic) { subject, input in
        try subject.checkIsBare()
        guard input.request.count <= Envelope.maximumRequestSize else { throw Inapplicability.limit }
        var input = input
        input.context.policy.envelope = .automatic(Envelope.all)
        return input
      }
    ]
    + RequestForm.kinds.map { form in
      around("in-\(form.label)-chosen-by-shape", .automatic) { try $0.enclosed(form, $1, automatic: true) }
    }
    + RequestForm.kinds.flatMap { form in
      ["names-escaped", "value-escaped-in-its-middle"].map { inner in
        Spelling(
          name: "\(inner)-in-\(form.label)", column: form.route.column, isCompound: true,
          step: .whole { subject in
            guard let inside = json.first(where: { $0.name == inner }) else { throw Inapplicability.context }
            try subject.checkIsBare()
            return try subject.enclosed(form, try subject.made(try subject.input(in: inside), inner).test.input)
          })
      }
    }
}

extension RequestForm {
  /// One for each route of each envelope, and one for each second name of a part.
  static let ofEveryName =
    all + [
      RequestForm(.bambora, "bambora-wallet", routeIndex: 1) {
        .nested(Gateway.bambora.envelope.routes[1].path, .string(Base64.encode($0.text)))
      },
      RequestForm(.worldline, "worldline-with-its-other-name") { token in
        var object = worldline.request(token).object
        object.edit(worldline.route.path) { $0.move(["ephemeralPublicKey"], to: ["ephemeralKey"]) }
        return .object(object)
      },
    ]

  /// One for each way to carry a token.
  fileprivate static let kinds = [applepayjs, worldline, mpgs, bambora]
}

extension Envelope.Route {
  /// The class of a token in this place.
  var column: SpellingClass {
    switch wrapping {
    case .object: .object
    case .text: .text
    case .base64: .base64
    case .parts: .parts
    }
  }
}

extension SpellingSubject {
  /// Throws for cases that are about their own envelope or policy.
  func checkIsBare() throws(Inapplicability) {
    guard draft.request == nil, !made.test.context.policy.isUnsigned, stage > 0,
      made.test.context.policy.envelope == .named(.apple)
    else { throw .context }
  }

  /// The token of an input in a request, and those before it in requests of the same form.
  func enclosed(
    _ form: RequestForm, _ bare: TestInput, automatic: Bool = false
  ) throws(Inapplicability) -> TestInput {
    try checkIsBare()
    try check(form, bare.request)
    // Without its data, a request in parts is not recognized by its shape.
    guard !automatic || !form.route.isInParts || fault?.member != .data else { throw .rule }
    var input = bare
    input.request = form.request(EnclosedToken(bare.request)).text()
    guard input.request.count <= Envelope.maximumRequestSize else { throw .limit }
    input.context.prelude = bare.context.prelude.map { form.request(EnclosedToken($0)).text() }
    input.context.policy.envelope = automatic ? .automatic(Envelope.all) : .named(form.gateway.envelope)
    return input
  }

  private func check(_ form: RequestForm, _ token: [UInt8]) throws(Inapplicability) {
    switch form.route.wrapping {
    case .base64: return
    case .text:
      guard String(validating: token, as: UTF8.self) != nil else { throw .rule }
    case .object:
      // White space around an object does not count by 1.1.
      guard fault?.code != .tokenTooLarge, clause != "1.1" else { throw .rule }
      // Malformed JSON in an object makes the request malformed, by 0.2.
      guard let tree = carried?.token else { throw .rule }
      guard fault?.code != .malformedJSON || clause == "2.5" else { throw .rule }
      guard tree.depth + form.route.path.count <= 32 else { throw .limit }
      guard case .object = tree else { throw .rule }
    case .parts: try checkParts()
    }
  }

  /// Parts have no version, no header and no members of RSA_v1, and stage 2 has nothing to decide about them.
  private func checkParts() throws(Inapplicability) {
    guard made.version == .ofParts, reaches(.shape), let tree = carried?.token, !tree.repeatsNames else { throw .rule }
    // The token that is put together of parts may be somewhat larger than this one.
    guard tree.text.count < 16_000 else { throw .limit }
    guard tree.content(at: ["version"]) == Array(TokenVersion.ofParts.rawValue.utf8) else { throw .rule }
    guard case .object? = tree["header"], tree["header"]?[TokenVersion.rsaV1.keyName] == nil else { throw .rule }
    guard ![.version, .header, .wrappedKey].contains(fault?.member) else { throw .rule }
  }
}
