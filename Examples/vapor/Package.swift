// swift-tools-version: 6.2
import PackageDescription

// With ASSAY_STUBS in the environment the package builds without a network: the module Vapor is then the declarations
// in Stubs, which have the signatures of Vapor 4.122 and serve nothing.
let usesStubs = Context.environment["ASSAY_STUBS"] != nil

let vapor: Target.Dependency = usesStubs ? "Vapor" : .product(name: "Vapor", package: "vapor")

let package = Package(
  name: "vapor-checkout",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "assay", path: "../..")]
    + (usesStubs ? [] : [.package(url: "https://github.com/vapor/vapor.git", from: "4.122.0")]),
  targets: [
    .executableTarget(
      name: "VaporCheckout",
      dependencies: [
        vapor, .product(name: "PaymentToken", package: "assay"), .product(name: "MerchantKeys", package: "assay"),
        .product(name: "FastDecryption", package: "assay"), .product(name: "Gateways", package: "assay"),
      ])
  ]
    + (usesStubs
      ? [
        .target(name: "Vapor", path: "Stubs/Vapor"),
        .testTarget(
          name: "VaporCheckoutTests",
          dependencies: ["VaporCheckout", "Vapor", .product(name: "Minting", package: "assay")]),
      ] : [])
)
