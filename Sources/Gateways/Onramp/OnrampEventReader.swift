import StrictJSON

/// Why a text is not an event.
@nonexhaustive
public enum OnrampReadingError: Error, Hashable, Sendable {
  /// Not an object in strict JSON, or a repeated name.
  case malformedJSON
  /// `eventName` is absent or not a string.
  case noEventName
  /// `eventName` is not one of those described. The value is that name.
  case unknownEvent(String)
  /// `eventName` is not one of those described, and ends in `_error` or has a code. The value is that name.
  case unknownError(String)
  /// An error event without the string `data.errorCode`.
  case noErrorCode
  /// Another event with a code in `data.errorCode`.
  case unexpectedErrorCode
  /// `data` is not an object, or `data.errorMessage` not a string.
  case wrongType
  /// A log without a single event.
  case noEvents

  /// What is wrong, a few words.
  public var reason: String {
    switch self {
    case .malformedJSON: "it is not one JSON object, or has a name twice"
    case .noEventName: "it has no eventName"
    case .unknownEvent: "its eventName is not one of those described"
    case .unknownError: "it is an error, and its eventName is not one of those described"
    case .noErrorCode: "it is an error event without data.errorCode"
    case .unexpectedErrorCode: "it is no error event, but has a data.errorCode"
    case .wrongType: "its data or data.errorMessage is of the wrong type"
    case .noEvents: "it holds no event"
    }
  }
}

extension OnrampEvent {
  /// Reads one event as the page posts it or as its host forwards it: in `data` of a message, as an object or a string
  /// of JSON, or as a string of JSON by itself. Undescribed members are ignored, since pages may add some.
  public init(reading text: Span<UInt8>) throws(OnrampReadingError) {
    let tree: JSON
    do {
      tree = try JSON(reading: text)
    } catch {
      throw .malformedJSON
    }
    try self.init(tree)
  }

  init(_ tree: JSON) throws(OnrampReadingError) {
    let tree = try Self.extracted(tree)
    guard case .object = tree else { throw .malformedJSON }
    guard case .string(let text) = tree["eventName"] else { throw .noEventName }
    let data = tree["data"]
    let hasCode =
      switch data?["errorCode"] {
      case nil, .null, .string(""): false
      default: true
      }
    guard let name = Name(exactly: text) else {
      throw hasCode || text.utf8.suffix(6).elementsEqual("_error".utf8) ? .unknownError(text) : .unknownEvent(text)
    }
    switch data {
    case nil, .null, .object: break
    default: throw .wrongType
    }
    self.name = name
    guard name.carriesError else {
      guard !hasCode else { throw .unexpectedErrorCode }
      failure = nil
      return
    }
    guard case .string(let code) = data?["errorCode"] else { throw .noErrorCode }
    switch data?["errorMessage"] {
    case nil, .null: failure = Failure(code: code)
    case .string(let message): failure = Failure(code: code, message: message)
    default: throw .wrongType
    }
  }

  /// Whether it contains an event, described or not.
  static func isEvent(_ tree: JSON) -> Bool { (try? extracted(tree))?["eventName"] != nil }

  /// The maximum nesting: a JSON string that contains a message whose `data` is a JSON string.
  private static let maximumNesting = 3

  private static func extracted(_ tree: JSON) throws(OnrampReadingError) -> JSON {
    var tree = tree
    for _ in 0..<maximumNesting {
      switch tree {
      case .string(let text):
        guard let inner = try? JSON(reading: Array(text.utf8).span) else { throw .malformedJSON }
        tree = inner
      case .object where tree["eventName"] == nil:
        switch tree["data"] {
        case .string(let text): tree = .string(text)
        case .object(let members): tree = .object(members)
        default: return tree
        }
      default: return tree
      }
    }
    return tree
  }
}
