// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "sqlite-replay",
  platforms: [.macOS(.v26)],
  products: [.library(name: "SQLiteReplayStore", targets: ["SQLiteReplayStore"])],
  dependencies: [.package(name: "assay", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(
      name: "SQLiteReplayStore", dependencies: ["CSQLite", .product(name: "PaymentToken", package: "assay")]),
    .executableTarget(
      name: "claim", dependencies: ["SQLiteReplayStore", .product(name: "PaymentToken", package: "assay")]),
    .testTarget(
      name: "SQLiteReplayStoreTests",
      dependencies: [
        "SQLiteReplayStore", "claim", "CSQLite", .product(name: "PaymentToken", package: "assay"),
        .product(name: "FastDecryption", package: "assay"), .product(name: "Minting", package: "assay"),
      ]),
  ]
)
