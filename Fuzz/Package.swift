// swift-tools-version: 6.2
import PackageDescription

// libFuzzer programs, a line each: what they do is in FuzzTargets of the package above (Docs/Fuzzing.md).
// FuzzEntry holds what libFuzzer calls, FuzzMutators the custom mutator, for those that have one.
let targets = ["token", "envelopes", "json", "base64", "cms", "payload", "line", "kernel", "gateways"]
let withoutMutators = ["base64", "kernel"]
let fuzzTargets = Target.Dependency.product(name: "FuzzTargets", package: "assay")

let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v26)],
  products: targets.map { .executable(name: "fuzz-\($0)", targets: ["fuzz-\($0)"]) },
  dependencies: [.package(name: "assay", path: "..")],
  targets: [
    .target(name: "FuzzEntry", dependencies: [fuzzTargets]),
    .target(name: "FuzzMutators", dependencies: ["FuzzEntry", fuzzTargets]),
  ]
    + targets.map { name in
      .executableTarget(
        name: "fuzz-\(name)",
        dependencies: ["FuzzEntry", fuzzTargets] + (withoutMutators.contains(name) ? [] : ["FuzzMutators"]),
        // libFuzzer brings the main function.
        swiftSettings: [.unsafeFlags(["-parse-as-library"])])
    }
)
