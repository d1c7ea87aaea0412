// The declarations of swift-service-lifecycle 2 that the example uses, with the same signatures.

public protocol Service: Sendable {
  func run() async throws
}

/// Returns at once here: a test runs a service from its start to its end.
public func gracefulShutdown() async throws {}
