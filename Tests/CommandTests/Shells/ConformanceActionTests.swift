import Foundation
import TestSupport
import Testing

/// The script that the GitHub action and the GitLab template run, with the built program.
@Suite(.blocking) struct ConformanceActionTests {
  private static let folder = Package.folder.appending(path: "CI/conformance")

  private func run(_ variables: [String: String]) throws -> (outcome: Program.Outcome, reports: [String]) {
    let reports = try TemporaryFolder()
    // The forgeries in place of the core suite: enough to pass and to fail.
    let corpus = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: corpus.path("core.json"),
      withDestinationPath: Package.folder.appending(path: "Corpus/vectors/forgeries.json").path)
    let settings = [
      "ASSAY": Program.url.path, "CORPUS": corpus.url.path, "REPORTS": reports.url.path,
      "SECONDS_TO_MEASURE": "1", "GITHUB_ACTIONS": "",
    ]
    let outcome = try Program.run(
      [], environment: settings.merging(variables) { $1 }, program: Self.folder.appending(path: "run"))
    return (outcome, try FileManager.default.contentsOfDirectory(atPath: reports.url.path).sorted())
  }

  private static let engine = "'\(Program.url.path)' serve --engine fast"

  @Test func `a decryptor that decides correctly passes`() throws {
    let (outcome, reports) = try run(["COMMAND": Self.engine])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(reports == ["conformance.html", "conformance.xml"])
  }

  /// The test does not assert which is faster: on a busy machine chance decides.
  @Test func `a decryptor's speed is compared with its speed before the change`() throws {
    let folder = try TemporaryFolder()
    let (outcome, reports) = try run([
      "COMMAND": Self.engine, "BASE_COMMAND": Self.engine, "REPORTS": folder.url.path,
    ])
    #expect(reports.isEmpty && outcome.text.contains("decrypt/assay-fast/ec_v1"))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(files == ["base.json", "compare.html", "compare.xml", "conformance.html", "conformance.xml", "head.json"])
    let isSlower = try FileText.text(folder.path("compare.xml")).contains("<failure")
    #expect(outcome.status == (isSlower ? 1 : 0), "\(outcome.error)")
  }

  @Test func `a decryptor that accepts everything fails`() throws {
    let script = """
      read -r hello
      echo '{"hello":1,"name":"mine","version":"1.0","supports":["EC_v1","signature","roots"]}'
      while read -r line; do id=${line#*\\"id\\":\\"}; echo "{\\"id\\":\\"${id%%\\"*}\\",\\"accepted\\":true}"; done
      """
    let folder = try TemporaryFolder()
    let path = try folder.write(script, to: "mine.sh")
    let (outcome, reports) = try run(["COMMAND": "sh '\(path)'", "STRICTNESS": "accept"])
    #expect(outcome.status == 1)
    #expect(reports == ["conformance.html", "conformance.xml"])
  }

  @Test func `the vectors may be a file, and with what does not answer nothing is compared`() throws {
    let file = Package.folder.appending(path: "Corpus/vectors/time.json").path
    #expect(try run(["COMMAND": Self.engine, "CORPUS": file]).outcome.status == 0)
    for command in ["false", "assay-no-such-program", "exit 0"] {
      let (outcome, _) = try run(["COMMAND": command])
      #expect(outcome.status == 2 && !outcome.text.contains("refuses"), "\(outcome.text)")
    }
  }

  @Test(arguments: ["STRICTNESS", "SUITE", "SECONDS_TO_MEASURE", "COMMAND"])
  func `a setting that the program does not take is an error`(variable: String) throws {
    var settings = ["COMMAND": Self.engine, "BASE_COMMAND": Self.engine]
    settings[variable] = variable == "COMMAND" ? "" : "nonsense"
    #expect(try run(settings).outcome.status == 64)
  }

  @Test func `each input of the action reaches the script`() throws {
    let action = try FileText.text(Self.folder.appending(path: "action.yml").path)
    let script = try FileText.text(Self.folder.appending(path: "run").path)
    let fetch = try FileText.text(Self.folder.appending(path: "fetch").path)
    let used = action.matches(of: #/([A-Z_]+): \$\{\{ inputs\.([a-z-]+) (?:\|\| .*)?\}\}/#)
    let declared = action.matches(of: #/\n  ([a-z-]+):\n    description/#).map { String($0.1) }
    #expect(Set(used.map { String($0.2) }).union(["reports"]) == Set(declared))
    #expect(used.count == 10)
    for input in used where input.2 != "version" {
      let reader = ["digest", "releases", "token"].contains(input.2) ? fetch : script
      #expect(reader.contains("${\(input.1):"), "\(input.1)")
    }
    #expect(fetch.contains("$ASSAY_RELEASES/$version/"))
    let template = try FileText.text(Self.folder.appending(path: "gitlab.yml").path)
    #expect(template.contains("share/assay/conformance/run"))
  }

  private static let hasYAML =
    (try? Program.run(["-c", "import yaml"], program: URL(filePath: InstalledProgram.find("python3") ?? "/"))
      .status) == 0

  @Test(.enabled(if: hasYAML, "python3 has no module yaml"))
  func `the workflows, the action and the template are YAML`() throws {
    let files = try ["CI/conformance", ".github/workflows"].flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: Package.folder.appending(path: folder).path)
        .filter { $0.hasSuffix(".yml") }.map { Package.folder.appending(path: "\(folder)/\($0)").path }
    }
    #expect(files.count >= 6)
    let folder = try TemporaryFolder()
    let wrong = try folder.write("a: [", to: "planted.yml")
    let python = URL(filePath: try #require(InstalledProgram.find("python3")))
    let read = "import sys, yaml\nfor name in sys.argv[1:]: yaml.safe_load(open(name))"
    #expect(try Program.run(["-c", read] + files, program: python).status == 0)
    #expect(try Program.run(["-c", read, wrong], program: python).status != 0)
  }
}
