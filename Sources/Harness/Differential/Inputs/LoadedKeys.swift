import MerchantKeys
import Synchronization
import TestCases

/// The merchants' keys that were loaded last: all engines get the same, and checking those for RSA_v1 takes as long as
/// deciding hundreds of tokens.
enum LoadedKeys {
  private static let sets = Mutex<[[UInt8]: MerchantKeySet]>([:])
  /// A setting's keys, and those that take their place in histories.
  private static let limit = 8

  static func keys(_ keys: [TestKey]) throws(KeyError) -> MerchantKeySet {
    // By their bytes: strings are equal, too, where only their normalization differs.
    let files = Array("\(keys)".utf8)
    if let loaded = sets.withLock({ $0[files] }) { return loaded }
    let loaded = try TestSetting(keys: keys, rootsPem: [], hasTestKeys: true).merchantKeySet()
    sets.withLock { sets in
      if sets.count >= limit { sets.removeAll() }
      sets[files] = loaded
    }
    return loaded
  }
}
