import Gateways
import Testing

@Suite struct OnrampCodeTests {
  private static let guest = "ERROR_CODE_GUEST"

  /// The table of Coinbase's page: each event with its error codes.
  private static let table: [(String, [String])] = [
    ("onramp_api.load_error", ["ERROR_CODE_INIT", guest + "_APPLE_PAY_NOT_SUPPORTED", guest + "_APPLE_PAY_NOT_SETUP"]),
    (
      "onramp_api.validate_merchant_error",
      [guest + "_APPLE_PAY_MERCHANT_VALIDATION_TIMEOUT", guest + "_APPLE_PAY_MERCHANT_VALIDATION_FAILED"]
    ),
    (
      "onramp_api.commit_error",
      [
        guest + "_CARD_SOFT_DECLINED", guest + "_INVALID_CARD", guest + "_CARD_INSUFFICIENT_BALANCE",
        guest + "_CARD_HARD_DECLINED", guest + "_CARD_RISK_DECLINED", guest + "_REGION_MISMATCH",
        guest + "_PERMISSION_DENIED", guest + "_CARD_PREPAID_DECLINED", guest + "_TRANSACTION_LIMIT",
        guest + "_TRANSACTION_COUNT",
      ]
    ),
    (
      "onramp_api.polling_error",
      [
        guest + "_TRANSACTION_BUY_FAILED", guest + "_SEND_FAILED", guest + "_TRANSACTION_FAILED",
        guest + "_AVS_VALIDATION_FAILED", guest + "_TRANSACTION_SEND_FAILED",
        guest + "_TRANSACTION_TRANSACTION_FAILED", guest + "_TRANSACTION_AVS_VALIDATION_FAILED",
      ]
    ),
  ]

  @Test func `every event and code of the table comes back as it was`() throws {
    var codes: Set<String> = []
    for (name, listed) in Self.table {
      for code in listed {
        let text = #"{"eventName":"\#(name)","data":{"errorCode":"\#(code)","errorMessage":"Désolé \"!\""}}"#
        let event = try OnrampEvent(reading: Array(text.utf8).span)
        #expect(event.name.rawValue == name)
        #expect(event.failure?.knownCode?.rawValue == code)
        #expect(event.failure?.knownCode?.event == event.name)
        #expect(event.failure?.message == #"Désolé "!""#)
        #expect(String(decoding: event.json.text(), as: UTF8.self) == text)
        codes.insert(code)
      }
    }
    #expect(codes == Set(OnrampErrorCode.allCases.map(\.rawValue)))
    for name in OnrampEvent.Name.allCases where !name.carriesError {
      let text = #"{"eventName":"\#(name.rawValue)"}"#
      let event = try OnrampEvent(reading: Array(text.utf8).span)
      #expect(event == OnrampEvent(name))
      #expect(String(decoding: event.json.text(), as: UTF8.self) == text)
    }
    #expect(OnrampEvent.Name.allCases.count == 11)
  }

  @Test func `both spellings of a code mean the same`() {
    #expect(OnrampErrorCode.sendFailed.meaning == OnrampErrorCode.sendFailedShort.meaning)
    #expect(OnrampErrorCode.transactionFailed.meaning == OnrampErrorCode.transactionFailedShort.meaning)
    #expect(OnrampErrorCode.addressValidationFailed.meaning == OnrampErrorCode.addressValidationFailedShort.meaning)
  }

  @Test(
    arguments: [
      // code, terminal, retry, actor, ignorable, charge
      (OnrampErrorCode.initialization, true, false, OnrampMeaning.Actor.merchant, false, "unknown"),
      (.merchantValidationTimedOut, false, true, .user, false, "notCharged"),
      (.merchantValidationFailed, false, true, .user, false, "notCharged"),
      (.applePayNotSupported, false, false, .nobody, true, "notCharged"),
      (.applePayNotSetUp, false, true, .user, false, "notCharged"),
      (.cardSoftDeclined, false, true, .user, false, "notCharged"),
      (.invalidCard, false, true, .user, false, "notCharged"),
      (.cardInsufficientBalance, false, true, .user, false, "notCharged"),
      (.cardHardDeclined, false, true, .user, false, "notCharged"),
      (.cardRiskDeclined, true, false, .nobody, false, "notCharged"),
      (.regionMismatch, true, false, .nobody, false, "notCharged"),
      (.permissionDenied, true, false, .nobody, false, "notCharged"),
      (.cardPrepaidDeclined, false, true, .user, false, "notCharged"),
      (.transactionLimit, true, true, .user, false, "notCharged"),
      (.transactionCount, true, false, .nobody, false, "notCharged"),
      (.buyFailed, true, false, .nobody, false, "notCharged"),
      (.sendFailed, true, true, .merchant, false, "willBeRefunded"),
      (.transactionFailed, true, false, .coinbase, false, "unknown"),
      (.addressValidationFailed, true, true, .user, false, "notCharged"),
    ])
  func `what a code means`(
    _ code: OnrampErrorCode, _ isTerminal: Bool, _ mayRetry: Bool, _ actor: OnrampMeaning.Actor, _ isIgnorable: Bool,
    _ charge: String
  ) {
    let meaning = code.meaning
    #expect(meaning.isTerminal == isTerminal)
    #expect(meaning.mayRetry == mayRetry)
    #expect(meaning.actor == actor)
    #expect(meaning.isIgnorableOnWeb == isIgnorable)
    #expect(meaning.charge.rawValue == charge)
  }

  @Test func `every sentence is one`() {
    let sentences =
      OnrampErrorCode.allCases.map(\.meaning.advice) + OnrampEvent.Name.allCases.map(\.advice)
      + OnrampSequence.Violation.allCases.map(\.sentence)
    for sentence in sentences {
      #expect(sentence.last == "." && sentence.filter { $0 == "." }.count == 1)
    }
  }

  @Test func `a code of tomorrow is kept, and an error needs one`() throws {
    let text = #"{"eventName":"onramp_api.load_error","data":{"errorCode":"ERROR_CODE_NEW"}}"#
    let event = try OnrampEvent(reading: Array(text.utf8).span)
    #expect(event.failure == OnrampEvent.Failure(code: "ERROR_CODE_NEW"))
    #expect(event.failure?.knownCode == nil)
    #expect(String(decoding: event.json.text(), as: UTF8.self) == text)
    #expect(OnrampEvent(.loadError) == nil)
    #expect(OnrampEvent(.cancel, OnrampEvent.Failure(code: "ERROR_CODE_INIT")) == nil)
  }

  @Test(
    arguments: [
      ("", OnrampReadingError.malformedJSON), ("[]", .malformedJSON), ("\"onramp_api.cancel\"", .malformedJSON),
      ("\"\\\"{}\\\"\"", .noEventName),
      (#"{"data":"{"}"#, .malformedJSON), (#"{"data":{}}"#, .noEventName), (#"{"data":7}"#, .noEventName),
      ("{}", .noEventName), (#"{"eventName":7}"#, .noEventName),
      (#"{"eventName":"onramp_api.cancel","eventName":"onramp_api.cancel"}"#, .malformedJSON),
      (#"{"eventName":"onramp_api.cancel",}"#, .malformedJSON), (#"{'eventName':'onramp_api.cancel'}"#, .malformedJSON),
      (#"{"eventName":"ONRAMP_API.CANCEL"}"#, .unknownEvent("ONRAMP_API.CANCEL")),
      (#"{"eventName":"onramp_api.cancel "}"#, .unknownEvent("onramp_api.cancel ")),
      (#"{"eventName":"onramp_api.new_error"}"#, .unknownError("onramp_api.new_error")),
      (#"{"eventName":"onramp_api.new","data":{"errorCode":"X"}}"#, .unknownError("onramp_api.new")),
      (#"{"eventName":"onramp_api.new","data":{"errorCode":""}}"#, .unknownEvent("onramp_api.new")),
      (#"{"eventName":"onramp_api.cancel","data":[]}"#, .wrongType),
      (#"{"eventName":"onramp_api.load_error"}"#, .noErrorCode),
      (#"{"eventName":"onramp_api.load_error","data":null}"#, .noErrorCode),
      (#"{"eventName":"onramp_api.load_error","data":{"errorCode":1}}"#, .noErrorCode),
      (#"{"eventName":"onramp_api.polling_success","data":{"errorCode":"ERROR_CODE_INIT"}}"#, .unexpectedErrorCode),
      (#"{"eventName":"onramp_api.cancel","data":{"errorCode":0}}"#, .unexpectedErrorCode),
      (#"{"eventName":"onramp_api.load_error","data":{"errorCode":"X","errorMessage":1}}"#, .wrongType),
    ])
  func `what is no event is refused`(_ text: String, _ error: OnrampReadingError) {
    #expect(throws: error) { try OnrampEvent(reading: Array(text.utf8).span) }
  }

  @Test(
    arguments: [
      #"{"data":EVENT}"#, #"{"origin":"https://pay.coinbase.com","data":STRING}"#, "STRING",
      #"{"data":{"data":EVENT}}"#,
    ])
  func `an event is read out of the message that brings it`(_ form: String) throws {
    let event = #"{"eventName":"onramp_api.load_error","data":{"errorCode":"ERROR_CODE_INIT","errorMessage":"\\é"}}"#
    let string = "\"" + event.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    let text = form.replacing("EVENT", with: event).replacing("STRING", with: string)
    let read = try OnrampEvent(reading: Array(text.utf8).span)
    #expect(read.failure == OnrampEvent.Failure(code: "ERROR_CODE_INIT", message: "\\é"))
  }

  @Test func `members that are not described are passed over`() throws {
    let text = #" {"at":1,"event\u004eame":"onramp_api.polling_success","data":{"txHash":"0x0"},"x":[null]} "#
    #expect(try OnrampEvent(reading: Array(text.utf8).span) == OnrampEvent(.pollingSuccess))
    for code in [#""""#, "null"] {
      let empty = #"{"eventName":"onramp_api.cancel","data":{"errorCode":\#(code)}}"#
      #expect(try OnrampEvent(reading: Array(empty.utf8).span) == OnrampEvent(.cancel))
    }
  }
}
