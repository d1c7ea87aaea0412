import Corpus
import MerchantKeys
public import PaymentToken

/// An engine among the contenders.
public final class EngineContender: Contender {
  /// Makes an engine with keys and roots; the text says why there is none.
  public typealias Factory = (TrialSetting) -> Result<any TokenDecryptor, EngineRefusal>

  public let name: String
  public var lastWords: [String] { [] }
  private let factory: Factory
  private var engine: Result<any TokenDecryptor, EngineRefusal> = .failure(EngineRefusal("there is no setting yet"))
  private var window: UInt32?

  public init(name: String, factory: @escaping Factory) {
    self.name = name
    self.factory = factory
  }

  /// An engine made with the keys and roots of a setting.
  ///
  /// - Parameter make: throws where a root breaks the rules for certificates.
  package convenience init(
    name: String,
    making make: @escaping (MerchantKeySet, TrustAnchors) throws(TrustAnchorError) -> any TokenDecryptor
  ) {
    self.init(name: name) { setting in
      do throws(KeyError) {
        let keys = try setting.keys.merchantKeySet()
        let anchors = try TrustAnchors.load(rootsPem: setting.rootsPem)
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

  public func begin(_ setting: TrialSetting) {
    engine = factory(setting)
    window = setting.windowSeconds
  }

  public func decide(_ trial: Trial) -> Decision {
    switch engine {
    case .failure(let refusal): return .error(refusal.reason)
    case .success(let engine):
      if trial.policy.replay, window == nil { return .error("replay needs a window") }
      guard let policy = trial.policy.verificationPolicy(window: window, tokens: trial.prelude.count + 1) else {
        return .unsupported
      }
      for token in trial.prelude { _ = Self.decide(token, trial, engine, policy) }
      return Self.decide(trial.token, trial, engine, policy)
    }
  }

  public func end() -> [String] { [] }

  private static func decide(
    _ token: [UInt8], _ trial: Trial, _ engine: any TokenDecryptor, _ policy: VerificationPolicy
  ) -> Decision {
    do throws(TokenFault) {
      guard trial.policy.unsigned else {
        return .accepted(plaintext: try engine.decrypt(token.span, at: trial.at, under: policy).plaintext)
      }
      switch try engine.decryptUnsigned(token.span, at: trial.at, under: policy) {
      case .signed(let token): return .accepted(plaintext: token.plaintext)
      case .unsigned(let token): return .accepted(plaintext: token.plaintext)
      }
    } catch {
      return .rejected(code: error.code.rawValue, stage: error.stage.rawValue, member: error.member?.path)
    }
  }
}

/// Why there is no engine for a setting.
public struct EngineRefusal: Error, Hashable, Sendable {
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }
}
