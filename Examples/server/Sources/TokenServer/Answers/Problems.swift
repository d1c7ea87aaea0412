/// The answers that are not about a token.
extension Answer {
  static var notFound: Answer {
    Answer(
      .notFound, problem: "notFound",
      "There is nothing here: /decrypt, /decrypt/GATEWAY, /request/GATEWAY, /metrics, /ready, /live.")
  }

  static var unknownGateway: Answer {
    Answer(.notFound, problem: "unknownGateway", "No gateway has this name.")
  }

  static func methodNotAllowed(_ allowed: String) -> Answer {
    var answer = Answer(.methodNotAllowed, problem: "methodNotAllowed", "The path does not know this method.")
    answer.allow = allowed
    return answer
  }

  static var tooLarge: Answer {
    Answer(.contentTooLarge, problem: "tooLarge", "The body, or this line of it, is larger than --max-body allows.")
  }

  static var malformedHead: Answer {
    Answer(
      .badRequest, problem: "malformedHead", "The request line or a field of the head is malformed, or is there twice.")
  }

  static var ambiguousLength: Answer {
    Answer(.badRequest, problem: "ambiguousLength", "The request says its length twice.")
  }

  static var unknownTransferCoding: Answer {
    Answer(.notImplemented, problem: "unknownTransferCoding", "The only transfer coding known is chunked.")
  }

  static var unknownContentCoding: Answer {
    Answer(.unsupportedMediaType, problem: "unknownContentCoding", "Bodies are taken as they are, not compressed.")
  }

  static var browser: Answer {
    Answer(.forbidden, problem: "browser", "No web page has business here: the request has an Origin.")
  }

  /// The answer does not say what is wrong with the bearer token.
  static var unknownCaller: Answer {
    var answer = Answer(.unauthorized, problem: "unknownCaller", "The request shows no bearer token that is known.")
    answer.challenge = "Bearer"
    return answer
  }

  static var clientNotAllowed: Answer {
    Answer(.forbidden, problem: "clientNotAllowed", "The client's certificate has no name that is allowed.")
  }

  static var clientUnknown: Answer {
    Answer(.forbidden, problem: "clientNotAllowed", "No authority of clients vouches for the client's certificate.")
  }

  static var clientExpired: Answer {
    Answer(.forbidden, problem: "clientNotAllowed", "The client's certificate, or one above it, has expired.")
  }

  /// The queue is full: nothing is decided, and the same request may be sent again.
  static var overloaded: Answer {
    Answer(.serviceUnavailable, problem: "overloaded", "More requests wait than the queue holds: try again.")
  }

  /// No line is opened, and the same request may be sent again.
  static var tooManyInLines: Answer {
    Answer(
      .serviceUnavailable, problem: "overloaded", "As many requests in lines as there may be are under way: try again.")
  }

  /// This line and the following ones are not decided, and may be sent in another request.
  static var tooManyLines: Answer {
    Answer(
      .contentTooLarge, problem: "tooManyLines",
      "A request has no more lines: send this one and those behind it in another.")
  }

  /// Nothing is decided, and the same request may be sent again.
  static var deadlineExceeded: Answer {
    Answer(.gatewayTimeout, problem: "deadlineExceeded", "The request waited too long: try again.")
  }

  /// Nothing is decided, and the same request may be sent to another server.
  static var shutDown: Answer {
    Answer(.serviceUnavailable, problem: "shutDown", "The server is going down: try another one.")
  }

  static var ready: Answer { Answer(.ok, text: "ready\n", type: "text/plain") }
  static var notReady: Answer { Answer(.serviceUnavailable, text: "stopping\n", type: "text/plain") }
  /// The code says why there is no connection.
  static func storeNotReady(_ code: String) -> Answer {
    Answer(.serviceUnavailable, text: "replay store: \(code)\n", type: "text/plain")
  }
  static var alive: Answer { Answer(.ok, text: "alive\n", type: "text/plain") }
}
