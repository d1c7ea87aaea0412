import StrictJSON

/// Why text is no event.
public enum OnrampReadingError: Error, Hashable, Sendable {
  /// No object in strict JSON, or one with a name twice.
  case malformedJSON
  /// `eventName` is absent or no string.
  case noEventName
  /// `eventName` is none of the described; the name.
  case unknownEvent(String)
  /// An error event without the string `data.errorCode`.
  case noErrorCode
  /// `data` is no object, or `data.errorMessage` no string.
  case wrongType
  /// A log without a single event.
  case noEvents

  /// What is wrong, a few words.
  public var reason: String {
    switch self {
    case .malformedJSON: "it is not one JSON object, or has a name twice"
    case .noEventName: "it has no eventName"
    case .unknownEvent: "its eventName is not one of those described"
    case .noErrorCode: "it is an error event without data.errorCode"
    case .wrongType: "its data or data.errorMessage is of the wrong type"
    case .noEvents: "it holds no event"
    }
  }
}

extension OnrampEvent {
  /// Reads one event as the page posts it, or as what shows the page hands it on: the event in `data` of a message, as an
  /// object or as a string of JSON, or a string of JSON by itself. Members that are not described are passed over: pages
  /// add to them.
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
    let tree = try Self.unwrapped(tree)
    guard case .object = tree else { throw .malformedJSON }
    guard case .string(let text) = tree["eventName"] else { throw .noEventName }
    guard let name = Name(exactly: text) else { throw .unknownEvent(text) }
    let data = tree["data"]
    switch data {
    case nil, .null, .object: break
    default: throw .wrongType
    }
    self.name = name
    guard name.carriesError else {
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
  /// Whether there is an event, described or not, to be read.
  static func isEvent(_ tree: JSON) -> Bool { (try? unwrapped(tree))?["eventName"] != nil }

  /// How often an event may be wrapped: a string of a message with a string in it.
  private static let mostWrappings = 3

  private static func unwrapped(_ tree: JSON) throws(OnrampReadingError) -> JSON {
    var tree = tree
    for _ in 0..<mostWrappings {
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
