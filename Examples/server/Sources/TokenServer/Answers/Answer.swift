/// The answer to a client.
struct Answer: Sendable {
  let status: Status
  let body: AnswerBody
  var type = "application/json"
  /// The code of a refusal or a problem, for the access log; nil in other answers.
  private(set) var code: String?
  /// The methods that the path allows; for status 405.
  var allow: String?
  /// The authentication scheme that callers must use; for status 401.
  var challenge: String?

  /// The statuses in use (RFC 9110 section 15).
  enum Status: UInt32, Sendable, CaseIterable {
    case ok = 200
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case contentTooLarge = 413
    case unsupportedMediaType = 415
    case unprocessableContent = 422
    case notImplemented = 501
    case serviceUnavailable = 503
    case gatewayTimeout = 504
  }

  init(_ status: Status, _ body: AnswerBody, code: String? = nil) {
    self.status = status
    self.body = body
    self.code = code
  }

  /// An answer with a text that is no secret.
  init(_ status: Status, text: String, type: String) {
    var writer = AnswerWriter(capacity: text.utf8.count)
    writer.write(text)
    self.init(status, writer.body())
    self.type = type
  }

  /// An answer that decides nothing about a token: a code for programs, and a sentence for people.
  init(_ status: Status, problem code: StaticString, _ message: StaticString) {
    var writer = AnswerWriter(capacity: 256)
    writer.write("{\"schema\":\"assay.server/1\",\"error\":{\"code\":\"")
    writer.write(code)
    writer.write("\",\"message\":\"")
    writer.write(message)
    writer.write("\"}}\n")
    self.init(status, writer.body(), code: String(describing: code))
  }
}
