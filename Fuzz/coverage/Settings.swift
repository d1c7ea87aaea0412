// Fuzz/coverage/build appends this to a copy of Package.swift (Docs/Fuzzing.md). The modules that decide then count the
// edges of their control flow for the fuzzing loop. Swift's driver allows coverage only with a sanitizer; the
// frontend's "undefined" adds no check of its own.
let kinds = "-sanitize-coverage=edge,inline-8bit-counters"
for target in package.targets {
  switch target.name {
  case "PaymentToken", "TokenScanning", "FastDecryption", "ReferenceDecryption":
    target.swiftSettings? += [
      .unsafeFlags(["-Xfrontend", "-sanitize=undefined", "-Xfrontend", kinds])
    ]
  case "CTextKernels": target.cSettings? += [.unsafeFlags(["-f" + kinds.dropFirst()])]
  case "CCoverage": target.cSettings? += [.define("ASSAY_FUZZ_COVERAGE")]
  default: break
  }
}
