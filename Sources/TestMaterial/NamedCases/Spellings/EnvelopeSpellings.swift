import Gateways
import Minting
import PaymentToken
import TestCases

extension Spelling {
  /// A bare token in every envelope, and with the envelope chosen by the shape of the request (stage 0).
  static let envelopes: [Spelling] =
    EnvelopeForm.all.map { form in
      wrapping("in-\(form.label)", form.column) { try $0.enclosed(form, $1) }
    }
    + [
      wrapping("chosen-by-shape", .automatic) { subject, input in
        try subject.checkIsBare()
        guard input.request.count <= Envelope.maximumRequestSize else { throw Inapplicability.limit }
        var input = input
        input.context.policy.envelope = .automatic(Envelope.all)
        return input
      }
    ]
    + EnvelopeForm.kinds.map { form in
      wrapping("in-\(form.label)-chosen-by-shape", .automatic) { try $0.enclosed(form, $1, automatic: true) }
    }
    + EnvelopeForm.kinds.flatMap { form in
      ["names-escaped", "value-escaped-in-its-middle"].map { inner in
        Spelling("\(inner)-in-\(form.label)", form.column, isCompound: true) { subject in
          guard let inside = json.first(where: { $0.name == inner }) else { throw Inapplicability.context }
          try subject.checkIsBare()
          let input = try subject.enclosed(form, try inside.apply(subject).test.input)
          return try subject.made(input, "\(inner)-in-\(form.label)")
        }
      }
    }

  /// A spelling of what is around the token.
  static func wrapping(_ name: String, _ column: SpellingClass, _ wrap: @escaping Wrap) -> Spelling {
    Spelling(name, column, wrap: wrap) { subject in
      try subject.made(try wrap(subject, subject.made.test.input), name)
    }
  }
}

/// A request around a token.
struct EnvelopeForm: Sendable {
  let label: String
  let column: SpellingClass
  let envelope: Envelope
  let route: Envelope.Route
  /// The request.
  let request: @Sendable (EnclosedToken) -> JSONValue

  /// One for each route of each envelope, and one for each second name of a part.
  static let all: [EnvelopeForm] =
    RequestForm.all.map { form in
      EnvelopeForm(label: form.label, envelope: form.gateway.envelope, route: form.route) {
        form.form.json($0, RequestDetails())
      }
    } + [
      EnvelopeForm(label: "bambora-wallet", envelope: Gateway.bambora.envelope, route: bambora) {
        .nested(bambora.path, .string(Base64.encode($0.text)))
      },
      EnvelopeForm(
        label: "worldline-with-its-other-name", envelope: RequestForm.worldline.gateway.envelope,
        route: RequestForm.worldline.route
      ) { token in
        var object = RequestForm.worldline.form.json(token, RequestDetails()).object
        object.edit(RequestForm.worldline.route.path) { $0.move(["ephemeralPublicKey"], to: ["ephemeralKey"]) }
        return .object(object)
      },
    ]

  /// One for each way to carry a token.
  static let kinds = all.filter { ["applepayjs", "worldline", "mpgs", "bambora"].contains($0.label) }

  private static let bambora = Gateway.bambora.envelope.routes[1]

  private init(
    label: String, envelope: Envelope, route: Envelope.Route, request: @escaping @Sendable (EnclosedToken) -> JSONValue
  ) {
    self.label = label
    self.envelope = envelope
    self.route = route
    self.request = request
    column =
      switch route.wrapping {
      case .object: .object
      case .text: .text
      case .base64: .base64
      case .parts: .parts
      }
  }
}

extension SpellingSubject {
  /// Refuses cases whose own envelope or policy is what they are about.
  func checkIsBare() throws(Inapplicability) {
    guard draft.request == nil, !made.test.context.policy.isUnsigned, stage > 0,
      made.test.context.policy.envelope == .named(.apple)
    else { throw .context }
  }

  /// The token of an input in a request, and those before it in requests of the same form.
  func enclosed(
    _ form: EnvelopeForm, _ bare: TestInput, automatic: Bool = false
  ) throws(Inapplicability) -> TestInput {
    try checkIsBare()
    try check(form, bare.request)
    // The shape of a request in parts is that it has this one.
    guard !automatic || !form.route.isInParts || fault?.member != .data else { throw .rule }
    var input = bare
    input.request = form.request(EnclosedToken(bare.request)).text()
    guard input.request.count <= Envelope.maximumRequestSize else { throw .limit }
    input.context.prelude = bare.context.prelude.map { form.request(EnclosedToken($0)).text() }
    input.context.policy.envelope = automatic ? .automatic(Envelope.all) : .named(form.envelope)
    return input
  }

  private func check(_ form: EnvelopeForm, _ token: [UInt8]) throws(Inapplicability) {
    switch form.route.wrapping {
    case .base64: return
    case .text:
      guard String(validating: token, as: UTF8.self) != nil else { throw .rule }
    case .object:
      // White space around an object does not count by 1.1.
      guard fault?.code != .tokenTooLarge, clause != "1.1" else { throw .rule }
      // Around malformed JSON, the request is what is malformed, by 0.2.
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
