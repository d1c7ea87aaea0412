// The declarations of swift-metrics 2.10 that the examples use, with the same signatures.

public protocol CounterHandler: AnyObject, Sendable { func increment(by: Int64) }
public protocol FloatingPointCounterHandler: AnyObject, Sendable { func increment(by: Double) }
public protocol RecorderHandler: AnyObject, Sendable { func record(_ value: Int64) }

public protocol MetricsFactory: Sendable {
  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler
  func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler
}

public enum MetricsSystem {
  /// This factory drops everything.
  public static var factory: any MetricsFactory { NOOPMetricsHandler.instance }
}

public final class NOOPMetricsHandler: MetricsFactory, CounterHandler, FloatingPointCounterHandler, RecorderHandler {
  public static let instance = NOOPMetricsHandler()
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { self }
  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler { self }
  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    self
  }
  public func increment(by: Int64) {}
  public func increment(by: Double) {}
  public func record(_ value: Int64) {}
}

public final class Counter: Sendable {
  private let handler: any CounterHandler
  public init(label: String, dimensions: [(String, String)] = [], factory: any MetricsFactory) {
    handler = factory.makeCounter(label: label, dimensions: dimensions)
  }
  public func increment(by amount: some BinaryInteger) { handler.increment(by: Int64(amount)) }
}

public final class FloatingPointCounter: Sendable {
  private let handler: any FloatingPointCounterHandler
  public init(label: String, dimensions: [(String, String)] = [], factory: any MetricsFactory) {
    handler = factory.makeFloatingPointCounter(label: label, dimensions: dimensions)
  }
  public func increment(by amount: some BinaryFloatingPoint) { handler.increment(by: Double(amount)) }
}

public final class Gauge: Sendable {
  private let handler: any RecorderHandler
  public init(label: String, dimensions: [(String, String)] = [], factory: any MetricsFactory) {
    handler = factory.makeRecorder(label: label, dimensions: dimensions, aggregate: false)
  }
  public func record(_ value: some BinaryInteger) { handler.record(Int64(value)) }
}
