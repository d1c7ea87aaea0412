// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "redis-replay",
  platforms: [.macOS(.v26)],
  products: [.library(name: "RedisReplayStore", targets: ["RedisReplayStore"])],
  dependencies: [
    .package(name: "assay", path: "../.."), .package(name: "sqlite-replay", path: "../sqlite-replay"),
  ],
  targets: [
    // Linked by its module map: pkg-config names a flag that SwiftPM does not take.
    .systemLibrary(name: "CHiredis"),
    .systemLibrary(
      name: "CRedisTLS", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .target(
      name: "RedisReplayStore",
      dependencies: ["CHiredis", "CRedisTLS", .product(name: "PaymentToken", package: "assay")]),
    .executableTarget(
      name: "claim", dependencies: ["RedisReplayStore", .product(name: "PaymentToken", package: "assay")]),
    .executableTarget(
      name: "replay-load",
      dependencies: [
        "RedisReplayStore", .product(name: "PaymentToken", package: "assay"),
        .product(name: "SQLiteReplayStore", package: "sqlite-replay"),
      ]),
    .testTarget(
      name: "RedisReplayStoreTests",
      dependencies: [
        "RedisReplayStore", "claim", "replay-load", .product(name: "PaymentToken", package: "assay"),
      ]),
  ]
)
