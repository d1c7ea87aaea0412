// swift-tools-version: 6.2.3
import PackageDescription

// Layers: imports point down only (Docs/Architecture.md); `make lint` compares the import lines with this file.
let package = Package(
  name: "assay",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "PaymentToken", targets: ["PaymentToken"]),
    .library(name: "MerchantKeys", targets: ["MerchantKeys"]),
    .library(name: "PKCS11", targets: ["PKCS11"]),
    .library(name: "FastDecryption", targets: ["FastDecryption"]),
    .library(name: "ReferenceDecryption", targets: ["ReferenceDecryption"]),
    .library(name: "Gateways", targets: ["Gateways"]),
    .library(name: "Minting", targets: ["Minting"]),
    .library(name: "PostgreSQLReplayStore", targets: ["PostgreSQLReplayStore"]),
    .library(name: "RedisReplayStore", targets: ["RedisReplayStore"]),
    .library(name: "SQLiteReplayStore", targets: ["SQLiteReplayStore"]),
    .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
    .library(name: "AllocationCounter", type: .dynamic, targets: ["CAllocationCounter"]),
    .executable(name: "assay", targets: ["assay"]),
    .executable(name: "secrecy-check", targets: ["SecrecyCheck"]),
  ],
  // A store is an empty module without its trait: whoever does not ask for it needs neither its library nor its time.
  traits: [
    .trait(name: "PostgreSQL", description: "PostgreSQLReplayStore, which needs libpq."),
    .trait(name: "Redis", description: "RedisReplayStore, which needs hiredis and OpenSSL's libssl."),
    .trait(name: "SQLite", description: "SQLiteReplayStore, which needs SQLite."),
  ],
  targets: [
    .systemLibrary(
      name: "COpenSSL", path: "Sources/System/COpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CSodium", path: "Sources/System/CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .systemLibrary(
      name: "CPostgreSQL", path: "Sources/System/CPostgreSQL", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // Linked by its module map: pkg-config names a flag that SwiftPM does not take.
    .systemLibrary(name: "CHiredis", path: "Sources/System/CHiredis"),
    .systemLibrary(
      name: "CRedisTLS", path: "Sources/System/CRedisTLS", pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CSQLite", path: "Sources/System/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),

    .target(name: "PaymentToken", path: "Sources/Vocabulary/PaymentToken"),
    .target(
      name: "MerchantKeys", dependencies: ["PaymentToken", "COpenSSL", "CSodium"],
      path: "Sources/Vocabulary/MerchantKeys"),
    .target(name: "CPKCS11", path: "Sources/System/CPKCS11"),
    .target(
      name: "PKCS11", dependencies: ["PaymentToken", "CPKCS11", "COpenSSL", "CSodium"],
      path: "Sources/Vocabulary/PKCS11"),
    .target(name: "StoreSupport", dependencies: ["Threads"], path: "Sources/Stores/StoreSupport"),
    .target(
      name: "PostgreSQLReplayStore",
      dependencies: [
        "PaymentToken", "StoreSupport", "Threads",
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
      ], path: "Sources/Stores/PostgreSQLReplayStore"),
    .target(
      name: "RedisReplayStore",
      dependencies: [
        "PaymentToken", "StoreSupport", "Threads",
        .target(name: "CHiredis", condition: .when(traits: ["Redis"])),
        .target(name: "CRedisTLS", condition: .when(traits: ["Redis"])),
      ], path: "Sources/Stores/RedisReplayStore"),
    .target(
      name: "SQLiteReplayStore",
      dependencies: ["PaymentToken", .target(name: "CSQLite", condition: .when(traits: ["SQLite"]))],
      path: "Sources/Stores/SQLiteReplayStore"),
    .target(name: "CTextKernels", path: "Sources/Kernels/CTextKernels"),
    .target(name: "CSecrecy", path: "Sources/Kernels/CSecrecy"),
    .target(name: "CP256", dependencies: ["CSecrecy"], path: "Sources/Kernels/CP256"),
    .target(
      name: "TokenScanning", dependencies: ["PaymentToken", "CTextKernels"], path: "Sources/Engines/TokenScanning",
      swiftSettings: [.enableExperimentalFeature("Lifetimes")]),
    .target(
      name: "StrictJSON", dependencies: ["PaymentToken", "TokenScanning"], path: "Sources/Vocabulary/StrictJSON"),
    .target(
      name: "FastDecryption",
      dependencies: [
        "PaymentToken", "MerchantKeys", "TokenScanning", "CP256", "CSecrecy", "CMachine", "Threads", "COpenSSL",
        "CSodium",
      ], path: "Sources/Engines/FastDecryption",
      swiftSettings: [.enableExperimentalFeature("Lifetimes")]),
    .target(
      name: "ReferenceDecryption", dependencies: ["PaymentToken", "MerchantKeys", "COpenSSL", "CSodium"],
      path: "Sources/Engines/ReferenceDecryption"),
    .target(name: "Gateways", dependencies: ["PaymentToken", "TokenScanning", "StrictJSON"]),
    .target(
      name: "Minting", dependencies: ["PaymentToken", "MerchantKeys", "Gateways", "COpenSSL", "CSodium"],
      path: "Sources/TestMaterial/Minting"),
    .target(
      name: "TestCases", dependencies: ["PaymentToken", "MerchantKeys", "Gateways", "StrictJSON", "COpenSSL"],
      path: "Sources/TestMaterial/TestCases"),
    .target(
      name: "NamedCases", dependencies: ["PaymentToken", "Gateways", "Minting", "TestCases", "StrictJSON"],
      path: "Sources/TestMaterial/NamedCases"),
    .target(
      name: "Explanation",
      dependencies: [
        "PaymentToken", "MerchantKeys", "StrictJSON", "Gateways", "ReferenceDecryption", "Reports", "COpenSSL",
      ],
      path: "Sources/Engines/Explanation"),
    .target(
      name: "Descriptions",
      dependencies: ["PaymentToken", "MerchantKeys", "StrictJSON", "Gateways", "Reports", "HostIO"],
      path: "Sources/Host/Descriptions"),
    .target(
      name: "BulkDecryption",
      dependencies: [
        "PaymentToken", "TokenScanning", "StrictJSON", "FastDecryption", "Gateways", "Reports", "HostIO",
        "Descriptions",
      ],
      path: "Sources/Harness/BulkDecryption"),
    .target(
      name: "Corpus",
      dependencies: [
        "PaymentToken", "MerchantKeys", "TokenScanning", "StrictJSON", "ReferenceDecryption", "Gateways", "Minting",
        "TestCases", "NamedCases", "Reports", "HostIO",
      ], path: "Sources/TestMaterial/Corpus"),
    .target(name: "CExternals", path: "Sources/Host/CExternals"),
    .target(name: "Reports", dependencies: ["StrictJSON"], path: "Sources/Host/Reports"),
    .target(name: "HostIO", dependencies: ["Reports", "CMachine", "Threads", "CSodium"], path: "Sources/Host/HostIO"),
    .target(
      name: "Differential",
      dependencies: [
        "PaymentToken", "MerchantKeys", "TokenScanning", "StrictJSON", "FastDecryption", "ReferenceDecryption",
        "Gateways", "Minting", "TestCases", "NamedCases", "Corpus", "CExternals", "COpenSSL", "Reports",
        "HostIO", "Threads",
      ], path: "Sources/Harness/Differential"),
    .target(
      name: "Serving",
      dependencies: [
        "PaymentToken", "MerchantKeys", "TokenScanning", "StrictJSON", "TestCases", "Differential", "HostIO",
        "CSodium",
      ], path: "Sources/Harness/Serving"),
    .target(
      name: "Fuzzing",
      dependencies: [
        "PaymentToken", "MerchantKeys", "StrictJSON", "Gateways", "Minting", "TestCases", "NamedCases", "Corpus",
        "Differential", "CExternals", "CMachine", "CCoverage", "COpenSSL", "Reports", "HostIO",
      ], path: "Sources/Harness/Fuzzing"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "PaymentToken", "MerchantKeys", "TokenScanning", "StrictJSON", "FastDecryption", "ReferenceDecryption",
        "Gateways", "Minting", "TestCases", "Corpus", "Differential", "Fuzzing", "CP256", "COpenSSL", "CSodium",
      ], path: "Sources/Harness/FuzzTargets"),
    .target(name: "CMachine", path: "Sources/Host/CMachine"),
    .target(name: "Threads", path: "Sources/Host/Threads"),
    .target(
      name: "CBuild", path: "Sources/Host/CBuild",
      cSettings: Context.environment["ASSAY_BUILD_COMMIT"].map { [.define("ASSAY_BUILD_COMMIT", to: $0)] } ?? []),
    .target(name: "CompilerProbes", dependencies: ["PaymentToken"], path: "Sources/Host/CompilerProbes"),
    .target(name: "CCoverage", path: "Sources/Harness/CCoverage"),
    .target(name: "CAllocationCounter", path: "Sources/Harness/CAllocationCounter"),
    .target(
      name: "Benchmarking", dependencies: ["StrictJSON", "Reports", "HostIO", "CMachine", "Threads"],
      path: "Sources/Harness/Benchmarking"),
    .target(
      name: "Workloads",
      dependencies: [
        "PaymentToken", "MerchantKeys", "StrictJSON", "FastDecryption", "ReferenceDecryption", "Gateways", "Minting",
        "TestCases", "NamedCases", "Differential", "Benchmarking", "Reports", "HostIO", "CMachine", "COpenSSL", "CP256",
      ],
      path: "Benchmarks/Workloads"),
    .executableTarget(
      name: "assay",
      dependencies: [
        "PaymentToken", "MerchantKeys", "TokenScanning", "StrictJSON", "FastDecryption", "ReferenceDecryption",
        "Minting", "TestCases", "NamedCases", "Differential", "Fuzzing", "Benchmarking", "Workloads", "CMachine",
        "COpenSSL", "CSodium",
        "Explanation", "Descriptions", "Gateways", "Corpus", "CExternals", "CompilerProbes", "CBuild", "Serving",
        "BulkDecryption", "Reports", "HostIO",
      ]),

    .executableTarget(
      name: "SecrecyCheck",
      dependencies: [
        "PaymentToken", "MerchantKeys", "FastDecryption", "Minting", "TestCases", "NamedCases", "CSecrecy",
      ],
      path: "Tests/Kernels/Secrecy", exclude: ["libcrypto.supp"]),

    .target(
      name: "TestSupport", dependencies: ["PaymentToken", "MerchantKeys", "COpenSSL"], path: "Tests/TestSupport"),
    .target(name: "CFibers", path: "Tests/Engines/CFibers"),
    .target(name: "PoolSchedules", dependencies: ["FastDecryption", "CFibers"], path: "Tests/Engines/PoolSchedules"),
    .target(name: "CAtomicWrites", path: "Tests/Harness/CAtomicWrites"),
    .target(name: "CP256Faults", dependencies: ["CP256", "CSecrecy"], path: "Tests/Kernels/CP256Faults"),
    .testTarget(
      name: "CP256Tests", dependencies: ["CP256", "CP256Faults", "Minting", "TestSupport", "COpenSSL"],
      path: "Tests/Kernels/CP256Tests"),
    .testTarget(
      name: "PaymentTokenTests", dependencies: ["PaymentToken", "HostIO", "TestSupport"],
      path: "Tests/Vocabulary/PaymentTokenTests"),
    .testTarget(
      name: "MerchantKeysTests", dependencies: ["PaymentToken", "MerchantKeys", "TestSupport", "COpenSSL"],
      path: "Tests/Vocabulary/MerchantKeysTests"),
    .testTarget(
      name: "PKCS11Tests",
      dependencies: [
        "PaymentToken", "PKCS11", "CPKCS11", "MerchantKeys", "Minting", "FastDecryption", "ReferenceDecryption",
        "TestSupport", "COpenSSL",
      ], path: "Tests/Vocabulary/PKCS11Tests"),
    .testTarget(name: "StoreSupportTests", dependencies: ["StoreSupport"], path: "Tests/Stores/StoreSupportTests"),
    .testTarget(
      name: "TokenScanningTests",
      dependencies: ["PaymentToken", "TokenScanning", "Gateways", "CTextKernels", "HostIO", "TestSupport", "CSodium"],
      path: "Tests/Engines/TokenScanningTests"),
    .testTarget(
      name: "FastDecryptionTests",
      dependencies: [
        "PaymentToken", "TokenScanning", "FastDecryption", "MerchantKeys", "Gateways", "Minting", "TestCases",
        "NamedCases", "Corpus", "TestSupport", "PoolSchedules", "CP256", "COpenSSL", "CSodium", "ReferenceDecryption",
      ], path: "Tests/Engines/FastDecryptionTests"),
    .testTarget(
      name: "ReferenceDecryptionTests",
      dependencies: [
        "PaymentToken", "ReferenceDecryption", "MerchantKeys", "Gateways", "Minting", "TestSupport", "COpenSSL",
      ],
      path: "Tests/Engines/ReferenceDecryptionTests"),
    .testTarget(
      name: "MintingTests",
      dependencies: ["PaymentToken", "Minting", "TestSupport", "COpenSSL"], path: "Tests/TestMaterial/MintingTests"),
    .testTarget(
      name: "NamedCasesTests",
      dependencies: [
        "PaymentToken", "Minting", "TestCases", "NamedCases", "TestSupport", "FastDecryption", "MerchantKeys",
        "ReferenceDecryption",
      ],
      path: "Tests/TestMaterial/NamedCasesTests"),
    .testTarget(
      name: "CorpusTests",
      dependencies: [
        "PaymentToken", "StrictJSON", "Corpus", "Gateways", "Minting", "TestCases", "NamedCases", "MerchantKeys",
        "FastDecryption", "ReferenceDecryption", "HostIO", "TestSupport", "COpenSSL",
      ], path: "Tests/TestMaterial/CorpusTests"),
    .testTarget(
      name: "StrictJSONTests", dependencies: ["StrictJSON", "TokenScanning", "TestSupport"],
      path: "Tests/Vocabulary/StrictJSONTests"),
    .testTarget(
      name: "GatewaysTests",
      dependencies: ["PaymentToken", "TokenScanning", "Gateways", "StrictJSON", "HostIO", "TestSupport"]),
    .testTarget(
      name: "BenchmarkingTests",
      dependencies: [
        "PaymentToken", "FastDecryption", "Benchmarking", "Workloads", "StrictJSON", "Reports", "HostIO", "TestSupport",
        "CMachine", "CAtomicWrites", "CP256",
      ],
      path: "Tests/Harness/BenchmarkingTests"),
    .testTarget(
      name: "ExplanationTests",
      dependencies: [
        "PaymentToken", "Explanation", "MerchantKeys", "Gateways", "Minting", "NamedCases", "TestCases", "Differential",
        "HostIO", "Reports", "TestSupport", "COpenSSL",
      ], path: "Tests/Engines/ExplanationTests"),
    .testTarget(
      name: "DifferentialTests",
      dependencies: [
        "PaymentToken", "TokenScanning", "CTextKernels", "Corpus", "Differential", "Serving", "Fuzzing",
        "FastDecryption", "ReferenceDecryption", "MerchantKeys", "Gateways", "Minting", "TestCases", "NamedCases",
        "HostIO", "TestSupport",
      ], path: "Tests/Harness/DifferentialTests"),
    .testTarget(
      name: "FuzzingTests",
      dependencies: [
        "PaymentToken", "Fuzzing", "Differential", "FastDecryption", "ReferenceDecryption", "MerchantKeys", "Gateways",
        "Minting", "Corpus", "NamedCases", "TestCases", "FuzzTargets", "HostIO", "StrictJSON", "TestSupport",
      ], path: "Tests/Harness/FuzzingTests"),
    .testTarget(
      name: "ExternalTests",
      dependencies: [
        "PaymentToken", "Differential", "Corpus", "Minting", "TestCases", "NamedCases", "Reports", "TestSupport",
        "assay",
      ], path: "Tests/Harness/ExternalTests"),
    .testTarget(
      name: "TutorialTests", dependencies: ["PaymentToken", "MerchantKeys", "FastDecryption", "Gateways", "Minting"],
      path: "Tests/Documentation/TutorialTests"),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "PaymentToken", "TokenScanning", "StrictJSON", "FastDecryption", "Gateways", "Minting", "TestCases",
        "NamedCases", "HostIO", "BulkDecryption", "assay", "TestSupport", "CSodium",
      ]),
  ]
)

// The build that is tested is the one without warnings: there is no second build for them. Where the package is a
// dependency, SwiftPM leaves these settings out.
//
// Optimizing these modules would take longer than it saves: the command line, what makes and reads test tokens, and the
// tests, except those that check every byte at every position and those that count what the engine writes. None is part
// of a product that others use by version, and `make release` optimizes all but the tests.
let isReleased = Context.environment["ASSAY_BUILD_COMMIT"] != nil
let unoptimized: Set = isReleased ? [] : ["assay", "Corpus", "Descriptions", "NamedCases"]
let optimizedTests: Set = ["TokenScanningTests", "BenchmarkingTests"]
for target in package.targets where target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  if unoptimized.contains(target.name) || (target.type == .test && !optimizedTests.contains(target.name)) {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"]))
  }
  // In C alone, whose targets are named so: where the package is a dependency by URL, SwiftPM takes -Werror out of the
  // options of a Swift target and leaves the -Xcc before it, which swallows the next option.
  let isInC = target.type != .test && target.name.hasPrefix("C") && target.name.dropFirst().first?.isUppercase == true
  guard isInC else { continue }
  target.cSettings =
    (target.cSettings ?? []) + [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]
}
