import Foundation
import TestSupport
import Testing

/// How CI gets a release of assay: the script of the GitHub action, and the lines of the GitLab template.
@Suite(.blocking, .enabled(if: InstalledProgram.find("curl") != nil, "curl is not installed"))
struct ReleaseDownloadTests {
  enum Way: String, CaseIterable {
    case action, template
  }

  /// A folder with one release, whose conformance script prints `conforms`.
  private struct Releases {
    let folder: TemporaryFolder
    /// The name of the archive without `.tar.gz`.
    let name: String

    init() throws {
      folder = try TemporaryFolder()
      let pack = """
        cd "$1"; machine=$(uname -m); [ "$machine" != aarch64 ] || machine=arm64; name=assay-9.8.7-linux-$machine
        mkdir -p v9.8.7 "$name/bin" "$name/share/assay/conformance" && echo program >"$name/bin/assay"
        printf '#!/bin/sh\\necho conforms\\n' >"$name/share/assay/conformance/run"
        chmod +x "$name/share/assay/conformance/run" && tar -czf "v9.8.7/$name.tar.gz" "$name"
        cd v9.8.7 && sha256sum "$name.tar.gz" >SHA256SUMS && echo "$name"
        """
      let packed = try Program.run(["-c", pack, "sh", folder.url.path], program: URL(filePath: "/bin/sh"))
      name = packed.text.trimmingCharacters(in: .newlines)
    }

    var archive: String { folder.path("v9.8.7/\(name).tar.gz") }

    /// The line of the checksum.
    func checksum() throws -> String { try FileText.text(checksums) }

    var checksums: String { folder.path("v9.8.7/SHA256SUMS") }

    /// Downloads into a new folder; `isUnpacked` tells whether anything was unpacked there.
    func fetch(by way: Way, _ variables: [String: String] = [:]) throws -> (outcome: Program.Outcome, isUnpacked: Bool)
    {
      let target = try TemporaryFolder()
      let settings = ["ASSAY_RELEASES": folder.url.absoluteString, "ASSAY_VERSION": "v9.8.7"].merging(variables) { $1 }
      let outcome =
        switch way {
        case .action:
          try Program.run(
            ["v9.8.7", target.url.path], environment: settings,
            program: Package.folder.appending(path: "CI/conformance/fetch"))
        case .template:
          try Program.run(
            ["-c", "cd \"$1\" && set -e\n" + Self.templateScript(), "bash", target.url.path], environment: settings,
            program: URL(filePath: "/bin/bash"))
        }
      return (outcome, FileManager.default.fileExists(atPath: target.path(name)))
    }

    /// The script of gitlab.yml: the block of lines that follows its key.
    private static func templateScript() throws -> String {
      let text = try FileText.text(Package.folder.appending(path: "CI/conformance/gitlab.yml").path)
      let start = try #require(text.range(of: "    - |\n"))
      let lines = text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      return lines.prefix { $0.hasPrefix("      ") }.map { $0.dropFirst(6) + "\n" }.joined()
    }
  }

  @Test(arguments: Way.allCases)
  func `a release with its checksum is unpacked`(way: Way) throws {
    let releases = try Releases()
    let (outcome, isUnpacked) = try releases.fetch(by: way)
    #expect(outcome.status == 0 && isUnpacked, "\(outcome.error)")
    #expect(way == .action ? outcome.text.hasSuffix("/\(releases.name)/bin/assay\n") : outcome.text == "conforms\n")
    let digest = String(try releases.checksum().prefix(64))
    #expect(try releases.fetch(by: way, ["DIGEST": digest]).isUnpacked)
    #expect(try releases.fetch(by: way, ["DIGEST": ""]).isUnpacked)
    // The checksum stands among those of other files.
    let others = ["-debug.tar.gz", ".spdx.json"].map { "\(String(repeating: "0", count: 64))  \(releases.name)\($0)\n" }
    try Data((others[0] + releases.checksum() + others[1]).utf8).write(to: URL(filePath: releases.checksums))
    #expect(try releases.fetch(by: way).isUnpacked)
  }

  @Test(arguments: Way.allCases)
  func `an archive with other content than its checksum is not unpacked`(way: Way) throws {
    let releases = try Releases()
    let archive = try FileHandle(forWritingTo: URL(filePath: releases.archive))
    try archive.seekToEnd()
    try archive.write(contentsOf: Data([0]))
    try archive.close()
    let (outcome, isUnpacked) = try releases.fetch(by: way)
    #expect(outcome.status != 0 && outcome.output.isEmpty && !isUnpacked)
  }

  @Test(arguments: Way.allCases)
  func `a checksum of anything else is none of the archive`(way: Way) throws {
    let releases = try Releases()
    let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    let right = try releases.checksum()
    for text in [
      "\(nothing)  /dev/null\n", "\(nothing)  /dev/null\nnonsense\n", "",
      "\(right)\(nothing)  \(releases.name).tar.gz\n", "\(nothing)  \(releases.name).tar.gz\n\(right)",
      right.replacing(".tar.gz", with: ".zip"), "\(nothing)  \(releases.name).tar.gz\n",
    ] {
      try Data(text.utf8).write(to: URL(filePath: releases.checksums))
      let (outcome, isUnpacked) = try releases.fetch(by: way)
      #expect(outcome.status != 0 && outcome.output.isEmpty && !isUnpacked, "\(text)")
    }
  }

  @Test(arguments: Way.allCases)
  func `an archive without the digest that was given is not unpacked, whatever its checksum`(way: Way) throws {
    let releases = try Releases()
    let (outcome, isUnpacked) = try releases.fetch(by: way, ["DIGEST": String(repeating: "0", count: 64)])
    #expect(outcome.status != 0 && outcome.output.isEmpty && !isUnpacked)
    #expect(outcome.error.contains(try releases.checksum().prefix(64)))
  }

  @Test(arguments: Way.allCases, [("https", "=https"), ("http", "=http")])
  func `a redirect from https to http is not followed`(way: Way, addresses: (scheme: String, allowed: String)) throws {
    let folder = try TemporaryFolder()
    let curl = try folder.write("#!/bin/sh\nprintf '%s\\n' \"$@\" >'\(folder.path("arguments"))'\nexit 1\n", to: "curl")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: curl)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let (outcome, _) = try Releases().fetch(
      by: way, ["ASSAY_RELEASES": "\(addresses.scheme)://example.test/d", "PATH": "\(folder.url.path):\(path)"])
    #expect(outcome.status != 0)
    let arguments = try FileText.text(folder.path("arguments"))
    #expect(arguments.contains("--proto\n\(addresses.allowed)\n") && arguments.contains("--location\n"))
  }

  @Test(arguments: [(verifies: true, hasDigest: false), (false, false), (false, true)])
  func `GitHub's releases are downloaded by gh, which verifies an archive without a digest`(
    verifies: Bool, hasDigest: Bool
  ) throws {
    let releases = try Releases()
    let calls = releases.folder.path("calls")
    let script = """
      #!/bin/sh
      printf '%s %s\\n' "$GH_HOST $GH_TOKEN" "$*" >>'\(calls)'
      case $1 in attestation) exit \(verifies ? 0 : 1) ;; esac
      cp "\(releases.folder.url.path)/$3/$7" .
      """
    let gh = try releases.folder.write(script, to: "bin/gh")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: gh)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    var settings = ["PATH": "\(releases.folder.path("bin")):\(path)", "TOKEN": "secret"]
    settings["GITHUB_SERVER_URL"] = "https://github.example"
    if hasDigest { settings["DIGEST"] = String(try releases.checksum().prefix(64)) }
    // Releases of a server other than GitHub are not downloaded by gh, which gets the token.
    #expect(try releases.fetch(by: .action, settings).isUnpacked)
    #expect(!FileManager.default.fileExists(atPath: calls))
    settings["ASSAY_RELEASES"] = "https://github.example/o/r/releases/download"
    let (outcome, isUnpacked) = try releases.fetch(by: .action, settings)
    #expect((outcome.status == 0) == isUnpacked && isUnpacked == (verifies || hasDigest), "\(outcome.error)")
    let said = try FileText.text(calls).split(separator: "\n")
    #expect(said.count == (hasDigest ? 2 : 3) && said.allSatisfy { $0.hasPrefix("github.example secret ") })
    let options = "--repo o/r --source-ref refs/tags/v9.8.7 --signer-workflow o/r/.github/workflows/release.yml"
    #expect(hasDigest || said.last?.contains("\(options) --deny-self-hosted-runners") == true)
  }

  @Test func `releases need an address`() throws {
    for address in ["", "example.test/releases", "ftp://example.test"] {
      #expect(try Releases().fetch(by: .action, ["ASSAY_RELEASES": address]).outcome.status == 64)
    }
  }

  @Test func `a release is published only when its tag is pushed`() throws {
    let workflow = try FileText.text(Package.folder.appending(path: ".github/workflows/release.yml").path)
    let publish = try #require(workflow.range(of: "\n  publish:\n"))
    #expect(
      workflow[publish.upperBound...].prefix(120).contains("github.event_name == 'push' && github.ref_type == 'tag'"))
  }
}
