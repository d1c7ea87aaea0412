import Corpus
import MerchantKeys
import Minting
import NamedCases
import PaymentToken
import ReferenceDecryption
import TestCases

/// Changes a set of test keys, for example its RSA operation, before an engine uses it.
package typealias KeyPreparation = (MerchantKeySet) -> Void

/// Engines with the keys and roots of a setting, or with replacements for them.
final class HistoryEngines<Engine> {
  private let make: EngineContender.Maker<Engine>
  private let preparing: KeyPreparation?
  private var setting: TestSetting?
  /// The engines of the present setting, by place. The places here have the default mode and buffers.
  private var engines: [HistoryPlace: Engine] = [:]
  private lazy var corpus = try? VectorGenerator.minter()
  private lazy var foreign = try? VectorGenerator.minter(seed: VectorGenerator.seed + 1)

  init(preparing: KeyPreparation?, _ make: @escaping EngineContender.Maker<Engine>) {
    self.preparing = preparing
    self.make = make
  }

  func begin(_ setting: TestSetting) {
    guard self.setting != setting else { return }
    self.setting = setting
    engines = [:]
  }

  /// The engine of a place; nil if there is none, such as for a root that no engine accepts.
  ///
  /// - Parameter replacing: makes an engine that shares the caches of another.
  func engine(_ place: HistoryPlace, replacing: (Engine, MerchantKeySet) -> Engine = { engine, _ in engine }) -> Engine?
  {
    var name = HistoryPlace()
    (name.keys, name.roots, name.engine) = (place.keys, place.roots, place.engine)
    if let engine = engines[name] { return engine }
    guard let keys = keys(place.keys) else { return nil }
    var made: Engine?
    if place.engine == .replacing {
      var origin = HistoryPlace()
      origin.roots = place.roots
      made = engine(origin, replacing: replacing).map { replacing($0, keys) }
    } else {
      made = anchors(place.roots).flatMap { try? make(keys, $0) }
    }
    engines[name] = made
    return made
  }

  private func anchors(_ roots: HistoryRoots) -> TrustAnchors? {
    switch roots {
    case .own: try? setting?.trustAnchors()
    case .corpus: corpus?.anchors
    case .foreign: foreign?.anchors
    }
  }

  func keys(_ choice: HistoryKeys) -> MerchantKeySet? {
    guard let own = setting?.keys else { return nil }
    let keys: [TestKey] =
      switch choice {
      case .own: own
      case .reversed: own.reversed()
      case .renamed: own.ofMerchants.map(\.renamed)
      case .foreign: foreign.map { TestKey.all(of: $0, .ecV1) } ?? []
      case .external: own.ofMerchants.prefix(1).map(\.madeExternal) + own.ofMerchants.dropFirst()
      }
    guard let set = try? TestSetting(keys: keys, rootsPem: [], hasTestKeys: true).merchantKeySet() else { return nil }
    preparing?(set)
    return set
  }
}

extension [TestKey] {
  /// The keys with a merchant ID, which are those of EC_v1; all keys if none has one.
  fileprivate var ofMerchants: [TestKey] { contains { $0.merchantId != nil } ? filter { $0.merchantId != nil } : self }
}

extension TestKey {
  /// The same key with another merchant ID. An external key becomes one in memory.
  fileprivate var renamed: TestKey {
    TestKey(privateKeyPem: privateKeyPem, certificatePem: nil, merchantId: "merchant.test.assay.renamed")
  }

  /// The same key as an external key, if it has the certificate that an external key needs.
  fileprivate var madeExternal: TestKey { certificatePem == nil ? self : held(by: .external) }
}

/// Decides each request alone by the reference engine. The engine reuses only results of signature checks, keyed by
/// every byte that they depend on.
final class HistoryArbiter {
  private let engines: HistoryEngines<any TokenDecryptor>
  private var verdicts: [Question: Verdict] = [:]
  private static let limit = 8_192

  private struct Question: Hashable {
    let input: TestInput
    let keys: HistoryKeys
    let roots: HistoryRoots
  }

  init(preparing: KeyPreparation?) {
    let cache = ResultCache()
    engines = HistoryEngines(preparing: preparing) { (keys, anchors) throws(EngineError) in
      try ReferenceDecryptor(keys: keys, anchors: anchors, reusing: cache.check)
    }
  }

  func begin(_ setting: TestSetting) {
    engines.begin(setting)
    verdicts.removeAll(keepingCapacity: true)
  }

  /// The verdict on a request alone; nil if no engine can be made with these keys and roots.
  func verdict(on input: TestInput, _ keys: HistoryKeys = .own, _ roots: HistoryRoots = .own) -> Verdict? {
    let question = Question(input: input, keys: keys, roots: roots)
    if let verdict = verdicts[question] { return verdict }
    var place = HistoryPlace()
    (place.keys, place.roots) = (keys, roots)
    guard let engine = engines.engine(place) else { return nil }
    let verdict = input.verdict(by: engine)
    if verdicts.count >= Self.limit { verdicts.removeAll(keepingCapacity: true) }
    verdicts[question] = verdict
    return verdict
  }
}
