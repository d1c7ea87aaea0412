import FastDecryption
import MerchantKeys
import PaymentToken

/// A pool for keys that answer over the network: workers wait for them, so there are more workers than CPUs, and no
/// caller's thread is used.
func poolForExternalKeys(_ keys: MerchantKeySet, roots: TrustAnchors = .apple) throws -> DecryptionPool {
  try DecryptionPool(
    FastDecryptor(keys: keys, anchors: roots),
    configuration: DecryptionPool.Configuration(workers: 8, runsOnCallerThread: false))
}
