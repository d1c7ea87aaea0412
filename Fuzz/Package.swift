// swift-tools-version: 6.2
import PackageDescription

// libFuzzer programs, a few lines each: what they do is in FuzzTargets of the package above (Docs/Fuzzing.md).
let targets = ["token", "envelopes", "json", "base64", "cms", "payload", "line", "kernel", "gateways"]

let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v26)],
  products: targets.map { .executable(name: "fuzz-\($0)", targets: ["fuzz-\($0)"]) },
  dependencies: [.package(name: "assay", path: "..")],
  targets: targets.map { name in
    .executableTarget(
      name: "fuzz-\(name)", dependencies: [.product(name: "FuzzTargets", package: "assay")],
      // libFuzzer brings the main function.
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  }
)
