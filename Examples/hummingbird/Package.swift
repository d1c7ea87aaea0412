// swift-tools-version: 6.2
import PackageDescription

// With ASSAY_STUBS in the environment the package builds without a network: the modules of other packages are then the
// declarations in Stubs, which have the signatures of Hummingbird 2.26 and of the packages that it uses, and serve
// nothing.
let usesStubs = Context.environment["ASSAY_STUBS"] != nil

let frameworks: [Target.Dependency] =
  usesStubs
  ? ["Hummingbird", "Logging", "Metrics", "ServiceLifecycle"]
  : [
    .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
    .product(name: "Metrics", package: "swift-metrics"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
  ]

let package = Package(
  name: "hummingbird-checkout",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "assay", path: "../..")]
    + (usesStubs
      ? []
      : [
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.26.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.9.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.6.0"),
      ]),
  targets: [
    .executableTarget(
      name: "HummingbirdCheckout",
      dependencies: frameworks + [
        .product(name: "PaymentToken", package: "assay"), .product(name: "MerchantKeys", package: "assay"),
        .product(name: "FastDecryption", package: "assay"), .product(name: "Gateways", package: "assay"),
      ])
  ]
    + (usesStubs
      ? [
        .target(name: "Logging", path: "Stubs/Logging"), .target(name: "Metrics", path: "Stubs/Metrics"),
        .target(name: "ServiceLifecycle", dependencies: ["Logging"], path: "Stubs/ServiceLifecycle"),
        .target(name: "Hummingbird", dependencies: ["Logging", "ServiceLifecycle"], path: "Stubs/Hummingbird"),
        .testTarget(
          name: "HummingbirdCheckoutTests",
          dependencies: frameworks + ["HummingbirdCheckout", .product(name: "Minting", package: "assay")]),
      ] : [])
)
