import COpenSSL
import Foundation
import MerchantKeys
import PaymentToken
import TestSupport
import Testing

/// Each test runs in its own process, because it changes the allocator or the limits of the process.
@Suite struct SecretHandlingTests {
  @Test func `OpenSSL frees no memory that still holds a scalar`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      guard FreedMemory.watch() else { exit(2) }
      let der = TestKey.sec1(scalar: FreedMemory.scalar)
      let algorithm = DER.algorithm(ObjectIdentifiers.ecPublicKey, DER.oid(ObjectIdentifiers.prime256v1))
      let point = try FreedMemory.scalar.withUnsafeBytes { try PrivateKey(scalar: $0).publicKey }
      let texts = [
        KeyFileTests.hexadecimal(FreedMemory.scalar), WebKeyTests.ec(scalar: FreedMemory.scalar, point: point),
      ]
      let files = [der, TestKey.pkcs8(algorithm: algorithm, key: der), PEM.block("EC PRIVATE KEY", der)]
      for bytes in files + texts.map({ Array($0.utf8) }) {
        let set = try MerchantKeySet(
          files: [KeyFile("key", bytes)], merchantIDs: [.uncertified(merchantID: "merchant.a")])
        guard set.withScalar(at: 0, { Array($0) }) == FreedMemory.scalar, FreedMemory.freed > 0 else { exit(3) }
      }
      guard FreedMemory.found == 0 else { exit(1) }
      exit(FreedMemory.findsWhatIsPlanted() ? 0 : 4)
    }
  }

  @Test func `OpenSSL frees no memory that still holds an RSA prime`() async throws {
    let der = KeyFileTests.rsa2048.pkcs1
    let prime = try RSAKeyTests.members(of: der)[4]
    // The middle of the prime: no leading zero and no length is near.
    let part = Array(prime[48..<80])
    let pkcs8 = KeyFileTests.rsa2048.pkcs8
    await #expect(processExitsWith: .exitCode(0)) {
      [der = der as [UInt8], part = part as [UInt8], pkcs8 = pkcs8 as [UInt8]] in
      guard FreedMemory.watch(for: part) else { exit(2) }
      for bytes in [der, pkcs8, PEM.block("PRIVATE KEY", pkcs8)] {
        let set = try MerchantKeySet(files: [KeyFile("key", bytes)])
        var size = 512
        var output = [UInt8](repeating: 0, count: size)
        let isDone = set.withRSAKey(at: 0) { key in
          // The searched bytes are those of the key's prime, which begins with a zero byte in DER.
          guard FreedMemory.factor(of: key)?[47..<79].elementsEqual(part) == true else { return false }
          let context = EVP_PKEY_CTX_new(key, nil)
          defer { EVP_PKEY_CTX_free(context) }
          return EVP_PKEY_decrypt_init(context) == 1
            && EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1
            && EVP_PKEY_decrypt(context, &output, &size, [UInt8](repeating: 1, count: 256), 256) == 1
        }
        guard isDone, FreedMemory.freed > 0 else { exit(3) }
      }
      guard FreedMemory.found == 0 else { exit(1) }
      exit(FreedMemory.findsWhatIsPlanted() ? 0 : 4)
    }
  }

  @Test func `the search finds what OpenSSL's own decoder leaves`() async {
    await #expect(processExitsWith: .exitCode(1)) {
      guard FreedMemory.watch() else { exit(2) }
      let der = TestKey.sec1(scalar: FreedMemory.scalar)
      let key = der.withUnsafeBufferPointer { bytes in
        var next = bytes.baseAddress
        return d2i_ECPrivateKey(nil, &next, bytes.count)
      }
      EC_KEY_free(key)
      exit(FreedMemory.found == 0 ? 0 : 1)
    }
  }

  // Sanitizers end the process when an allocation fails, before the code can return an error.
  @Test(.disabled(if: Sanitizer.isPresent))
  func `too little memory is an error and not a crash`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let source = MerchantKeySource(privateKey: try PrivateKey(pkcs8: TestKey().pkcs8), merchantID: "merchant.a")
      _ = try MerchantKeySet([source])
      var limit = rlimit(rlim_cur: 1, rlim_max: 1)
      guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { exit(2) }
      let error = keyError { () throws(KeyError) in try MerchantKeySet([source]) }
      exit(error == KeyError(.memoryUnavailable) ? 0 : 1)
    }
  }

  @Test func `the scalars cannot be written to`() async {
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      _ = signal(SIGSEGV, SIG_DFL)
      let set = try MerchantKeySet(
        files: [KeyFile("key", TestKey().pkcs8)], merchantIDs: [.uncertified(merchantID: "merchant.a")])
      set.withScalar(at: 0) { UnsafeMutableRawPointer(mutating: $0.baseAddress!).storeBytes(of: 0, as: UInt8.self) }
    }
  }
}

/// Searches the memory that OpenSSL frees for one secret of 32 bytes.
enum FreedMemory {
  nonisolated(unsafe) static var secret = scalar
  static let scalar: [UInt8] = (0..<32).map { 0x40 &+ $0 &* 5 }
  nonisolated(unsafe) static var found = 0
  nonisolated(unsafe) static var freed = 0

  /// The bytes in front of each allocation, which hold its size.
  private static let header = 16

  /// Must be called before OpenSSL allocates anything. Returns whether OpenSSL uses these functions.
  static func watch(for secret: [UInt8] = scalar) -> Bool {
    self.secret = secret
    return CRYPTO_set_mem_functions(
      { count, _, _ in FreedMemory.allocate(count) },
      { old, count, _, _ in
        guard let new = FreedMemory.allocate(count) else { return nil }
        if let old { memcpy(new, old, min(count, FreedMemory.size(old))) }
        FreedMemory.release(old)
        return new
      },
      { old, _, _ in FreedMemory.release(old) }) == 1
  }

  /// Plants the secret in blocks that OpenSSL frees, in both byte orders and at several places. Returns whether all are
  /// found.
  static func findsWhatIsPlanted() -> Bool {
    let before = found
    for bytes in [secret, secret.reversed()] {
      for place in [0, 13, 96] {
        guard let block = CRYPTO_malloc(128, #file, Int32(#line)) else { return false }
        block.initializeMemory(as: UInt8.self, repeating: 0, count: 128)
        (block + place).copyMemory(from: bytes, byteCount: bytes.count)
        CRYPTO_free(block, #file, Int32(#line))
      }
    }
    return found == before + 6
  }

  /// The first prime of an RSA key.
  static func factor(of key: OpaquePointer?) -> [UInt8]? {
    var number: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, "rsa-factor1", &number) == 1 else { return nil }
    defer { BN_clear_free(number) }
    var bytes = [UInt8](repeating: 0, count: 128)
    return BN_bn2binpad(number, &bytes, 128) == 128 ? bytes : nil
  }

  private static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    guard let memory = calloc(1, count + header) else { return nil }
    memory.storeBytes(of: count, as: Int.self)
    return memory + header
  }

  private static let size = { @Sendable (memory: UnsafeMutableRawPointer) in (memory - header).load(as: Int.self) }

  private static func release(_ memory: UnsafeMutableRawPointer?) {
    guard let memory else { return }
    freed += 1
    let bytes = UnsafeRawBufferPointer(start: memory, count: size(memory))
    let reversed = Array(secret.reversed())
    // In memory, OpenSSL's numbers begin with the least significant byte.
    for start in 0..<max(0, bytes.count - secret.count + 1)
    where bytes[start] == secret[0] || bytes[start] == reversed[0] {
      let part = bytes[start..<(start + secret.count)]
      if part.elementsEqual(secret) || part.elementsEqual(reversed) { found += 1 }
    }
    free(memory - header)
  }
}
