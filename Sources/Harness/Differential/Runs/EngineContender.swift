import MerchantKeys
public import PaymentToken
public import TestCases

/// A contender that is an engine of this process.
///
/// An engine that decides batches decides every test twice, alone and among others (`BatchCheck`).
public final class EngineContender: Contender {
  /// Makes an engine with the keys and roots of a setting.
  public typealias Factory = (TestSetting) -> Result<any TokenDecryptor, EngineRefusal>

  public let name: String
  public var lastWords: [String] { [] }
  private let factory: Factory
  private var engine: Result<any TokenDecryptor, EngineRefusal> = .failure(EngineRefusal("no setting is loaded"))
  private var batches: BatchCheck?

  public init(name: String, factory: @escaping Factory) {
    self.name = name
    self.factory = factory
  }

  /// An engine made with the keys and roots of a setting.
  ///
  /// - Parameter make: throws if a root violates the rules for certificates.
  package convenience init(
    name: String,
    making make: @escaping (MerchantKeySet, TrustAnchors) throws(TrustAnchorError) -> any TokenDecryptor
  ) {
    self.init(name: name) { setting in
      do throws(KeyError) {
        let keys = try setting.merchantKeySet()
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
  }

  public func begin(_ setting: TestSetting, windowSeconds: UInt32?) {
    engine = factory(setting)
    batches = nil
    if case .success(let engine as any BatchDecryptor) = engine { batches = BatchCheck(engine) }
  }

  public func decide(_ test: TestCase) -> Decision {
    switch engine {
    case .failure(let refusal): return .error(refusal.reason)
    case .success(let engine):
      let verdict = test.input.verdict(by: engine)
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
