import MerchantKeys
public import PaymentToken
public import TestCases

/// A contender that is an engine of this process.
///
/// With a `HistoryCheck`, every test is decided again in histories.
public final class EngineContender: Contender {
  /// Makes an engine with the keys and roots of a setting.
  public typealias Factory = (TestSetting) -> Result<any TokenDecryptor, EngineRefusal>
  /// The valid tokens that a test derives from.
  public typealias Origins = (TestCase) -> [TestInput]

  public let name: String
  private let factory: Factory
  private let origins: Origins
  private var engine: Result<any TokenDecryptor, EngineRefusal> = .failure(EngineRefusal("no setting is loaded"))
  /// Nil if tests are decided alone only.
  public private(set) var histories: HistoryCheck?
  /// Its whole verdict about the test decided last; nil if it could not decide.
  private(set) var verdict: Verdict?
  /// That verdict as the expected one of other contenders; nil if it decided otherwise in a history.
  private(set) var expectation: TestVerdict?

  /// - Parameter histories: decides every test again in histories; nil to decide each alone.
  public init(
    name: String, factory: @escaping Factory, histories: HistoryCheck? = nil, origins: @escaping Origins = { _ in [] }
  ) {
    self.name = name
    self.factory = factory
    self.histories = histories
    self.origins = origins
  }

  /// Makes an engine with keys and roots.
  package typealias Maker<Engine> = (MerchantKeySet, TrustAnchors) throws(EngineError) -> Engine

  /// An engine made with the keys and roots of a setting.
  ///
  /// - Parameter make: throws if a root violates the rules for certificates.
  package static func made(
    for setting: TestSetting, by make: Maker<any TokenDecryptor>
  ) -> Result<any TokenDecryptor, EngineRefusal> {
    do throws(KeyError) {
      let keys = try setting.merchantKeySet()
      let anchors = try setting.trustAnchors()
      do throws(EngineError) {
        return .success(try make(keys, anchors))
      } catch {
        return .failure(EngineRefusal(error.reason))
      }
    } catch {
      return .failure(EngineRefusal("\(error.file.map { "\($0): " } ?? "")\(error.code.rawValue)"))
    }
  }

  public func begin(_ setting: TestSetting, windowSeconds: UInt32?) {
    engine = factory(setting)
    histories?.begin(setting)
  }

  public func decide(_ test: TestCase) -> Decision {
    (verdict, expectation) = (nil, nil)
    switch engine {
    case .failure(let refusal): return .error(refusal.reason)
    case .success(let engine):
      let verdict = test.input.verdict(by: engine)
      self.verdict = verdict
      if let contradiction = histories?.contradiction(to: verdict, on: test.input, origins: origins(test)) {
        return .error(contradiction.text)
      }
      let expectation = TestVerdict(verdict)
      self.expectation = expectation
      return Decision(expectation)
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
