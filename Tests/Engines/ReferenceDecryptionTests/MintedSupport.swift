import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import Synchronization

/// Tokens of test PKIs, and the engine that accepts the sound ones.
enum Minted {
  static let time = UnixTime(secondsSinceEpoch: 1_767_225_600)

  static func minter() throws -> Minter { try Minter(seed: 20_260_101, at: time) }

  /// The keys of the merchants of EC_v1.
  static func keys(_ minter: Minter) throws -> MerchantKeySet {
    try minter.merchantKeySet(externalRSA: [])
  }

  static func engine(_ minter: Minter, anchors: TrustAnchors? = nil) throws -> ReferenceDecryptor {
    try ReferenceDecryptor(keys: keys(minter), anchors: anchors ?? minter.anchors)
  }
}

extension ReferenceDecryptor {
  /// The code for a token under the default policy; nil when it is accepted.
  func code(_ token: [UInt8], at now: UnixTime = Minted.time) -> TokenFault.Code? {
    fault(token, at: now, VerificationPolicy())?.code
  }
}

extension ASN1Node {
  /// A signed attribute of the arcs 1.2.840.113549.1.9.
  static func attribute(_ last: UInt64, _ values: [ASN1Node]) -> ASN1Node {
    .sequence([.oid([1, 2, 840, 113549, 1, 9, last]), .set(values)])
  }
}

/// Counts its calls.
final class CountingStore: ReplayStore {
  private let count = Mutex(0)

  var calls: Int { count.withLock { $0 } }

  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    count.withLock { $0 += 1 }
    return .fresh
  }
}
