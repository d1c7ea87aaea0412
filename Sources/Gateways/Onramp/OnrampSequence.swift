/// A state machine over the events of one order.
///
/// The sequence is load_pending, load_success or load_error, then commit_success, commit_error, validate_merchant_error
/// or cancel (repeated until a commit succeeds), then polling_start and polling_success or polling_error. Before a
/// payment starts a session_error ends the order; after that, only the order's status says what happened.
///
/// A result is final: nothing after polling_success or polling_error changes it. But if a payment is started twice, or
/// another result or start follows a result, only the order's status says whether money moved. Once started, a payment
/// ends only with its result, not with the page or its sheet: until then money may be moving. A code that ended the
/// order also disables the button, even after the page is loaded again.
public struct OnrampSequence: Hashable, Sendable {
  /// Why an event is out of sequence.
  @nonexhaustive
  public enum Violation: String, Hashable, Sendable, CaseIterable {
    /// Before the page's first load_pending.
    case beforeLoad
    /// load_success or load_error after the page was loaded, or load_pending again without a failure or a cancel.
    case loadedTwice
    /// The button was used before load_success.
    case beforeButton
    /// The button was used again although the payment was started.
    case afterCommit
    /// After a code that ends the order; only a new order's link can follow.
    case afterRefusal
    /// polling_start without commit_success.
    case pollingBeforeCommit
    /// polling_start for the second time.
    case pollingTwice
    /// A result without polling_start.
    case resultBeforePolling
    /// After polling_success or polling_error.
    case afterEnd
    /// The code belongs to another event.
    case codeOfAnotherEvent

    /// What is wrong, one sentence.
    public var sentence: String {
      switch self {
      case .beforeLoad: "It comes before load_pending: the log's beginning is missing."
      case .loadedTwice:
        "The page was loading or loaded already: events of two pages are mixed, or one is duplicated."
      case .beforeButton: "The button was not shown: load_success is missing."
      case .afterCommit: "The payment had been started: the page can start, cancel or end nothing any more."
      case .afterRefusal: "The previous code ended the order: a new order is needed."
      case .pollingBeforeCommit: "No payment had been started: commit_success is missing."
      case .pollingTwice: "It occurred before: it is duplicated."
      case .resultBeforePolling: "There is a result without a request for it: polling_start is missing."
      case .afterEnd: "The payment was over: events of two orders are mixed, or one is duplicated."
      case .codeOfAnotherEvent: "Its code belongs to another event: the page did not post it."
      }
    }
  }

  /// The state of a payment.
  @nonexhaustive
  public enum State: Hashable, Sendable {
    case notBegun, loading
    /// The button is shown; also after a cancelled sheet.
    case ready
    /// Apple Pay is not supported, for which a web page has a fallback.
    case loadedWithoutApplePay
    case loadFailed, commitFailed
    /// Refused by a code that ends the order, or by a session_error.
    case refused
    case started, polling, succeeded, failed
  }

  /// The outcome of a payment.
  @nonexhaustive
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    case succeeded
    case inProgress = "goingOn"
    case cancelled, failed
  }

  /// The state after the events so far.
  public private(set) var state = State.notBegun
  /// The last event that changed the state; nil if no event has.
  public private(set) var decidingEvent: OnrampEvent?
  /// The first event that says something else about money than those before it: a second payment, another result, or a
  /// start after the result, or a session_error during a payment; nil if there is none.
  public private(set) var contradictingEvent: OnrampEvent?
  /// Whether an event could not be read; it may have been any event.
  public private(set) var hasUnreadableEvent = false
  /// The event with the code that ended the order, unless a payment started anyway.
  private var refusal: OnrampEvent?

  private let isOnWeb: Bool

  /// The state before the first event.
  ///
  /// - Parameter isOnWeb: whether a web page shows the payment page, which falls back to a QR code without Apple Pay.
  public init(isOnWeb: Bool = false) { self.isOnWeb = isOnWeb }

  /// The outcome after the events so far. A refusal stays until a payment starts, even if the page is loaded again.
  public var outcome: Outcome {
    if refusal != nil { return .failed }
    return switch state {
    case .succeeded: .succeeded
    case .loadFailed, .commitFailed, .refused, .failed: .failed
    case .loadedWithoutApplePay where !isOnWeb: .failed
    case .ready where decidingEvent?.name == .cancel: .cancelled
    case .notBegun, .loading, .ready, .loadedWithoutApplePay, .started, .polling: .inProgress
    }
  }

  /// What to do next; nil before the first event.
  public var advice: String? { isOpen ? Self.askFirst : (refusal ?? decidingEvent)?.advice }

  /// Whether only the order's status says what happened.
  private var isOpen: Bool { contradictingEvent != nil || hasUnreadableEvent }

  /// The meaning of the deciding event's code; nil without a code. If only the order's status says what happened, the
  /// meaning says so.
  public var meaning: OnrampMeaning? {
    guard !isOpen else {
      return OnrampMeaning(
        isTerminal: true, mayRetry: false, actor: .merchant, isIgnorableOnWeb: false, charge: .unknown,
        advice: Self.askFirst)
    }
    return (refusal ?? decidingEvent)?.meaning
  }

  private static let askFirst =
    "The events do not say for certain what happened: ask for the order's status before anything else."

  /// Notes an event that cannot be read. The outcome stays, but only the order's status says what to do next.
  public mutating func takeUnreadable() { hasUnreadableEvent = true }

  /// Takes the next event. An event that is out of sequence also changes the state, unless it could hide a payment, a
  /// refusal or a result.
  ///
  /// - Returns: the violation; nil if there is none.
  @discardableResult
  public mutating func take(_ event: OnrampEvent) -> Violation? {
    let violation = violation(event)
    if contradictingEvent == nil, contradicts(event) { contradictingEvent = event }
    guard counts(event) else { return violation }
    state = Self.state(after: event)
    decidingEvent = event
    // After a session_error only the order's status says what happened: no later code does.
    if state == .refused, refusal?.name != .sessionError { refusal = event }
    if [.started, .polling, .succeeded, .failed].contains(state) { refusal = nil }
    return violation
  }

  /// Whether an event starts a second payment or, after the result, states another result or a payment that continues.
  private func contradicts(_ event: OnrampEvent) -> Bool {
    if [.started, .polling].contains(state) { return [.commitSuccess, .sessionError].contains(event.name) }
    guard [.succeeded, .failed].contains(state) else { return false }
    switch event.name {
    case .pollingSuccess, .pollingError:
      return event.name != decidingEvent?.name || event.failure?.code != decidingEvent?.failure?.code
    case .commitSuccess, .pollingStart: return true
    case .loadPending, .loadSuccess, .loadError, .validateMerchantError, .commitError, .cancel, .sessionError:
      return false
    }
  }

  private func counts(_ event: OnrampEvent) -> Bool {
    switch state {
    case .succeeded, .failed: false
    case .started, .polling: [.commitSuccess, .pollingStart, .pollingSuccess, .pollingError].contains(event.name)
    // After a refusal the sheet closes, which posts cancel. A payment that starts anyway counts.
    case .refused: ![.cancel, .commitError, .validateMerchantError].contains(event.name)
    // Without the log's beginning it is unknown whether a payment was started.
    case .notBegun:
      [.loadPending, .commitSuccess, .pollingStart, .pollingSuccess, .pollingError].contains(event.name)
    // The sheet also closes after an error. An undescribed error may have ended the order, and after
    // validate_merchant_error it was not the user who closed it: then cancel does not count.
    case .commitFailed:
      event.name != .cancel || decidingEvent?.name == .commitError && decidingEvent?.meaning != nil
    case .loading, .ready, .loadFailed, .loadedWithoutApplePay: true
    }
  }

  private func violation(_ event: OnrampEvent) -> Violation? {
    if let code = event.failure?.knownCode, code.event != event.name, event.name != .sessionError {
      return .codeOfAnotherEvent
    }
    switch state {
    case .succeeded, .failed: return .afterEnd
    case .notBegun: return event.name == .loadPending ? nil : .beforeLoad
    case .loading, .ready, .loadFailed, .loadedWithoutApplePay, .commitFailed, .refused, .started, .polling: break
    }
    switch event.name {
    case .loadPending: return mayReload ? nil : .loadedTwice
    case .loadSuccess: return [.loading, .loadedWithoutApplePay].contains(state) ? nil : .loadedTwice
    case .loadError: return state == .loading ? nil : .loadedTwice
    case .commitSuccess, .commitError, .validateMerchantError: return buttonViolation
    case .sessionError: return [.started, .polling].contains(state) ? .afterCommit : nil
    // After a refusal the sheet closes, which posts cancel.
    case .cancel: return state == .refused ? nil : buttonViolation
    case .pollingStart:
      if state == .polling { return .pollingTwice }
      return state == .started ? nil : .pollingBeforeCommit
    case .pollingSuccess, .pollingError: return state == .polling ? nil : .resultBeforePolling
    }
  }

  private var mayReload: Bool {
    switch state {
    case .loadFailed, .loadedWithoutApplePay, .commitFailed, .refused: true
    case .ready: decidingEvent?.name == .cancel
    case .notBegun, .loading, .started, .polling, .succeeded, .failed: false
    }
  }

  private var buttonViolation: Violation? {
    if refusal != nil { return .afterRefusal }
    return switch state {
    case .ready, .commitFailed, .loadedWithoutApplePay: nil
    case .refused: .afterRefusal
    case .started, .polling: .afterCommit
    case .notBegun, .loading, .loadFailed, .succeeded, .failed: .beforeButton
    }
  }

  private static func state(after event: OnrampEvent) -> State {
    switch event.name {
    case .loadPending: return .loading
    case .loadSuccess, .cancel: return .ready
    case .loadError: return event.meaning?.isIgnorableOnWeb == true ? .loadedWithoutApplePay : .loadFailed
    case .commitSuccess: return .started
    case .commitError, .validateMerchantError: return event.meaning?.isTerminal == true ? .refused : .commitFailed
    case .sessionError: return .refused
    case .pollingStart: return .polling
    case .pollingSuccess: return .succeeded
    case .pollingError: return .failed
    }
  }
}
