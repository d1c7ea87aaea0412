// The declarations of Vapor 4.122 that the example uses, with the same signatures. They do only what is needed to
// compile the example and to call its handler without a network. Not for use elsewhere.
@_exported import Foundation
@_exported import Logging
import Synchronization

public final class Application: Sendable {
  private let registered = Mutex<[Route]>([])

  public static func make(_ environment: Environment = .development) async throws -> Application { Application() }
  public let logger = Logger(label: "app")
  public var running: Running? { nil }
  public struct Running { public func stop() {} }
  public func execute() async throws {}
  public func asyncShutdown() async throws {}
}

extension Application: RoutesBuilder {
  public func add(_ route: Route) { registered.withLock { $0.append(route) } }
  public var routes: [Route] { registered.withLock { $0 } }
}

public struct Environment: Sendable {
  public static var development: Environment { Environment() }
  public static func detect(arguments: [String] = ProcessInfo.processInfo.arguments) throws -> Environment {
    Environment()
  }
  public static func get(_ key: String) -> String? { ProcessInfo.processInfo.environment[key] }
}

extension LoggingSystem {
  public static func bootstrap(from environment: inout Environment) throws {}
}

// MARK: Routes

public enum HTTPMethod: Sendable { case GET, POST }

public enum PathComponent: Sendable, ExpressibleByStringLiteral, Equatable {
  case constant(String)
  case parameter(String)
  public init(stringLiteral value: String) {
    self = value.hasPrefix(":") ? .parameter(String(value.dropFirst())) : .constant(value)
  }
}

public struct ByteCount: Equatable, Sendable {
  public let value: Int
  public init(value: Int) { self.value = value }
}

public enum HTTPBodyStreamStrategy: Sendable {
  public static var collect: HTTPBodyStreamStrategy { .collect(maxSize: nil) }
  case stream
  case collect(maxSize: ByteCount?)
}

public final class Route: Sendable {
  public let method: HTTPMethod
  public let path: [PathComponent]
  public let body: HTTPBodyStreamStrategy
  public let respond: @Sendable (Request) async throws -> any AsyncResponseEncodable

  init(
    _ method: HTTPMethod, _ path: [PathComponent], _ body: HTTPBodyStreamStrategy,
    _ respond: @escaping @Sendable (Request) async throws -> any AsyncResponseEncodable
  ) {
    (self.method, self.path, self.body, self.respond) = (method, path, body, respond)
  }
}

public protocol RoutesBuilder {
  func add(_ route: Route)
}

extension RoutesBuilder {
  @discardableResult
  public func on<Response: AsyncResponseEncodable>(
    _ method: HTTPMethod, _ path: PathComponent..., body: HTTPBodyStreamStrategy = .collect,
    use closure: @Sendable @escaping (Request) async throws -> Response
  ) -> Route {
    let route = Route(method, path, body) { try await closure($0) }
    add(route)
    return route
  }

  public func register(collection: any RouteCollection) throws { try collection.boot(routes: self) }
}

public protocol RouteCollection {
  func boot(routes: any RoutesBuilder) throws
}

// MARK: Requests and responses

public struct ByteBuffer: Sendable {
  public let readableBytesView: [UInt8]
  public init(bytes: [UInt8]) { readableBytesView = bytes }
}

public struct Parameters: Sendable {
  var values: [String: String]
  public func get(_ name: String) -> String? { values[name] }
}

public final class Request: Sendable {
  public struct Body: Sendable {
    public let data: ByteBuffer?
  }

  public let parameters: Parameters
  public let body: Body
  public let logger = Logger(label: "request")

  public init(parameters: [String: String], collectedBody: ByteBuffer?) {
    self.parameters = Parameters(values: parameters)
    body = Body(data: collectedBody)
  }
}

public final class Response: Sendable {}

public protocol AsyncResponseEncodable: SendableMetatype {
  func encodeResponse(for request: Request) async throws -> Response
}

public protocol Content: Codable, AsyncResponseEncodable, Sendable {}

extension Content {
  public func encodeResponse(for request: Request) async throws -> Response { Response() }
}

public struct HTTPHeaders: Sendable {
  private var fields: [(String, String)]
  public init(_ headers: [(String, String)] = []) { fields = headers }
  public mutating func add(name: String, value: String) { fields.append((name, value)) }
  public subscript(name: String) -> [String] { fields.filter { $0.0 == name }.map(\.1) }
}

public struct HTTPResponseStatus: Sendable, Equatable {
  public let code: UInt
  public init(statusCode: Int, reasonPhrase: String = "") { code = UInt(statusCode) }
  public static var badRequest: HTTPResponseStatus { HTTPResponseStatus(statusCode: 400) }
  public static var notFound: HTTPResponseStatus { HTTPResponseStatus(statusCode: 404) }
}

public struct Abort: Error {
  public var status: HTTPResponseStatus
  public var headers: HTTPHeaders
  public var reason: String
  public init(_ status: HTTPResponseStatus, headers: HTTPHeaders = HTTPHeaders(), reason: String? = nil) {
    (self.status, self.headers, self.reason) = (status, headers, reason ?? "")
  }
}
