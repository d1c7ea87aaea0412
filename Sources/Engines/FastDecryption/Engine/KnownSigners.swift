import Synchronization

/// What an engine has learned from tokens: verified chains, and tables for signers that occur often. Engines made by
/// `FastDecryptor.replacingKeys` share it.
///
/// The state is one immutable value, a `SignerSnapshot` with a number that no other snapshot has. Learning replaces it.
/// A workspace holds a snapshot (`HeldSigners`) and compares its number with the engine's before each token or window
/// of a batch, and again when it lacks a token's chain or a use of the chain's key has been counted; it takes the lock
/// only if they differ. A token whose chain and table are in the workspace's snapshot therefore takes no lock and
/// writes nothing that other threads read.
///
/// The numbers of chains and tables are bounded, and a new one replaces the oldest, not the least recently used: to
/// record uses, each token would have to write to shared memory. An evicted chain is verified again with its next
/// token, and an evicted table is made again with use `minimumUses` of its key. Only chains whose leaf has signed a
/// token are learned, and only leaves of verified chains get tables: without leaves signed by Apple an attacker evicts
/// nothing.
///
/// Making a table takes as long as 5 to 15 verifications by libcrypto (`kernel/table/scalar`), less than a millisecond.
/// The token for which it is due waits for it: no thread is started, which the system may refuse.
package final class KnownSigners: Sendable {
  /// The maximum number of chains.
  static var chainCapacity: Int { 1_024 }
  /// The maximum number of tables, 2 MB in total. Four signers were seen in eleven years of genuine tokens.
  package static let tableCapacity = 8
  /// The verification for which a key gets its table: the sixteenth without one.
  package static let minimumUses = 16

  /// When a key gets its table.
  package enum Moment: Sendable {
    /// With use `minimumUses` of the key.
    case afterSomeUses
    /// Before its first verification: for tests, which then know which code runs.
    case atOnce
  }

  private let current = Locked(SignerSnapshot.empty)
  private let currentNumber = Atomic<UInt64>(0)
  private let makesTables: Bool
  private let moment: Moment

  package init(for kernel: P256Kernel, tables moment: Moment = .afterSomeUses) {
    makesTables = kernel.operations != nil
    self.moment = moment
  }

  /// The number of the current snapshot. Reading it takes no lock.
  var number: UInt64 { currentNumber.load(ordering: .relaxed) }

  var snapshot: SignerSnapshot { current.withLock { $0 } }

  /// Adds a chain after stage 8 has passed, and returns the current snapshot.
  func learn(_ chain: VerifiedChain) -> SignerSnapshot {
    replaceSnapshot { $0.adding(chain) }
  }

  /// Counts a verification by a key without a table, and makes its table if it is due.
  package func countUse(of key: P256SignerKey) {
    guard makesTables, moment == .atOnce || key.countUse() == Self.minimumUses else { return }
    makeTable(of: key)
  }

  private func makeTable(of key: P256SignerKey) {
    let point = key.coordinates
    guard table(of: key) == nil, SignerTable.generator != nil, let table = SignerTable(point: point.span)
    else { return }
    _ = replaceSnapshot { $0.adding(table, of: key) }
  }

  /// Replaces the snapshot, unless `next` returns nil, and returns the current one.
  private func replaceSnapshot(_ next: (SignerSnapshot) -> SignerSnapshot?) -> SignerSnapshot {
    current.withLock { current in
      if let next = next(current) {
        current = next
        currentNumber.store(next.number, ordering: .relaxed)
      }
      return current
    }
  }
}

extension KnownSigners {
  var chainCount: Int { snapshot.chains.entries.count }

  /// All tables, the oldest first.
  package var tables: [SignerTable] { snapshot.tables.map(\.table) }

  /// The table of a key; nil if it has none yet.
  package func table(of key: P256SignerKey) -> SignerTable? { snapshot.tables.first { $0.key === key }?.table }
}
