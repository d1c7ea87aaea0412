// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "server",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "TokenServer", targets: ["TokenServer"]),
    .executable(name: "token-server", targets: ["token-server"]),
  ],
  dependencies: [
    .package(name: "assay", path: "../..", traits: ["Redis"])
  ],
  targets: [
    .systemLibrary(
      name: "CMicrohttpd", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(
      name: "CDigest", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .target(
      name: "TokenServer",
      dependencies: [
        "CMicrohttpd", "CDigest", .product(name: "PaymentToken", package: "assay"),
        .product(name: "MerchantKeys", package: "assay"), .product(name: "FastDecryption", package: "assay"),
        .product(name: "Gateways", package: "assay"),
        .product(name: "RedisReplayStore", package: "assay"),
      ]),
    .executableTarget(name: "token-server", dependencies: ["TokenServer", "CMicrohttpd"]),
    .testTarget(
      name: "TokenServerTests",
      dependencies: [
        "TokenServer", "token-server", .product(name: "PaymentToken", package: "assay"),
        .product(name: "MerchantKeys", package: "assay"), .product(name: "FastDecryption", package: "assay"),
        .product(name: "Gateways", package: "assay"), .product(name: "Minting", package: "assay"),
        .product(name: "RedisReplayStore", package: "assay"),
      ]),
  ]
)
