// The declarations of swift-service-lifecycle 2 that the examples use, with the same signatures.
public import Logging

public protocol Service: Sendable {
  func run() async throws
}

/// Services are asked to stop when `end` returns; at once if a test does not set it.
public enum TestLifetime {
  @TaskLocal public static var end: (@Sendable () async -> Void)?
}

public func gracefulShutdown() async throws { await TestLifetime.end?() }

public func withTaskCancellationOrGracefulShutdownHandler<T>(
  operation: () async throws -> T, onCancelOrGracefulShutdown handler: @Sendable @escaping () -> Void
) async rethrows -> T { try await operation() }

public struct ServiceGroupConfiguration: Sendable {
  public struct ServiceConfiguration: Sendable {
    public struct TerminationBehavior: Sendable {
      public static let gracefullyShutdownGroup = Self()
    }

    let service: any Service
    public init(service: any Service, successTerminationBehavior: TerminationBehavior) { self.service = service }
    public init(service: any Service) { self.service = service }
  }

  let services: [ServiceConfiguration]
  public init(services: [ServiceConfiguration], logger: Logger) { self.services = services }
}

/// This group runs the services one after the other, in the order in which they stop.
public actor ServiceGroup: Service {
  private let services: [any Service]
  public init(configuration: ServiceGroupConfiguration) { services = configuration.services.map(\.service).reversed() }
  public func run() async throws { for service in services { try await service.run() } }
}
