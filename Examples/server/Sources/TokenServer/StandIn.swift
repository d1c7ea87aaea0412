import FastDecryption
import Foundation
import PaymentToken
import Synchronization

public final class DecryptionPool: @unchecked Sendable {
  public struct Configuration: Sendable {
    public var workers = 1
    public var cpus: [Int] = []
    public var queueCapacity = 1_024
    public init() {}
  }
  public enum Refusal: Error, Hashable, Sendable { case token(TokenFault), overloaded, cancelled, deadlineExceeded, shutDown }
  struct Job {
    let id: Int
    let request: [UInt8]
    let now: UnixTime
    let policy: VerificationPolicy
    let deadline: ContinuousClock.Instant?
    let opened: @Sendable (borrowing OpenedToken) throws(TokenFault) -> Void
    let refused: @Sendable (Refusal) -> Void
    let engine: FastDecryptor
  }
  let condition = NSCondition()
  var jobs: [Job] = []
  var over = false
  var live = 0
  var next = 0
  var current: FastDecryptor
  var counts = PoolMetrics()
  let configuration: Configuration

  public init(_ engine: FastDecryptor, _ configuration: Configuration = Configuration()) throws {
    current = engine
    self.configuration = configuration
    live = configuration.workers
    for _ in 0..<configuration.workers { Thread.detachNewThread { self.work() } }
  }
  func work() {
    var workspace = Workspace()!
    while true {
      condition.lock()
      while jobs.isEmpty && !over { condition.wait() }
      if jobs.isEmpty { live -= 1; condition.broadcast(); condition.unlock(); return }
      let job = jobs.removeFirst()
      counts.inFlight += 1
      condition.unlock()
      var refusal: Refusal?
      if let deadline = job.deadline, deadline < .now { refusal = .deadlineExceeded } else {
        do throws(TokenFault) {
          try job.engine.decrypt(job.request.span, at: job.now, under: job.policy, in: &workspace) { (token) throws(TokenFault) in
            try job.opened(token)
          }
        } catch { refusal = .token(error) }
      }
      condition.lock()
      counts.inFlight -= 1
      switch refusal {
      case nil: counts.accepted += 1
      case .token(let fault): counts.refusedByCode[fault.code, default: 0] += 1
      default: counts.expired += 1
      }
      condition.unlock()
      if let refusal { job.refused(refusal) }
    }
  }
  @discardableResult
  public func submit(_ request: [UInt8], at now: UnixTime, under policy: VerificationPolicy, deadline: ContinuousClock.Instant? = nil,
    opened: @escaping @Sendable (borrowing OpenedToken) throws(TokenFault) -> Void,
    refused: @escaping @Sendable (Refusal) -> Void) throws(Refusal) -> Submission {
    condition.lock(); defer { condition.unlock() }
    if over { counts.refusedAtShutDown += 1; throw .shutDown }
    if jobs.count >= configuration.queueCapacity { counts.overloaded += 1; throw .overloaded }
    next += 1
    counts.submitted += 1
    jobs.append(Job(id: next, request: request, now: now, policy: policy, deadline: deadline, opened: opened, refused: refused, engine: current))
    condition.signal()
    let id = next
    return Submission { [self] in
      condition.lock()
      let index = jobs.firstIndex { $0.id == id }
      let job = index.map { jobs.remove(at: $0) }
      if job != nil { counts.cancelled += 1 }
      condition.unlock()
      job?.refused(.cancelled)
    }
  }
  public var engine: FastDecryptor { condition.lock(); defer { condition.unlock() }; return current }
  public func replace(by engine: FastDecryptor) { condition.lock(); current = engine; condition.unlock() }
  public var metrics: PoolMetrics { condition.lock(); defer { condition.unlock() }; var m = counts; m.queueDepth = jobs.count; return m }
  public func shutDown() async { await withCheckedContinuation { c in Thread.detachNewThread { self.end(); c.resume() } } }
  func end() { condition.lock(); over = true; condition.broadcast(); while live > 0 { condition.wait() }; condition.unlock() }
}
public final class Submission: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  public func cancel() { body() }
}
public struct LatencyHistogram: Sendable { public var upperBounds: [UInt64] = [1000, 1000000]; public var counts: [UInt64] = [0, 0, 0]; public var sum: UInt64 = 0 }
public struct PoolMetrics: Sendable {
  public var queueDepth = 0, queueOctets = 0, sideLaneDepth = 0, inFlight = 0
  public var submitted: UInt64 = 0, accepted: UInt64 = 0
  public var refusedByCode: [TokenFault.Code: UInt64] = [:]
  public var overloaded: UInt64 = 0, cancelled: UInt64 = 0, expired: UInt64 = 0, refusedAtShutDown: UInt64 = 0, lentCallers: UInt64 = 0, cold: UInt64 = 0
  public var batches: [UInt64] = []
  public var latency = LatencyHistogram()
  public var busyNanoseconds: UInt64 = 0
}
