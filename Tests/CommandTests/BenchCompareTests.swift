import Foundation
import TestSupport
import Testing

/// Writes a script that poses as a build: it has the benchmarks that are asked for and, unless a stage is asked for by
/// its whole name, `others`. It reports the same time for each.
private func writeBuild(in folder: TemporaryFolder, nanoseconds: Int, adding others: String = "") throws -> String {
  let path = try folder.write(
    """
    #!/bin/sh
    # bench worker --seed N --tokens N NAME…
    shift 6
    names=
    for name in "$@"; do names="$names ${name#=}"; done
    case " $* " in *" =stage"*) ;; *) names="$names \(others)" ;; esac
    while read -r word rest; do
      case $word in
      names) echo "ready$names" ;;
      time) echo \(nanoseconds) ;;
      memory) echo 1000000 ;;
      esac
    done

    """, to: "build")
  try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  return path
}

@Suite(.blocking, .serialized)
struct BenchCompareTests {
  private let name = "stage/json/fast"

  private func compare(_ base: String, _ more: [String] = []) throws -> Program.Outcome {
    try Program.run(
      ["bench", "compare", "--base-binary", base, "--name", name, "--blocks", "6", "--seconds", "0.2", "--quiet"] + more
    )
  }

  private func verdicts(_ outcome: Program.Outcome) throws -> [String: String] {
    let rows = try #require(try outcome.json()["results"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: rows.compactMap { row in
        (row["name"] as? String).flatMap { name in (row["verdict"] as? String).map { (name, $0) } }
      })
  }

  /// A terminal obeys control characters, and a reader is deceived by changes of direction.
  @Test(arguments: [[], ["--json"]])
  func `what saved results say is written without control characters`(form: [String]) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      #"""
      {"schema": "assay.bench/1", "environment": {"cpu": "x", "os": "x", "commit": "\u001b]0;planted\u0007\u202e"},
       "results": [{"name": "stage/ecdh/openssl", "p50_ns": 1, "samples_ns": [1, 1, 1]},
         {"name": "stage/ecdsa-verify/openssl", "p50_ns": 1, "samples_ns": [1, 1, 1]}], "ratios": [], "warnings": ["\u001b[2J\u001b[Hregression: planted\u001b[8m\u009b\u2066"]}
      """#, to: "saved.json")
    let outcome = try Program.run(["bench", "compare", path, path] + form)
    let text = outcome.text + outcome.error
    #expect(text.contains("planted"))
    #expect(
      text.unicodeScalars.filter {
        $0 != "\n" && [.control, .format].contains($0.properties.generalCategory)
      } == [])
  }

  @Test func `a build compared with itself does not regress`() throws {
    var outcome = try compare(Program.url.path, ["--json"])
    // One comparison in a hundred is wrong by chance.
    if outcome.status == 1 { outcome = try compare(Program.url.path, ["--json"]) }
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.json()["schema"] as? String == "assay.bench-compare/1")
    #expect(try verdicts(outcome)[name] != "regressed")
  }

  @Test func `what takes longer than in the base regressed, what takes less improved`() throws {
    let folder = try TemporaryFolder()
    let slower = try compare(writeBuild(in: folder, nanoseconds: 1), ["--json"])
    #expect(slower.status == 1, "\(slower.error)")
    #expect(try verdicts(slower) == [name: "regressed"])
    let faster = try compare(writeBuild(in: folder, nanoseconds: 1_000_000_000), ["--json"])
    #expect(faster.status == 0, "\(faster.error)")
    #expect(try verdicts(faster) == [name: "improved"])
  }

  @Test func `a benchmark that vanished is a finding`() throws {
    let folder = try TemporaryFolder()
    let base = try writeBuild(in: folder, nanoseconds: 1_000_000_000, adding: "stage/gone/fast")
    let reports = ["html", "junit", "markdown"].map { (kind: $0, path: folder.path("report.\($0)")) }
    let outcome = try compare(base, ["--json"] + reports.flatMap { ["--report", "\($0.kind)=\($0.path)"] })
    #expect(outcome.status == 1)
    #expect(try verdicts(outcome) == [name: "improved", "stage/gone/fast": "missing"])
    for report in reports {
      let text = try String(contentsOfFile: report.path, encoding: .utf8)
      #expect(text.contains("stage/gone/fast") && text.contains("missing"), "\(report.kind)")
    }
  }

  @Test func `an inconclusive comparison says what it could have seen, and is a failure if that is asked for`() throws {
    let folder = try TemporaryFolder()
    // Every other process of the base reports a second, the ones between them a nanosecond.
    let base = try folder.write(
      """
      #!/bin/sh
      shift 6
      names=
      for name in "$@"; do names="$names ${name#=}"; done
      echo >>'\(folder.path("starts"))'
      [ $(($(wc -l <'\(folder.path("starts"))') % 2)) -eq 0 ] && time=1 || time=1000000000
      while read -r word rest; do
        case $word in
        names) echo "ready$names" ;;
        time) echo $time ;;
        memory) echo 1000000 ;;
        esac
      done

      """, to: "build")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: base)
    let lenient = try compare(base, ["--json"])
    #expect(try lenient.status == 0 && verdicts(lenient) == [name: "inconclusive"], "\(lenient.error)")
    let row = try #require(try lenient.json()["results"] as? [[String: Any]]).first
    #expect(try #require(row?["detectable"] as? Double) > 1)
    let strict = try compare(base, ["--fail-inconclusive"])
    #expect(strict.status == 2 && strict.text.hasPrefix("This run could have seen"), "\(strict.error)")
    let slower = try compare(writeBuild(in: folder, nanoseconds: 1), ["--fail-inconclusive"])
    #expect(slower.status == 1)
  }

  @Test func `a base that is no build is no answer`() throws {
    #expect(try compare("/bin/true").status == 2)
    #expect(try compare("/nonexistent").status == 2)
    #expect(try Program.run(["bench", "compare"]).status == 64)
    #expect(try Program.run(["bench", "compare", "nothing", "--base-binary", "/bin/true"]).status == 64)
    #expect(try Program.run(["bench", "compare", "nothing", "--instructions"]).status == 64)
  }

  @Test(.enabled(if: ["valgrind", "strip"].allSatisfy { InstalledProgram.find($0) != nil }, "valgrind is missing"))
  func `instructions are counted of a binary, and not of a script`() throws {
    let folder = try TemporaryFolder()
    let base = try writeBuild(in: folder, nanoseconds: 1_000_000, adding: "stage/gone/fast")
    let outcome = try compare(base, ["--instructions"])
    #expect(outcome.status == 2 && outcome.error.contains("not a script"), "\(outcome.error)")
  }

  // MARK: Saved measurements

  @Test func `a measurement that was saved is compared`() throws {
    let folder = try TemporaryFolder()
    let options = ["--seconds", "0.2", "--quiet"]
    let saved = try Program.run(
      ["bench", "run", "--json", "stage/json/fast", "stage/ecdh", "stage/ecdsa-verify"] + options)
    #expect(saved.status == 0, "\(saved.error)")
    let first = try folder.write(saved.text, to: "first.json")
    let names = ["--name", "stage/json/fast", "--name", "stage/ecdh", "--name", "stage/ecdsa-verify"]

    // Compared with itself, nothing can have changed.
    let same = try Program.run(["bench", "compare", first, first, "--json"] + options)
    #expect(same.status == 0, "\(same.error)")
    let verdict = try verdicts(same)
    #expect(verdict.count == 1 && ["unchanged", "inconclusive"].contains(verdict["stage/json/fast"]))
    let now = try Program.run(["bench", "compare", first, "--json"] + options + names)
    #expect([0, 1].contains(now.status), "\(now.error)")
    #expect(try Array(verdicts(now).keys) == ["stage/json/fast"])

    // A measurement with another OpenSSL cannot be compared.
    let other = try folder.write(
      saved.text.replacingOccurrences(of: "\"openssl\":\"", with: "\"openssl\":\"0"), to: "other.json")
    #expect(try Program.run(["bench", "compare", first, other] + options).status == 2)
    #expect(try Program.run(["bench", "compare", folder.path("absent")] + options).status == 2)
  }

  /// A made-up measurement of these benchmarks on a made-up processor.
  private func saved(_ names: [String]) -> String {
    let results = names.map { #"{"name": "\#($0)", "p50_ns": 1, "samples_ns": [1, 1, 1]}"# }
    return #"{"schema": "assay.bench/1", "environment": {"cpu": "XEON"}, "ratios": [], "results": ["#
      + results.joined(separator: ",") + "]}"
  }

  /// The command runs without `--quiet`: a measurement would be announced.
  @Test func `what a base lacks is said before anything is measured, with names that bring it about`() throws {
    let folder = try TemporaryFolder()
    let list = try Program.run(["bench", "list"]).text.split { $0.isWhitespace }.map(String.init)
    let names = list.filter { $0.hasPrefix("decrypt/fast/") }
    try #require(names.count > 8)
    let file = try folder.write(saved(names), to: "a.json")
    let outcome = try Program.run(["bench", "compare", file])
    #expect(outcome.status == 2 && !outcome.error.contains("measures"))
    let advice = "assay bench run --json decrypt/fast '=stage/ecdh/openssl' '=stage/ecdsa-verify/openssl'."
    #expect(outcome.error.contains(advice), "\(outcome.error)")
  }

  @Test func `machines that differ are named by their files before anything is measured`() throws {
    let folder = try TemporaryFolder()
    let text = saved(["stage/ecdh/openssl", "stage/ecdsa-verify/openssl"])
    let file = try folder.write(text, to: "c.json")
    let other = try folder.write(text.replacing("XEON", with: "EPYC"), to: "d.json")
    let pair = try Program.run(["bench", "compare", file, other])
    #expect(pair.status == 2 && pair.error.contains("cpu is XEON in \(file) and EPYC in \(other), "))
    let cpu = try #require(try Program.run(["env", "--json"]).json()["cpu"] as? String)
    for (arguments, place) in [([file], "in \(file)"), (["-"], "in standard input")] {
      let outcome = try Program.run(["bench", "compare"] + arguments, input: URL(filePath: file))
      #expect(outcome.status == 2 && !outcome.error.contains("measures"))
      #expect(outcome.error.contains("cpu is XEON \(place) and \(cpu) now, "), "\(outcome.error)")
    }
  }

  // MARK: Reports and externals

  @Test func `the page is one file that loads nothing, with plots`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("page.html")
    let outcome = try Program.run([
      "bench", "run", "--seconds", "0.2", "--quiet", "--report", "html=\(path)",
      "--report", "csv=\(folder.path("csv"))", "--report", "github-benchmark=\(folder.path("action.json"))",
      "stage/json/fast", "stage/cms/fast", "decrypt/fast/ec_v1/threads",
    ])
    #expect(outcome.status == 0, "\(outcome.error)")
    let page = try String(contentsOfFile: path, encoding: .utf8)
    #expect(page.contains("<svg") && page.contains("Where the time goes"))
    #expect(page.contains("decrypt/fast/ec_v1/threads2"))
    let words = ["http://", "https://", "<script", "url(", "@import"]
    #expect(words.filter(page.contains) == [] && words.filter((page + words.joined()).contains) == words)

    let rows = try FileText.text(folder.path("csv")).split(separator: "\n").dropFirst()
    #expect(rows.contains { $0.contains(",stage/json/fast,") })
    let entries =
      try JSONSerialization.jsonObject(with: try FileText.data(folder.path("action.json"))) as? [[String: Any]]
    #expect(entries?.count == rows.count && entries?.first?["unit"] as? String == "ns")
  }

  @Test func `each command has its own forms of reports`() throws {
    #expect(try Program.run(["bench", "run", "--report", "vcd=x"]).status == 64)
    #expect(try Program.run(["bench", "compare", "a", "--report", "csv=x"]).status == 64)
  }

  @Test func `an external stands beside the engines, and what the protocol costs`() throws {
    let outcome = try Program.run([
      "bench", "run", "--seconds", "0.2", "--json", "--quiet", "--external",
      "exec '\(Program.url.path)' serve --engine reference", "=decrypt/fast/ec_v1",
    ])
    #expect(outcome.status == 0, "\(outcome.error)")
    let document = try outcome.json()
    let names = try #require(document["results"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    let name = "assay-reference"
    #expect(
      names == [
        "decrypt/fast/ec_v1", "external/echo", "decrypt/\(name)/ec_v1", "decrypt/\(name)/ec_v1/pipelined8",
        "external/\(name)/protocol",
      ])
    let ratios = try #require(document["ratios"] as? [[String: Any]])
    #expect(ratios.map { $0["name"] as? String } == ["\(name) over fast", "\(name) less the protocol over fast"])
    #expect(ratios.map { $0["numerator"] as? String } == ["decrypt/\(name)/ec_v1", "decrypt/\(name)/ec_v1"])
    #expect(ratios.map { $0["subtracted"] as? String } == ["", "external/\(name)/protocol"])
    #expect(try #require(ratios.first?["ratio"] as? Double) > 0)
  }

  @Test func `an external that answers wrongly is not timed`() throws {
    let outcome = try Program.run([
      "bench", "run", "--seconds", "0.2", "--quiet", "--external", "exec '\(Program.url.path)' bench echo",
      "=decrypt/fast/ec_v1",
    ])
    // All externals are dropped.
    #expect(outcome.status == 2)
    #expect(outcome.text.contains("echo: dropped: does not decide every token (unsupported"))
  }

  @Test func `the commit is the one that is checked out, or the one that is named`() throws {
    func commit(_ environment: [String: String]) throws -> String? {
      try Program.run(["version", "--json"], environment: environment).json()["commit"] as? String
    }
    let named = String(repeating: "0a", count: 20)
    #expect(try commit(["ASSAY_COMMIT": named]) == named)
    // The tests may run without a checkout. The program may then name no commit.
    if let found = try commit(["ASSAY_COMMIT": "not a commit"]) {
      #expect(found.prefix(40).allSatisfy(\.isHexDigit) && found.count >= 40)
    }
  }

  @Test func `a measurement without the unit of times is answered with what to run`() throws {
    let folder = try TemporaryFolder()
    let measured = try Program.run(["bench", "run", "--seconds", "0.2", "--quiet", "--json", "=stage/json/fast"])
    let file = try folder.write(measured.text, to: "a.json")
    let outcome = try Program.run(["bench", "compare", file, file])
    #expect(outcome.status == 2)
    #expect(
      outcome.error.contains(
        "assay bench run --json '=stage/json/fast' '=stage/ecdh/openssl' '=stage/ecdsa-verify/openssl'"),
      "\(outcome.error)")
    // A comparison that measures also measures the unit of times.
    let words = try #require(outcome.error.firstMatch(of: /assay (bench run --json [^.]*)\./)).1.split(separator: " ")
    let whole = try Program.run(words.map { word in word.filter { $0 != "'" } } + ["--seconds", "0.2", "--quiet"])
    let base = try folder.write(whole.text, to: "base.json")
    let now = try Program.run(["bench", "compare", base, "--name", "stage/json/fast", "--seconds", "0.2", "--quiet"])
    #expect([0, 1].contains(now.status), "\(now.error)")
  }
}
