import COpenSSL
import Differential
package import MerchantKeys
import PaymentToken
import Synchronization

/// Results of the RSA operation with merchants' private keys, by their inputs. The operation is slow, and most
/// mutations leave the wrapped key unchanged.
///
/// OpenSSL lets the owner of a key replace the operation (RSA_METHOD), so the engines are unchanged: they call OpenSSL
/// as always, which asks this cache before it computes. Only the operation without padding is remembered, RSADP of RFC
/// 8017, section 5.1.2. Its result depends on the number and the key alone; the cache compares every byte of the number
/// and of the modulus. The engines check the padding each time.
///
/// For test keys only: the results stay in ordinary memory, and a repeated number takes less time than a new one.
package enum RememberedUnwrapping {
  private struct Entries {
    // Each entry takes about 1 KiB.
    var results = Generations<[UInt8], [UInt8]>(capacity: 1_024)
    var hits = 0
  }

  // The operation is a C function, which cannot refer to an instance.
  private static let entries = Mutex(Entries())
  /// Never freed: keys refer to it.
  private static nonisolated(unsafe) let method: OpaquePointer? = {
    guard let method = RSA_meth_dup(RSA_PKCS1_OpenSSL()), RSA_meth_set_priv_dec(method, operation) == 1 else {
      return nil
    }
    return method
  }()

  /// How often a result was reused.
  package static var hits: Int { entries.withLock { $0.hits } }

  /// Replaces the operation of all RSA keys in a set that no engine has used yet.
  ///
  /// - Returns: false if OpenSSL refuses for a key, which then computes each result.
  @discardableResult
  package static func replaceOperation(in keys: MerchantKeySet) -> Bool {
    var succeeded = true
    for index in 0..<keys.count where keys[index].version == .rsaV1 && !keys[index].isExternal {
      succeeded = keys.withRSAKey(at: index, replaceOperation) && succeeded
    }
    return succeeded
  }

  /// Puts a copy of the RSA key with the other operation into an EVP_PKEY, in place of the original: OpenSSL reads the
  /// operation when a key is put in.
  private static func replaceOperation(of key: OpaquePointer) -> Bool {
    guard let method, let original = EVP_PKEY_get0_RSA(key), let copy = RSAPrivateKey_dup(original) else {
      return false
    }
    defer { RSA_free(copy) }
    return RSA_set_method(copy, method) == 1 && EVP_PKEY_set1_RSA(key, copy) == 1
  }

  private typealias Operation =
    @convention(c) (
      Int32, UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?, Int32
    ) -> Int32

  private static let operation: Operation = { count, input, output, key, padding in
    guard let compute = RSA_meth_get_priv_dec(RSA_PKCS1_OpenSSL()) else { return -1 }
    guard padding == RSA_NO_PADDING, let input, let output, let key, count == RSA_size(key) else {
      return compute(count, input, output, key, padding)
    }
    let place = RememberedUnwrapping.place(UnsafeBufferPointer(start: input, count: Int(count)), key)
    if let known = RememberedUnwrapping.known(place) {
      output.update(from: known, count: known.count)
      return Int32(known.count)
    }
    let written = compute(count, input, output, key, padding)
    if written == count {
      let result = Array(UnsafeBufferPointer(start: output, count: Int(written)))
      RememberedUnwrapping.entries.withLock { $0.results.insert(result, for: place) }
    }
    return written
  }

  /// The number, then the modulus; both have the same length.
  private static func place(_ number: UnsafeBufferPointer<UInt8>, _ key: OpaquePointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 2 * number.count) { bytes, count in
      _ = bytes.update(fromContentsOf: number)
      let modulus = bytes.baseAddress.map { $0 + number.count }
      count = BN_bn2binpad(RSA_get0_n(key), modulus, Int32(number.count)) < 0 ? number.count : 2 * number.count
    }
  }

  private static func known(_ place: [UInt8]) -> [UInt8]? {
    entries.withLock { entries in
      guard let result = entries.results.value(for: place) else { return nil }
      entries.hits += 1
      return result
    }
  }
}
