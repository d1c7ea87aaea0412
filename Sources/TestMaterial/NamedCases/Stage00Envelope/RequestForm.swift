import Gateways
import Minting
import PaymentToken

/// One way in which a request carries a signed token: a route of a gateway's envelope, and the form that takes it.
struct RequestForm: Sendable {
  let gateway: Gateway
  /// What the names of cases begin with.
  let label: String
  let route: Envelope.Route
  /// The request around a token.
  let request: @Sendable (EnclosedToken) -> JSONValue

  /// - Parameter request: nil takes that of the gateway's form.
  init(
    _ gateway: Gateway, _ label: String, form: Int = 0, route: Int = 0,
    request: (@Sendable (EnclosedToken) -> JSONValue)? = nil
  ) {
    self.gateway = gateway
    self.label = label
    self.route = gateway.envelope.routes[route]
    let form = gateway.signedForms[form]
    self.request = request ?? { form.json($0, RequestDetails()) }
  }

  static let applepayjs = RequestForm(.applepayjs, "applepayjs")
  static let applepayjsToken = RequestForm(.applepayjs, "applepayjs-token", form: 1, route: 1)
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

  /// The field that must be a constant, with its right value in JSON; nil for none.
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

  /// Whether the request holds the token's parts, and not the token.
  var isParts: Bool { route.isInParts }
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

  /// The same with a text of JSON in the token's place.
  mutating func enclose(_ form: RequestForm, as text: [UInt8]) {
    enclose(form) { $0[form.route.path] = .raw(text) }
  }

  /// The same with more members, which are another's.
  mutating func enclose(_ form: RequestForm, beside members: [JSONObject.Member]) {
    enclose(form) { $0.members += members }
  }

  /// Adds the current request to the prelude, as the only earlier one.
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

extension JSONObject {
  /// The first value at a path through objects; setting it replaces other values on the path by objects.
  subscript(path: [String]) -> JSONValue? {
    get {
      guard let name = path.first else { return nil }
      return path.count == 1 ? self[name] : self[name]?.object[Array(path.dropFirst())]
    }
    set {
      guard let name = path.first else { return }
      guard path.count > 1 else {
        self[name] = newValue
        return
      }
      var inner = self[name] ?? .object(JSONObject())
      inner.object[Array(path.dropFirst())] = newValue
      self[name] = inner
    }
  }

  /// The characters of the string at a path, as they are written.
  func text(at path: [String]) -> String {
    String(decoding: (self[path]?.text() ?? []).dropFirst().dropLast(), as: UTF8.self)
  }

  /// Adds a member once more, with the same value; null if there is none.
  mutating func appendAgain(_ name: String) { append(name, self[name] ?? .raw("null")) }

  /// Adds two members of one name.
  mutating func appendTwice(_ name: String, _ value: JSONValue = .raw("null")) {
    for _ in 0..<2 { append(name, value) }
  }

  /// Moves the value at a path to another.
  mutating func move(_ path: [String], to other: [String]) {
    let value = self[path]
    self[path] = nil
    self[other] = value
  }

  /// Replaces the values at several paths; nil removes one.
  mutating func set(_ values: KeyValuePairs<[String], JSONValue?>) {
    for (path, value) in values { self[path] = value }
  }

  /// Replaces several members' values; nil removes one.
  mutating func set(_ values: KeyValuePairs<String, JSONValue?>) {
    for (name, value) in values { self[name] = value }
  }

  /// Edits the object at a path; the empty path is this one.
  mutating func edit(_ path: [String], _ body: (inout JSONObject) -> Void) {
    guard !path.isEmpty else { return body(&self) }
    var inner = self[path] ?? .object(JSONObject())
    body(&inner.object)
    self[path] = inner
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

  /// A request of this form, edited, and read by its gateway's name; the name of the case is given the form's label.
  mutating func request(
    _ clause: String, _ form: RequestForm, _ name: CaseName, _ fault: TokenFault? = nil, note: String = "",
    _ edit: @escaping Edit<JSONObject> = { _ in }
  ) {
    request(clause, form, name, fault, note: note, around: { _ in }, edit)
  }

  /// The same around a token that is prepared before.
  mutating func request(
    _ clause: String, _ form: RequestForm, _ name: CaseName, _ fault: TokenFault? = nil, note: String = "",
    around prepare: @escaping Build, _ edit: @escaping Edit<JSONObject> = { _ in }
  ) {
    request(clause, "\(form.label)-\(name)", fault, note: note) { draft in
      try prepare(&draft)
      draft.enclose(form, edit)
    }
  }
}
