import Gateways
import Minting
import PaymentToken

/// A place for a signed token in a gateway's envelope, and a builder of the request around it.
struct RequestForm: Sendable {
  let gateway: Gateway
  /// What the names of cases begin with.
  let label: String
  let route: Envelope.Route
  /// The request around a token.
  let request: @Sendable (EnclosedToken) -> JSONValue

  /// - Parameters:
  ///   - formIndex: the index of the form in `gateway.signedForms`.
  ///   - routeIndex: the index of the route in the routes of the gateway's envelope.
  ///   - request: the request around a token; nil for that of the form.
  init(
    _ gateway: Gateway, _ label: String, formIndex: Int = 0, routeIndex: Int = 0,
    request: (@Sendable (EnclosedToken) -> JSONValue)? = nil
  ) {
    self.gateway = gateway
    self.label = label
    self.route = gateway.envelope.routes[routeIndex]
    let form = gateway.signedForms[formIndex]
    self.request = request ?? { form.json($0, RequestDetails()) }
  }

  static let applepayjs = RequestForm(.applepayjs, "applepayjs")
  static let applepayjsToken = RequestForm(.applepayjs, "applepayjs-token", formIndex: 1, routeIndex: 1)
  static let worldline = RequestForm(.worldline, "worldline")
  static let alphapay = RequestForm(.alphapay, "alphapay")
  static let mpgs = RequestForm(.mpgs, "mpgs")
  static let bambora = RequestForm(.bambora, "bambora")

  /// All forms, for families of cases with one case for each.
  static let all = Gateway.ID.allCases.flatMap(forms)

  private static func forms(of gateway: Gateway.ID) -> [RequestForm] {
    switch gateway {
    case .applepayjs: [applepayjs, applepayjsToken]
    case .worldline: [worldline]
    case .alphapay: [alphapay]
    case .mpgs: [mpgs]
    case .bambora: [bambora]
    }
  }

  /// The first field with a constant value, and the value in JSON; nil for none.
  var constant: (path: [String], value: String)? {
    for field in route.fields {
      switch field.rule {
      case .text(let text): return (field.path, "\"\(text)\"")
      case .number(let number): return (field.path, number)
      case .transactionId: continue
      }
    }
    return nil
  }
}

extension CaseDraft {
  /// The request around the token.
  func object(_ form: RequestForm) -> JSONObject {
    form.request(EnclosedToken(bareToken)).object
  }

  /// Puts a request around the token, and selects the gateway's envelope by name.
  mutating func enclose(_ form: RequestForm, _ edit: (inout JSONObject) -> Void = { _ in }) {
    policy.envelope = .named(form.gateway.envelope)
    var object = object(form)
    edit(&object)
    request = JSONValue.object(object).text()
  }

  /// Encloses the token and replaces it by a text of JSON.
  mutating func enclose(_ form: RequestForm, as text: [UInt8]) {
    enclose(form) { $0[form.route.path] = .raw(text) }
  }

  /// Encloses the token and appends members of another request or of a token.
  mutating func enclose(_ form: RequestForm, beside members: [JSONObject.Member]) {
    enclose(form) { $0.members += members }
  }

  /// Makes the current request the only one of the prelude.
  mutating func repeatRequest() {
    prelude = [request ?? bareToken]
  }

  /// Edits the request's bytes.
  mutating func requestText(_ edit: (inout [UInt8]) -> Void) {
    var bytes = request ?? bareToken
    edit(&bytes)
    request = bytes
  }

  /// Appends white space to the request up to `count` bytes.
  mutating func padRequest(to count: Int) {
    requestText { $0 += [UInt8](repeating: 0x20, count: max(0, count - $0.count)) }
  }

  /// Pads the token with white space inside its braces to `count` bytes.
  mutating func padToken(to count: Int) {
    text { $0.insert(contentsOf: [UInt8](repeating: 0x20, count: max(0, count - $0.count)), at: 1) }
  }
}

extension CaseList {
  /// A case of a request; without a fault it must be accepted.
  mutating func request(
    _ clause: String, _ name: CaseName, _ fault: TokenFault? = nil, note: String = "", _ build: @escaping Build
  ) {
    add(
      CaseRecipe(name: name, clause: clause, note: note, expected: fault.map { .reject($0) } ?? .accept, build: build))
  }

  /// An edited request of this form, verified with the gateway's envelope; the case name begins with the form's label.
  ///
  /// - Parameter prepare: edits the token before it is enclosed.
  mutating func request(
    _ clause: String, _ form: RequestForm, _ name: CaseName, _ fault: TokenFault? = nil, note: String = "",
    _ edit: @escaping Edit<JSONObject> = { _ in }, around prepare: @escaping Build = { _ in }
  ) {
    request(clause, "\(form.label)-\(name)", fault, note: note) { draft in
      try prepare(&draft)
      draft.enclose(form, edit)
    }
  }
}
