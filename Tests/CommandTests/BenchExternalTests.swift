import Foundation
import TestSupport
import Testing

/// Programs that stand between `bench run` and the fast engine, and spoil its answers.
private struct SpoiledPrograms {
  static let canRun = InstalledProgram.find("python3") != nil
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.write(
      """
      if True: import json, os, subprocess, sys, time
      way, program = sys.argv[1:]
      engine = subprocess.Popen([program, "serve", "--engine", "fast"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
      answers, refusals, rejected = 0, 0, 0
      for line in iter(sys.stdin.readline, ""):
          engine.stdin.write(line.encode())
          engine.stdin.flush()
          answer = json.loads(engine.stdout.readline())
          if "hello" in answer:
              answer["name"] = way
          else:
              token = json.loads(line)["token"]
              answers += 1
              # The warm-up has 256 of these: those after it are timed.
              refusals += json.loads(line)["id"].startswith("nonsense")
              rejected += not answer["accepted"]
              # The 64 altered tokens come first, then those of which the signature alone is forged.
              if way == "unsigned" and rejected > 64 and not answer["accepted"]:
                  answer = {"id": answer["id"], "accepted": True}
              if way == "terse": answer.pop("plaintext", None)
              if way == "wrong" and "plaintext" in answer: answer["plaintext"] = "AAAA"
              if way == "gullible" and not answer["accepted"]: answer = {"id": answer["id"], "accepted": True}
              if way == "choosy" and sum(token.encode()) % 16 == 0:
                  answer = {"id": answer["id"], "accepted": False, "reason": "not this one"}
              if way == "brittle" and sum(token.encode()) % 64 == 0: os._exit(3)
              if way == "crashing" and answers > 5: os._exit(4)
              if way == "hanging": time.sleep(3600)
              if way == "crashing-later" and refusals > 260: os._exit(5)
              if way == "hanging-later" and refusals > 260: time.sleep(3600)
          sys.stdout.write(json.dumps(answer) + "\\n")
          sys.stdout.flush()
      """, to: "spoiled.py")
  }

  func command(_ way: String) -> String {
    "exec python3 -S '\(folder.path("spoiled.py"))' \(way) '\(Program.url.path)'"
  }

  func measure(_ ways: [String], _ more: [String] = []) throws -> Program.Outcome {
    try Program.run(
      ["bench", "run", "--seconds", "0.2", "--json", "=decrypt/fast/ec_v1"] + more
        + ways.flatMap { ["--external", command($0)] })
  }
}

@Suite(.blocking, .serialized, .enabled(if: SpoiledPrograms.canRun))
struct BenchExternalTests {
  private struct External {
    let standing: String
    let remarks: [String]
    let members: [String: Any]

    var remark: String { remarks.joined(separator: "; ") }
  }

  private func externals(_ document: [String: Any]) throws -> [String: External] {
    let list = try #require(document["externals"] as? [[String: Any]])
    return try Dictionary(
      uniqueKeysWithValues: list.map { members in
        let name = try #require(members["name"] as? String)
        return (
          name,
          External(
            standing: try #require(members["standing"] as? String),
            remarks: try #require(members["remarks"] as? [String]), members: members)
        )
      })
  }

  private func names(_ document: [String: Any]) throws -> [String] {
    try #require(document["results"] as? [[String: Any]]).compactMap { $0["name"] as? String }
  }

  @Test func `a program that limits its figures is measured with a label`() throws {
    let programs = try SpoiledPrograms()
    let outcome = try programs.measure(["terse", "gullible", "unsigned", "choosy"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let document = try outcome.json()
    let externals = try externals(document)
    #expect(
      externals.mapValues(\.standing) == [
        "terse": "degraded", "gullible-unverified": "unverified", "unsigned-unverified": "unverified",
        "choosy": "degraded",
      ])
    #expect(externals["terse"]?.remarks == ["gives no plaintext; its times are of verdicts only"])
    #expect(externals["gullible-unverified"]?.remark.hasPrefix("accepts an altered token") == true)
    #expect(externals["unsigned-unverified"]?.remark.hasPrefix("accepts a forged signature") == true)
    let choosy = try #require(externals["choosy"])
    let count = try #require(choosy.members["measured_tokens"] as? Int)
    #expect(choosy.remark.hasPrefix("measured on \(count) of 64 tokens: refuses token "))
    #expect(choosy.remark.contains("(not this one)") && count < 64)
    let names = try names(document)
    for name in externals.keys {
      let whole = "decrypt/\(name)/ec_v1"
      #expect(names.filter { $0.hasPrefix(whole) } == [whole, "\(whole)/pipelined8"])
    }
    // No ratio compares the fast engine with a program that does not verify.
    let ratios = try #require(document["ratios"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    #expect(ratios.contains("terse over fast") && !ratios.contains { $0.contains("gullible") })
    #expect(outcome.error.contains("terse: degraded: gives no plaintext"))
  }

  @Test func `a program that fails is dropped with the reason, and the others are measured`() throws {
    let programs = try SpoiledPrograms()
    let outcome = try programs.measure(
      ["crashing", "hanging", "crashing-later", "terse"], ["--timeout", "3", "--external", "assay-no-such-program"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let document = try outcome.json()
    let externals = try externals(document)
    let dropped = externals.filter { $0.value.standing == "dropped" }
    #expect(Set(dropped.keys) == ["crashing", "hanging", "crashing-later", "assay-no-such-program"])
    #expect(dropped["crashing"]?.remark == "ended with exit code 4 without an answer, 7 times")
    #expect(dropped["hanging"]?.remark == "no answer within 3 s")
    #expect(dropped["crashing-later"]?.remark.contains("exit code 5 without an answer after ") == true)
    #expect(dropped["assay-no-such-program"]?.remark.hasPrefix("cannot be run") == true)
    #expect(externals["terse"]?.standing == "degraded")
    #expect(
      try names(document) == [
        "decrypt/fast/ec_v1", "external/echo", "decrypt/terse/ec_v1", "decrypt/terse/ec_v1/pipelined8",
        "external/terse/protocol",
      ])
    #expect(outcome.error.contains("crashing-later: dropped: ended with exit code 5"))
  }

  @Test func `a program that hangs while it is timed is dropped`() throws {
    let outcome = try SpoiledPrograms().measure(["hanging-later"], ["--timeout", "3", "--quiet"])
    // It is the only external.
    #expect(outcome.status == 2)
    let document = try outcome.json()
    #expect(try externals(document)["hanging-later"]?.remark.contains("no answer within 3 s after ") == true)
    #expect(try names(document) == ["decrypt/fast/ec_v1", "external/echo"])
  }

  @Test func `a program that crashes on some tokens, or decrypts nothing correctly, says so`() throws {
    let outcome = try SpoiledPrograms().measure(["wrong", "brittle"], ["--quiet"])
    let externals = try externals(try outcome.json())
    #expect(externals["wrong"]?.standing == "dropped")
    #expect(externals["wrong"]?.remark == "gives another plaintext for every token")
    #expect(externals["brittle"]?.remark.contains("exit code 3") == true)
  }

  @Test(.disabled(if: Sanitizer.isPresent))
  func `externals do not count allocations, but keep what else is preloaded`() throws {
    let folder = try TemporaryFolder()
    for (preloaded, seen) in [(nil, "[]\n"), ("libm.so.6", "[libm.so.6]\n")] {
      let outcome = try Program.run(
        [
          "bench", "run", "--seconds", "0.2", "--json", "--quiet", "=decrypt/fast/ec_v1", "--external",
          "echo \"[$LD_PRELOAD]\" > \(folder.path("seen")); exit 1",
        ], environment: preloaded.map { ["LD_PRELOAD": $0] } ?? [:])
      #expect(outcome.status == 2)
      #expect(try String(contentsOfFile: folder.path("seen"), encoding: .utf8) == seen)
      let results = try #require(try outcome.json()["results"] as? [[String: Any]])
      #expect(results.first?["allocations_per_token"] is Double)
    }
  }

  @Test func `the protocol is subtracted, and the warm-up and the memory are reported`() throws {
    let folder = try TemporaryFolder()
    let command = "exec '\(Program.url.path)' serve --engine reference"
    func measured(seconds: Int) throws -> External {
      let outcome = try Program.run([
        "bench", "run", "--seconds", "\(seconds)", "--json", "--quiet", "--external", command, "--pipeline", "1",
        "--report", "html=\(folder.path("page.html"))", "=decrypt/fast/ec_v1", "=decrypt/reference/ec_v1",
        "stage/ecdh", "stage/ecdsa-verify",
      ])
      #expect(outcome.status == 0, "\(outcome.error)")
      return try #require(try externals(try outcome.json())["assay-reference"])
    }
    func points(of external: External) throws -> [Int] {
      let warmUp = try #require(external.members["warm_up"] as? [String: Any])
      return try #require(warmUp["points"] as? [[String: Any]]).compactMap { $0["request"] as? Int }
    }
    var external = try measured(seconds: 2)
    // The warm-up ends after a part of the time.
    for seconds in [8, 32] where try points(of: external).count < 2 { external = try measured(seconds: seconds) }
    #expect(external.standing == "measured" && external.remarks.isEmpty)
    #expect(external.members["pipelined"] is NSNull)
    #expect(external.members["protocol"] as? String == "external/assay-reference/protocol")
    func number(_ name: String) throws -> Double { try #require(external.members[name] as? Double) }
    #expect(try number("decryption_low_ns") <= number("decryption_ns"))
    #expect(try number("decryption_ns") <= number("decryption_high_ns"))
    #expect(try points(of: external).prefix(2) == [1, 10])
    if FileManager.default.fileExists(atPath: "/proc/self/stat") {
      let memory = try #require(external.members["memory"] as? [String: Any])
      #expect(try #require(memory["end_bytes"] as? Int) > 1_000_000)
    }
    let page = try String(contentsOfFile: folder.path("page.html"), encoding: .utf8)
    #expect(page.contains("tokens per second of decryptors"))
    for label in ["fast engine", "reference engine", "ECDH and ECDSA alone", "assay-reference"] {
      #expect(page.contains(label), "\(label)")
    }
  }
}
