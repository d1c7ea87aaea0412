import Benchmarking
import CMachine
import COpenSSL
import CSodium
import FastDecryption
import HostIO
import StrictJSON
import TokenScanning

/// The processor, system, libraries and kernels that results depend on.
enum MachineDescription {
  static let version = "0.1.0"

  static var cpu: String {
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      buffer.initialize(repeating: 0)
      assay_cpu_brand(buffer.baseAddress, buffer.count)
      return buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    return name.isEmpty ? "unknown" : name
  }

  static var cores: Int { Int(assay_allowed_cpu_count()) }

  /// The instruction sets of this processor that the program or its libraries use.
  static var cpuFeatures: [String] {
    var features: [String] = []
    var index: Int32 = 0
    while let name = assay_cpu_feature_name(index) {
      if assay_cpu_supports(name) == 1 { features.append(String(cString: name)) }
      index += 1
    }
    return features
  }

  static var operatingSystem: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    func text<Value>(_ value: Value) -> String {
      withUnsafeBytes(of: value) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))"
  }

  static var swift: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "unknown"
    #endif
  }

  static var openSSL: String { String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }
  static var openSSLHeaders: String { OPENSSL_VERSION_STR }
  static var sodium: String { String(cString: sodium_version_string()) }

  static var textKernel: String { TextKernel.current.name }

  /// Whether libcrypto has optimized code for P-256.
  static var hasP256Assembly: Bool {
    guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return false }
    defer { EC_GROUP_free(group) }
    return EC_GROUP_method_of(group) != EC_GFp_mont_method() && EC_GROUP_method_of(group) != EC_GFp_simple_method()
  }

  static var kernels: JSON {
    [
      "base64": textKernel, "json": textKernel,
      "p256": hasP256Assembly ? "openssl, made for the curve" : "openssl, generic",
      "p256_agreement": P256Kernel.preferred.agreementKernel,
      "p256_signatures": P256Kernel.preferred.signatureKernel,
      "p256_one_signature": P256Kernel.preferred.signatureKernel,
    ]
  }

  static func environment(seed: UInt64, tokens: String, commit: String?) -> [JSON.Member] {
    JSON.members([
      "cpu": cpu, "cores": cores, "os": operatingSystem, "swift": swift, "openssl": openSSL, "libsodium": sodium,
      "kernels": kernels, "commit": commit, "seed": String(seed), "tokens": tokens,
      "peak_resident_bytes": Int64(clamping: assay_peak_resident_bytes()),
    ])
  }
}
