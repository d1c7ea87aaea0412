// Stands at the end of Package.swift in the copy that Fuzz/coverage/build makes (Docs/Fuzzing.md): the modules that
// decide count the edges of their control flow, for the loop. Swift's driver allows coverage only with a sanitizer; the
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
