import MerchantKeys
public import PaymentToken
import Synchronization
public import TestCases

/// A contender that is an engine of this process.
///
/// With a second engine that decides batches, every test is decided twice: alone by the first and among others by the
/// second (`BatchCheck`).
public final class EngineContender: Contender {
  /// Makes an engine with the keys and roots of a setting.
  public typealias Factory = (TestSetting) -> Result<any TokenDecryptor, EngineRefusal>
  /// Makes the second engine with the keys and roots of a setting; nil if there is none for the setting.
  public typealias BatchingFactory = (TestSetting) -> (any BatchDecryptor)?

  public let name: String
  public var lastWords: [String] { [] }
  private let factory: Factory
  private let makeBatching: BatchingFactory?
  private var engine: Result<any TokenDecryptor, EngineRefusal> = .failure(EngineRefusal("no setting is loaded"))
  private var batches: BatchCheck?
  /// Its whole verdict about the test decided last; nil if it could not decide.
  private(set) var verdict: Verdict?

  /// - Parameter batching: makes the second engine; nil makes it decide nothing.
  public init(name: String, factory: @escaping Factory, batching: BatchingFactory? = nil) {
    self.name = name
    self.factory = factory
    makeBatching = batching
  }

  /// An engine made with the keys and roots of a setting.
  ///
  /// - Parameters:
  ///   - make: throws if a root violates the rules for certificates.
  ///   - batching: likewise, for the second engine.
  package convenience init(
    name: String, making make: @escaping Maker<any TokenDecryptor>, batching: Maker<any BatchDecryptor>? = nil
  ) {
    self.init(
      name: name, factory: { Self.made(for: $0, by: make) },
      batching: batching.map { batching in { try? Self.made(for: $0, by: batching).get() } })
  }

  /// Makes an engine with keys and roots.
  package typealias Maker<Engine> = (MerchantKeySet, TrustAnchors) throws(TrustAnchorError) -> Engine

  private static func made<Engine>(for setting: TestSetting, by make: Maker<Engine>) -> Result<Engine, EngineRefusal> {
    do throws(KeyError) {
      let keys = try keys(of: setting)
      let anchors = try setting.trustAnchors()
      do throws(TrustAnchorError) {
        return .success(try make(keys, anchors))
      } catch {
        return .failure(EngineRefusal("root \(error.index + 1) is no certificate that can be trusted"))
      }
    } catch {
      return .failure(EngineRefusal("\(error.file.map { "\($0): " } ?? "")\(error.code.rawValue)"))
    }
  }

  /// The keys that were loaded last: all engines of a run get the same, and checking those for RSA_v1 takes
  /// as long as deciding hundreds of tokens.
  private static let loaded = Mutex<(files: [UInt8], keys: MerchantKeySet)?>(nil)

  private static func keys(of setting: TestSetting) throws(KeyError) -> MerchantKeySet {
    // By their bytes: strings are equal, too, where only their normalization differs.
    let files = Array("\(setting.keys)".utf8)
    if let last = loaded.withLock({ $0 }), last.files == files { return last.keys }
    let keys = try setting.merchantKeySet()
    loaded.withLock { $0 = (files, keys) }
    return keys
  }

  public func begin(_ setting: TestSetting, windowSeconds: UInt32?) {
    engine = factory(setting)
    batches = makeBatching?(setting).map { BatchCheck($0) }
  }

  public func decide(_ test: TestCase) -> Decision {
    verdict = nil
    switch engine {
    case .failure(let refusal): return .error(refusal.reason)
    case .success(let engine):
      let verdict = test.input.verdict(by: engine)
      self.verdict = verdict
      let contradiction = batches?.contradiction(to: verdict, on: test.input)
      return contradiction.map { .error($0) } ?? Decision(TestVerdict(verdict))
    }
  }

  public func end() -> [String] { [] }
}

/// Why no engine could be made for a setting.
public struct EngineRefusal: Error, Hashable, Sendable {
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }
}
