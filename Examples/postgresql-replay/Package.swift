// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "postgresql-replay",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "assay", path: "../..", traits: ["PostgreSQL"])],
  targets: [
    .executableTarget(
      name: "claim",
      dependencies: [
        .product(name: "PostgreSQLReplayStore", package: "assay"), .product(name: "PaymentToken", package: "assay"),
      ]),
    .testTarget(
      name: "PostgreSQLReplayStoreTests",
      dependencies: [
        "claim", .product(name: "PostgreSQLReplayStore", package: "assay"),
        .product(name: "PaymentToken", package: "assay"),
      ]),
  ]
)
