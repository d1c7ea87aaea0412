/// What Coinbase Onramp's payment page posts to the page or app that shows it.
public struct OnrampEvent: Hashable, Sendable {
  /// The events, in the order of a payment.
  public enum Name: String, Hashable, Sendable, CaseIterable {
    case loadPending = "onramp_api.load_pending"
    case loadSuccess = "onramp_api.load_success"
    case loadError = "onramp_api.load_error"
    case commitSuccess = "onramp_api.commit_success"
    case commitError = "onramp_api.commit_error"
    case cancel = "onramp_api.cancel"
    case pollingStart = "onramp_api.polling_start"
    case pollingSuccess = "onramp_api.polling_success"
    case pollingError = "onramp_api.polling_error"

    /// Whether it brings an error code.
    public var bringsError: Bool { [.loadError, .commitError, .pollingError].contains(self) }

    /// Whether nothing follows it: the payment is over.
    public var isTerminal: Bool { [.pollingSuccess, .pollingError].contains(self) }

    /// What happened and what to do, one sentence.
    public var advice: String {
      switch self {
      case .loadPending: "The page fetches what it needs: wait."
      case .loadSuccess: "The button is there: the user may press it."
      case .loadError: "The button could not be shown: act upon the code."
      case .commitSuccess: "The payment was started: keep the page open and wait for its end."
      case .commitError: "The payment could not be started: act upon the code."
      case .cancel: "The user closed the payment sheet: nothing is charged, and the button may be pressed again."
      case .pollingStart: "The page asks for the payment's result: keep it open and wait."
      case .pollingSuccess: "The payment succeeded and the funds are sent: nothing is left to do."
      case .pollingError: "The payment failed after it was started: act upon the code."
      }
    }
  }

  /// Why an error event was posted.
  public struct Failure: Hashable, Sendable {
    /// The code as posted; new ones come without notice.
    public let code: String
    /// For the user, in their language; nil when there is none.
    public let message: String?

    /// A code as posted, with the page's words for the user.
    public init(code: String, message: String? = nil) {
      self.code = code
      self.message = message
    }

    /// The code, if it is one of those described.
    public var knownCode: OnrampErrorCode? { OnrampErrorCode(exactly: code) }
  }

  /// What happened.
  public let name: Name
  /// Of error events, and of no other.
  public let failure: Failure?

  /// An event that is no error; nil for a name that needs a code.
  public init?(_ name: Name) {
    guard !name.bringsError else { return nil }
    self.name = name
    failure = nil
  }

  /// An error event; nil for a name that brings no code.
  public init?(_ name: Name, _ failure: Failure) {
    guard name.bringsError else { return nil }
    self.name = name
    self.failure = failure
  }

  /// The event of a code.
  public init(_ code: OnrampErrorCode, message: String? = nil) {
    name = code.event
    failure = Failure(code: code.rawValue, message: message)
  }

  /// What its code means; nil of an event that is no error, of a code that is not described, and of one that belongs to another
  /// event: what it says of the card there need not hold here.
  public var meaning: OnrampMeaning? {
    failure?.knownCode.flatMap { $0.event == name ? $0.meaning : nil }
  }

  /// What happened and what to do, one sentence.
  public var advice: String {
    guard failure != nil else { return name.advice }
    return meaning?.advice
      ?? "The code is not described: look it up in Coinbase's documents, and ask for the order's status."
  }

  /// As the page posts it: `{"eventName":…}`, with `"data":{"errorCode":…,"errorMessage":…}` in error events.
  public var json: JSONValue {
    var object = JSONObject([.init("eventName", .string(name.rawValue))])
    if let failure {
      var data = JSONObject([.init("errorCode", .string(failure.code))])
      data["errorMessage"] = failure.message.map { .string($0) }
      object["data"] = .object(data)
    }
    return .object(object)
  }
}
