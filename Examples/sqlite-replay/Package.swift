// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "sqlite-replay",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "assay", path: "../..", traits: ["SQLite"])],
  targets: [
    .executableTarget(
      name: "claim",
      dependencies: [
        .product(name: "SQLiteReplayStore", package: "assay"), .product(name: "PaymentToken", package: "assay"),
      ]),
    .testTarget(
      name: "SQLiteReplayStoreTests",
      dependencies: [
        "claim", .product(name: "SQLiteReplayStore", package: "assay"),
        .product(name: "PaymentToken", package: "assay"), .product(name: "FastDecryption", package: "assay"),
        .product(name: "Minting", package: "assay"),
      ]),
  ]
)
