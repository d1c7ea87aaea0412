import Foundation
import TestSupport
import Testing

/// `assay fuzz run --driver libfuzzer` with stand-ins for the build and for the program that it makes.
@Suite(.blocking) struct FuzzLibFuzzerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.write("", to: "Fuzz/Package.swift")
    _ = try folder.write("max_len = 100\n", to: "Fuzz/options/json.options")
  }

  private func write(script: String, to name: String) throws {
    let path = try folder.write("#!/bin/sh\n\(script)\n", to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
  }

  private func run() throws -> Program.Outcome {
    let command =
      "PATH=$PWD/bin:$PATH; assay fuzz run --driver libfuzzer --target json --duration 10m --jobs 1 --seed 3 "
      + "--stop-at-finding --dir run"
    return try Program.shell(command, in: folder)
  }

  @Test func `what the program says is counted, and what it fails on again is a finding by what it says then`() throws {
    try write(script: "exit 0", to: "bin/swift")
    // With -artifact_prefix the program fuzzes, and leaves two artifacts. Otherwise it replays its last argument.
    try write(
      script: """
        for last; do :; done
        case "$*" in
        *-artifact_prefix=*)
          echo '#9: cov: 98 ft: 117 corp: 12 exec/s: 5000' >&2
          echo one >run/artifacts/crash-1
          echo two >run/artifacts/crash-2
          exit 77 ;;
        esac
        case $(cat "$last") in
        one) printf 'assay-fuzz\\treaders\\tjson read\\tjson malformed\\n' >&2; exit 77 ;;
        two) kill -SEGV $$ ;;
        esac
        """, to: ".build-fuzz/release/fuzz-json")
    let outcome = try run()
    #expect(outcome.status == 1, "\(outcome.error)")
    #expect(outcome.text.contains("executions  9, "))
    #expect(outcome.text.contains("corpus      12 samples, 117 features"))
    let findings = try FileManager.default.contentsOfDirectory(atPath: folder.path("run/findings")).sorted()
    #expect(findings.count == 2)
    #expect(findings.first?.hasPrefix("crash-exit-") == true && findings.last?.hasPrefix("readers-json-json-") == true)
    for (finding, sample) in zip(findings, ["two\n", "one\n"]) {
      #expect(try FileText.text(folder.path("run/findings/\(finding)/sample")) == sample)
      let bytes = try FileText.data(folder.path("run/findings/\(finding)/finding.json"))
      let document = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
      #expect(document["replays"] as? Int == 3)
    }
  }

  @Test func `a build that fails ends the run with what it said last`() throws {
    try write(script: "echo first; echo 'error: no' >&2; exit 1", to: "bin/swift")
    let outcome = try run()
    #expect(outcome.status == 70)
    #expect(outcome.error.hasSuffix("the build failed:\nfirst\nerror: no\n"))
  }
}
