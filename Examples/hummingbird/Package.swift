// swift-tools-version: 6.2
import PackageDescription

// With ASSAY_STUBS in the environment the package builds without a network: the modules Hummingbird and
// ServiceLifecycle are then the declarations in Stubs, which have the signatures of Hummingbird 2.26 and serve nothing.
let usesStubs = Context.environment["ASSAY_STUBS"] != nil

let hummingbird: [Target.Dependency] =
  usesStubs
  ? ["Hummingbird", "ServiceLifecycle"]
  : [
    .product(name: "Hummingbird", package: "hummingbird"),
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
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
      ]),
  targets: [
    .executableTarget(
      name: "HummingbirdCheckout",
      dependencies: hummingbird + [
        .product(name: "PaymentToken", package: "assay"), .product(name: "MerchantKeys", package: "assay"),
        .product(name: "FastDecryption", package: "assay"), .product(name: "Gateways", package: "assay"),
      ])
  ]
    + (usesStubs
      ? [
        .target(name: "ServiceLifecycle", path: "Stubs/ServiceLifecycle"),
        .target(name: "Hummingbird", dependencies: ["ServiceLifecycle"], path: "Stubs/Hummingbird"),
        .testTarget(
          name: "HummingbirdCheckoutTests",
          dependencies: ["HummingbirdCheckout", "Hummingbird", .product(name: "Minting", package: "assay")]),
      ] : [])
)
