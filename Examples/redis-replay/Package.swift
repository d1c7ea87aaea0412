// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "redis-replay",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "assay", path: "../..", traits: ["Redis", "SQLite"])],
  targets: [
    .executableTarget(
      name: "claim",
      dependencies: [
        .product(name: "RedisReplayStore", package: "assay"), .product(name: "PaymentToken", package: "assay"),
      ]),
    .executableTarget(
      name: "replay-load",
      dependencies: [
        .product(name: "RedisReplayStore", package: "assay"), .product(name: "SQLiteReplayStore", package: "assay"),
        .product(name: "PaymentToken", package: "assay"),
      ]),
    .testTarget(
      name: "RedisReplayStoreTests",
      dependencies: [
        "claim", "replay-load", .product(name: "RedisReplayStore", package: "assay"),
        .product(name: "PaymentToken", package: "assay"),
      ]),
  ]
)
