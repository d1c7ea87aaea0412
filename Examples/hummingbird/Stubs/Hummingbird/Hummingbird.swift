// The declarations of Hummingbird 2.26 that the example uses, with the same signatures. They do only what is needed to
// compile the example and to call its handler without a network. Not for use elsewhere.
public import Logging
public import ServiceLifecycle

public struct Application: Service {
  private let services: [any Service]
  public init(router: Router<BasicRequestContext>, services: [any Service] = [], logger: Logger? = nil) {
    self.services = services
  }
  public func run() async throws { for service in services { try await service.run() } }
  public func runService() async throws { try await run() }
}

// MARK: Routes

public struct Parameters: Sendable {
  var values: [String: String]
  public func require(_ name: String) throws -> String {
    guard let value = values[name] else { throw HTTPError(.badRequest) }
    return value
  }
}

public protocol RequestContext: Sendable, SendableMetatype {
  var logger: Logger { get }
  var parameters: Parameters { get }
}

public struct BasicRequestContext: RequestContext {
  public let logger = Logger(label: "request")
  public let parameters: Parameters
  public init(parameters: [String: String]) { self.parameters = Parameters(values: parameters) }
}

public struct RouterPath: Sendable, ExpressibleByStringLiteral {
  public let description: String
  public init(stringLiteral value: String) { description = value }
}

public final class Router<Context: RequestContext> {
  public typealias Handler = @Sendable (Request, Context) async throws -> any ResponseGenerator
  public private(set) var routes: [String: Handler] = [:]

  public init(context: Context.Type = BasicRequestContext.self) {}

  @discardableResult
  public func post(
    _ path: RouterPath = "",
    use handler: @Sendable @escaping (Request, Context) async throws -> some ResponseGenerator
  ) -> Self {
    routes[path.description] = { try await handler($0, $1) }
    return self
  }
}

// MARK: Requests and responses

public protocol ResponseGenerator: SendableMetatype {
  func response(from request: Request, context: some RequestContext) throws -> Response
}

public protocol ResponseEncodable: Encodable, ResponseGenerator {}

extension ResponseEncodable {
  public func response(from request: Request, context: some RequestContext) throws -> Response {
    Response(status: HTTPResponse.Status(code: 200))
  }
}

public struct ByteBuffer: Sendable {
  public let readableBytesView: [UInt8]
  public init(bytes: [UInt8]) { readableBytesView = bytes }
}

public struct RequestBody: Sendable, AsyncSequence {
  public typealias Element = ByteBuffer
  let buffer: ByteBuffer

  public init(buffer: ByteBuffer) { self.buffer = buffer }

  public struct AsyncIterator: AsyncIteratorProtocol {
    var buffer: ByteBuffer?
    public mutating func next() async throws -> ByteBuffer? {
      defer { buffer = nil }
      return buffer
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(buffer: buffer) }
}

/// NIOCore's error, which Hummingbird answers with 413.
public struct NIOTooManyBytesError: Error {}

extension AsyncSequence where Element == ByteBuffer {
  public func collect(upTo maxBytes: Int) async throws -> ByteBuffer {
    var bytes: [UInt8] = []
    for try await buffer in self {
      bytes += buffer.readableBytesView
      guard bytes.count <= maxBytes else { throw NIOTooManyBytesError() }
    }
    return ByteBuffer(bytes: bytes)
  }
}

public struct Request: Sendable {
  public var body: RequestBody
  public init(body: RequestBody) { self.body = body }
}

public struct Response: Sendable {
  public var status: HTTPResponse.Status
}

public enum HTTPResponse {
  public struct Status: Sendable, Equatable {
    public let code: Int
    public init(code: Int, reasonPhrase: String = "") { self.code = code }
    public static var badRequest: Status { Status(code: 400) }
    public static var notFound: Status { Status(code: 404) }
  }
}

public struct HTTPFields: Sendable {
  public enum Name: Sendable { case retryAfter }
  private var fields: [Name: String] = [:]
  public init() {}
  public subscript(name: Name) -> String? {
    get { fields[name] }
    set { fields[name] = newValue }
  }
}

public struct HTTPError: Error {
  public var status: HTTPResponse.Status
  public var headers: HTTPFields
  public var body: String?
  public init(_ status: HTTPResponse.Status) { self.init(status, headers: HTTPFields()) }
  public init(_ status: HTTPResponse.Status, headers: HTTPFields, message: String? = nil) {
    (self.status, self.headers, self.body) = (status, headers, message)
  }
}
