import Foundation
import Gateways
import HostIO
import TestSupport
import Testing

@Suite struct OnrampSequenceTests {
  /// Events by the last part of their names; errors by their codes.
  private func events(_ words: String) throws -> [OnrampEvent] {
    try words.split(separator: " ").map { word in
      if let name = OnrampEvent.Name(rawValue: "onramp_api.\(word)"), let event = OnrampEvent(name) { return event }
      return OnrampEvent(try #require(OnrampErrorCode(rawValue: "ERROR_CODE_\(word)")))
    }
  }

  private func walk(_ words: String) throws -> (violations: [OnrampSequence.Violation], OnrampSequence) {
    var sequence = OnrampSequence()
    let violations = try events(words).compactMap { sequence.take($0) }
    return (violations, sequence)
  }

  @Test(
    arguments: [
      ("", OnrampSequence.Outcome.inProgress),
      ("load_pending", .inProgress), ("load_pending load_success", .inProgress),
      ("load_pending load_success commit_success", .inProgress),
      ("load_pending load_success commit_success polling_start", .inProgress),
      ("load_pending load_success commit_success polling_start polling_success", .succeeded),
      ("load_pending load_success commit_success polling_start GUEST_TRANSACTION_BUY_FAILED", .failed),
      ("load_pending INIT", .failed), ("load_pending GUEST_APPLE_PAY_NOT_SETUP", .failed),
      ("load_pending INIT load_pending load_success", .inProgress),
      ("load_pending GUEST_APPLE_PAY_NOT_SUPPORTED", .failed),
      ("load_pending GUEST_APPLE_PAY_NOT_SUPPORTED load_success commit_success", .inProgress),
      ("load_pending GUEST_APPLE_PAY_NOT_SUPPORTED commit_success polling_start polling_success", .succeeded),
      ("load_pending load_success cancel", .cancelled),
      ("load_pending load_success cancel cancel commit_success", .inProgress),
      ("load_pending load_success cancel load_pending", .inProgress),
      ("load_pending load_success GUEST_CARD_SOFT_DECLINED", .failed),
      ("load_pending load_success GUEST_CARD_SOFT_DECLINED GUEST_INVALID_CARD commit_success", .inProgress),
      ("load_pending load_success GUEST_PERMISSION_DENIED", .failed),
      ("load_pending load_success GUEST_TRANSACTION_LIMIT load_pending load_success", .failed),
      ("load_pending load_success GUEST_APPLE_PAY_MERCHANT_VALIDATION_FAILED", .failed),
      ("load_pending load_success GUEST_APPLE_PAY_MERCHANT_VALIDATION_TIMEOUT commit_success", .inProgress),
      ("load_pending load_success GUEST_APPLE_PAY_MERCHANT_VALIDATION_TIMEOUT load_pending load_success", .inProgress),
    ])
  func `legal sequences and how they stand`(_ words: String, _ outcome: OnrampSequence.Outcome) throws {
    let (violations, sequence) = try walk(words)
    #expect(violations.isEmpty)
    #expect(sequence.outcome == outcome)
  }

  @Test(
    arguments: [
      ("load_success", OnrampSequence.Violation.beforeLoad), ("polling_success", .beforeLoad),
      ("load_pending load_pending", .loadedTwice), ("load_pending load_success load_success", .loadedTwice),
      ("load_pending load_success load_pending", .loadedTwice), ("load_pending load_success INIT", .loadedTwice),
      ("load_pending load_success commit_success load_pending", .loadedTwice),
      ("load_pending commit_success", .beforeButton), ("load_pending cancel", .beforeButton),
      ("load_pending INIT commit_success", .beforeButton),
      ("load_pending load_success commit_success commit_success", .afterCommit),
      ("load_pending load_success commit_success cancel", .afterCommit),
      ("load_pending load_success commit_success polling_start GUEST_INVALID_CARD", .afterCommit),
      ("load_pending load_success GUEST_PERMISSION_DENIED commit_success", .afterRefusal),
      ("load_pending load_success polling_start", .pollingBeforeCommit),
      ("load_pending load_success commit_success polling_start polling_start", .pollingTwice),
      ("load_pending load_success commit_success polling_success", .resultBeforePolling),
      ("load_pending load_success GUEST_TRANSACTION_BUY_FAILED", .resultBeforePolling),
      ("load_pending load_success commit_success polling_start polling_success polling_success", .afterEnd),
      ("load_pending load_success commit_success polling_start polling_success load_pending", .afterEnd),
    ])
  func `illegal sequences are named, once`(_ words: String, _ violation: OnrampSequence.Violation) throws {
    #expect(try walk(words).violations == [violation])
  }

  /// After polling_start only the first result changes the outcome. Other events are violations.
  @Test(
    arguments: [
      ("polling_success cancel", OnrampSequence.Outcome.succeeded), ("polling_success load_pending", .succeeded),
      ("polling_success GUEST_TRANSACTION_BUY_FAILED", .succeeded), ("polling_success INIT", .succeeded),
      ("GUEST_TRANSACTION_BUY_FAILED cancel", .failed), ("GUEST_TRANSACTION_BUY_FAILED polling_success", .failed),
      ("GUEST_TRANSACTION_BUY_FAILED load_pending", .failed), ("cancel", .inProgress), ("load_pending", .inProgress),
      ("GUEST_PERMISSION_DENIED", .inProgress), ("cancel polling_success", .succeeded),
    ])
  func `a result is final, and a running payment ends by its result alone`(
    _ words: String, _ outcome: OnrampSequence.Outcome
  ) throws {
    let (violations, sequence) = try walk("load_pending load_success commit_success polling_start " + words)
    #expect(!violations.isEmpty)
    #expect(sequence.outcome == outcome)
    #expect(sequence.advice?.contains("pressed again") == false)
  }

  @Test func `without Apple Pay an app has nothing to show, and a web page a QR code`() throws {
    for (isOnWeb, outcome) in [(false, OnrampSequence.Outcome.failed), (true, .inProgress)] {
      var sequence = OnrampSequence(isOnWeb: isOnWeb)
      for event in try events("load_pending GUEST_APPLE_PAY_NOT_SUPPORTED") { #expect(sequence.take(event) == nil) }
      #expect(sequence.outcome == outcome && sequence.meaning?.charge == .notCharged)
    }
  }

  @Test(arguments: ["ERROR_CODE_NEW", "ERROR_CODE_GUEST_TRANSACTION_SEND_FAILED"])
  func `a code that is not understood is not forgotten when the sheet closes`(_ code: String) throws {
    var sequence = try walk("load_pending load_success").1
    let event = try #require(OnrampEvent(.commitError, OnrampEvent.Failure(code: code)))
    sequence.take(event)
    #expect(sequence.take(try #require(OnrampEvent(.cancel))) == nil)
    #expect(sequence.outcome == .failed && sequence.decidingEvent == event && sequence.meaning == nil)
    sequence.take(try #require(OnrampEvent(.commitSuccess)))
    #expect(sequence.outcome == .inProgress)
    #expect(try walk("load_pending load_success GUEST_INVALID_CARD cancel").1.outcome == .cancelled)
  }

  @Test(arguments: ["load_success cancel", "load_success GUEST_INVALID_CARD", "INIT", "load_success load_success"])
  func `without the log's beginning nothing is promised`(_ words: String) throws {
    let (violations, sequence) = try walk(words)
    #expect(violations.allSatisfy { $0 == .beforeLoad } && !violations.isEmpty)
    #expect(sequence.outcome == .inProgress && sequence.advice == nil && sequence.meaning == nil)
  }

  @Test func `two started payments are asked about, even if one succeeds`() throws {
    let start = "load_pending load_success commit_success commit_success"
    for (words, outcome) in [
      ("", OnrampSequence.Outcome.inProgress), (" polling_start polling_success", .succeeded),
      (" polling_start GUEST_TRANSACTION_BUY_FAILED", .failed),
    ] {
      let (violations, sequence) = try walk(start + words)
      #expect(violations == [.afterCommit] && sequence.outcome == outcome)
      #expect(sequence.contradictingEvent?.name == .commitSuccess && sequence.meaning?.charge == .unknown)
    }
  }

  /// The first result stays. If another one contradicts it, only the order's status tells what happened.
  @Test(arguments: [
    ("GUEST_TRANSACTION_BUY_FAILED polling_success", OnrampSequence.Outcome.failed),
    ("polling_success GUEST_TRANSACTION_SEND_FAILED", .succeeded),
    ("GUEST_TRANSACTION_BUY_FAILED GUEST_TRANSACTION_SEND_FAILED", .failed),
    ("GUEST_TRANSACTION_BUY_FAILED commit_success", .failed), ("polling_success polling_start", .succeeded),
  ])
  func `results that contradict each other are asked about, and none of their promises is repeated`(
    _ words: String, _ outcome: OnrampSequence.Outcome
  ) throws {
    let sequence = try walk("load_pending load_success commit_success polling_start " + words).1
    #expect(sequence.outcome == outcome && sequence.contradictingEvent != nil)
    #expect(sequence.meaning?.charge == .unknown && sequence.meaning?.mayRetry == false)
    #expect(sequence.advice == sequence.meaning?.advice)
    let repeated = words.split(separator: " ")[0]
    let once = try walk("load_pending load_success commit_success polling_start \(repeated) \(repeated) cancel").1
    #expect(once.contradictingEvent == nil && once.meaning == once.decidingEvent?.meaning)
  }

  @Test func `a code that ended the order ends it after a reload too`() throws {
    let reload = "load_pending load_success GUEST_TRANSACTION_COUNT load_pending load_success"
    #expect(try walk(reload).violations.isEmpty)
    #expect(try walk(reload).1.meaning == OnrampErrorCode.transactionCount.meaning)
    for event in ["commit_success", "cancel", "GUEST_INVALID_CARD"] {
      #expect(try walk("\(reload) \(event)").violations == [.afterRefusal])
    }
    let paid = try walk("\(reload) commit_success polling_start polling_success")
    #expect(paid.violations == [.afterRefusal] && paid.1.outcome == .succeeded && paid.1.meaning == nil)
  }

  @Test(arguments: ["cancel", "GUEST_CARD_SOFT_DECLINED"])
  func `after an order is refused, or without the log's beginning, nobody is told to press again`(_ word: String) throws
  {
    let refused = try walk("load_pending load_success GUEST_PERMISSION_DENIED " + word).1
    #expect(refused.outcome == .failed && refused.decidingEvent?.failure?.code == "ERROR_CODE_GUEST_PERMISSION_DENIED")
    let headless = try walk(word).1
    #expect(headless.outcome == .inProgress && headless.advice == nil)
  }

  @Test(arguments: ["MERCHANT_VALIDATION_FAILED", "MERCHANT_VALIDATION_TIMEOUT"])
  func `a sheet that closes because Apple Pay failed was not cancelled by the user`(_ code: String) throws {
    let (violations, sequence) = try walk("load_pending load_success GUEST_APPLE_PAY_\(code) cancel")
    #expect(violations.isEmpty && sequence.outcome == .failed)
    #expect(sequence.decidingEvent?.name == .validateMerchantError && sequence.meaning?.charge == .notCharged)
    let unknown = try #require(OnrampEvent(.validateMerchantError, OnrampEvent.Failure(code: "ERROR_CODE_NEW")))
    var other = try walk("load_pending load_success").1
    for event in [unknown, try #require(OnrampEvent(.cancel))] { #expect(other.take(event) == nil) }
    #expect(other.outcome == .failed && other.meaning == nil && other.decidingEvent == unknown)
  }

  @Test(arguments: [
    ("load_pending", [OnrampSequence.Violation](), OnrampSequence.Outcome.failed),
    ("load_pending load_success", [], .failed), ("load_pending load_success GUEST_INVALID_CARD cancel", [], .failed),
    ("load_pending load_success commit_success", [.afterCommit], .inProgress),
    ("load_pending load_success commit_success polling_start", [.afterCommit], .inProgress),
  ])
  func `a session that cannot continue is asked about, with any code`(
    _ words: String, _ violations: [OnrampSequence.Violation], _ outcome: OnrampSequence.Outcome
  ) throws {
    for code in ["ERROR_CODE_INTERNAL", "ERROR_CODE_LIMITS_UPGRADE_BLOCKED", "ERROR_CODE_GUEST_TRANSACTION_COUNT"] {
      var sequence = try walk(words).1
      let event = try #require(OnrampEvent(.sessionError, OnrampEvent.Failure(code: code)))
      #expect([sequence.take(event)].compactMap { $0 } == violations)
      #expect(sequence.outcome == outcome)
      #expect(sequence.meaning?.charge == .unknown && sequence.meaning?.mayRetry == false)
      for event in try events("cancel load_pending load_success GUEST_TRANSACTION_LIMIT cancel") {
        sequence.take(event)
        #expect(sequence.outcome == outcome && sequence.meaning?.isTerminal == true)
        #expect(sequence.meaning?.charge == .unknown && sequence.meaning?.mayRetry == false)
      }
    }
  }

  @Test func `an error of the session does not say what came before the log's beginning`() throws {
    var sequence = OnrampSequence()
    let event = try #require(OnrampEvent(.sessionError, OnrampEvent.Failure(code: "ERROR_CODE_INTERNAL")))
    #expect(sequence.take(event) == .beforeLoad)
    #expect(sequence.outcome == .inProgress && sequence.meaning == nil)
  }

  @Test(arguments: ["PERMISSION_DENIED", "CARD_RISK_DECLINED", "TRANSACTION_LIMIT"])
  func `a refusal stays until a payment starts`(_ code: String) throws {
    let refused = "load_pending load_success GUEST_\(code)"
    for words in ["cancel", "load_pending", "load_pending load_success", "load_pending load_success cancel"] {
      let sequence = try walk("\(refused) \(words)").1
      #expect(
        sequence.outcome == .failed
          && sequence.meaning == OnrampErrorCode(rawValue: "ERROR_CODE_GUEST_\(code)")?.meaning)
    }
    #expect(try walk("\(refused) load_pending load_success commit_success").1.outcome == .inProgress)
  }

  @Test func `of 10,000 random logs no result changes and no advice risks a second payment`() {
    let events =
      OnrampEvent.Name.allCases.compactMap { OnrampEvent($0) } + OnrampErrorCode.allCases.map { OnrampEvent($0) }
      + [OnrampEvent(.sessionError, OnrampEvent.Failure(code: "ERROR_CODE_INTERNAL"))].compactMap { $0 }
    let seed = ProcessInfo.processInfo.environment["ASSAY_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
    print("seed \(seed): 10,000 logs")
    var random = SplitMix64(seed: seed)
    var (results, running) = (0, 0)
    for _ in 0..<10_000 {
      var sequence = OnrampSequence()
      var taken: [OnrampEvent] = []
      var (result, hasStarted) = (OnrampSequence.Outcome?.none, false)
      for _ in 0..<Int.random(in: 1..<24, using: &random) {
        // At least half of the events are no errors, so that many payments get far.
        let sound = OnrampEvent(OnrampEvent.Name.allCases.randomElement(using: &random)!)
        let event = Bool.random(using: &random) ? sound ?? events[0] : events.randomElement(using: &random)!
        taken.append(event)
        sequence.take(event)
        hasStarted = hasStarted || event.name == .commitSuccess
        if let result { #expect(sequence.outcome == result, "\(taken.map(\.name))") }
        if result == nil, [.pollingSuccess, .pollingError].contains(event.name) {
          result = event.name == .pollingSuccess ? .succeeded : .failed
          #expect(sequence.outcome == result, "\(taken.map(\.name))")
          results += 1
        }
        guard hasStarted, result == nil else { continue }
        running += 1
        #expect(sequence.outcome == .inProgress, "\(taken.map(\.name))")
        #expect(sequence.decidingEvent?.failure == nil && sequence.advice?.contains("pressed again") != true)
      }
    }
    #expect(results > 1_000 && running > 1_000)
  }

  @Test func `a code in another event is named`() throws {
    var sequence = OnrampSequence()
    sequence.take(try #require(OnrampEvent(.loadPending)))
    let event = try #require(OnrampEvent(.loadError, OnrampEvent.Failure(code: "ERROR_CODE_GUEST_INVALID_CARD")))
    #expect(sequence.take(event) == .codeOfAnotherEvent)
  }

  @Test func `a code in another event does not say that nothing was charged`() throws {
    var sequence = try walk("load_pending load_success commit_success polling_start").1
    let event = try #require(
      OnrampEvent(.pollingError, OnrampEvent.Failure(code: OnrampErrorCode.cardSoftDeclined.rawValue)))
    #expect(sequence.take(event) == .codeOfAnotherEvent)
    #expect(sequence.outcome == .failed && sequence.decidingEvent?.meaning == nil)
    #expect(sequence.advice?.contains("ask for the order's status") == true)
    #expect(OnrampEvent(.cardSoftDeclined).meaning?.charge == .notCharged)
  }

  @Test func `of all pairs and triples of events few are legal, and none is too many`() {
    let events =
      OnrampEvent.Name.allCases.compactMap { OnrampEvent($0) } + OnrampErrorCode.allCases.map { OnrampEvent($0) }
    var legal = 0
    for first in events {
      for second in events {
        for third in events {
          var sequence = OnrampSequence()
          let violations = [first, second, third].compactMap { sequence.take($0) }
          if violations.isEmpty {
            legal += 1
            #expect(first.name == .loadPending)
          }
        }
      }
    }
    // The first event is load_pending. After load_success 14 are legal: commit_success, ten commit_errors, two
    // validate_merchant_errors and cancel. After two of the load errors load_pending is. After NOT_SUPPORTED those 14,
    // load_pending and load_success are.
    #expect(legal == 14 + 2 * 1 + (14 + 2))
  }

  @Test func `a log is an array, or a line an event`() throws {
    let first = #"{"eventName":"onramp_api.load_pending"}"#
    let second = #"{"eventName":"onramp_api.apple_pay_button_pressed"}"#
    let expected: [OnrampLog.Entry] = [
      .event(try #require(OnrampEvent(.loadPending))), .undescribed("onramp_api.apple_pay_button_pressed"),
    ]
    for text in [
      "[\(first),\n\(second)]", "\(first)\n\(second)", "\n\(first)\r\n \n\(second)\n\n", " \n[\(first),\(second)] ",
    ] {
      #expect(try OnrampLog(reading: Array(text.utf8)).entries == expected)
    }
  }

  @Test func `lines of other things between the events are passed over`() throws {
    let text = "12:00 page opened\n{\"level\":\"info\"}\n{\"eventName\":\"onramp_api.load_pending\"}\n[1]\n"
    let event = OnrampLog.Entry.event(try #require(OnrampEvent(.loadPending)))
    #expect(try OnrampLog(reading: Array(text.utf8)).entries == [.other, .other, event, .other])
  }

  @Test func `JSON of another form that names an event is not passed over`() throws {
    let event = #"{"eventName":"onramp_api.cancel"}"#
    for line in [#"{"event":"onramp_api.commit_success"}"#, #"["onramp_api.commit_success"]"#] {
      for text in ["\(event)\n\(line)", "[\(event),\(line)]"] {
        let log = try OnrampLog(reading: Array(text.utf8))
        #expect(log.entries == [.event(try #require(OnrampEvent(.cancel))), .unreadable(.noEventName)])
      }
    }
  }

  @Test(arguments: [
    ("{\"eventName\":\"onr", OnrampReadingError.malformedJSON), ("{\"eve", .malformedJSON),
    ("12:00 \"{\\\"eventName\\\":\\\"onramp_", .malformedJSON),
    ("{\"eventName\":\"onramp_api.payment_error\"}", .unknownError("onramp_api.payment_error")),
    (#"{"eventName":"onramp_api.stopped","data":{"errorCode":"X"}}"#, .unknownError("onramp_api.stopped")),
    ("{\"eventName\":\"onramp_api.polling_err", .malformedJSON),
    ("{\"eventName\":\"onramp_api.polling_error\"}", .noErrorCode),
  ])
  func `an event that cannot be read leaves the outcome, and only the order's status helps`(
    _ line: String, _ reason: OnrampReadingError
  ) throws {
    let event = #"{"eventName":"onramp_api.polling_success"}"#
    let log = try OnrampLog(reading: Array("\(event)\n7\n\(line)\n".utf8))
    #expect(log.entries == [.event(try #require(OnrampEvent(.pollingSuccess))), .other, .unreadable(reason)])
    #expect(try OnrampLog(reading: Array("[\(event),7]".utf8)).entries == Array(log.entries[..<2]))
    var sequence = OnrampSequence()
    sequence.take(try #require(OnrampEvent(.pollingSuccess)))
    sequence.takeUnreadable()
    #expect(sequence.outcome == .succeeded && sequence.meaning?.charge == .unknown)
  }

  @Test(
    arguments: [
      ("", 0, OnrampReadingError.noEvents), (" \n", 0, .noEvents), ("[]", 0, .noEvents),
      ("[{]", 0, .noEvents), ("[7,{\"eventName\":7}]", 2, .noEventName),
      ("\n\n{\"eventName\":\"onramp_api.", 3, .malformedJSON),
      ("[{\"eventName\":\"onramp_api.cancel\"}", 1, .malformedJSON),
      ("{\"eventName\":\"coinbase.cancel\"}", 1, .unknownEvent("coinbase.cancel")),
      ("[{\"eventName\":\"coinbase.cancel\"}]", 1, .unknownEvent("coinbase.cancel")),
      ("{\"eventName\":\"onramp_api.load_error\"}", 1, .noErrorCode),
    ])
  func `the place of what cannot be read is named`(_ text: String, _ position: Int, _ reason: OnrampReadingError) throws
  {
    let error = #expect(throws: OnrampLog.ReadingError.self) { try OnrampLog(reading: Array(text.utf8)) }
    #expect(error?.position == position)
    #expect(error?.reason == reason)
  }
}
