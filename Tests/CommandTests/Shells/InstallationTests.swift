import Foundation
import TestSupport
import Testing
import assay

@Suite(.blocking) struct InstallationTests {
  @Test func `the program, its manual and the completions of three shells are installed below a prefix`() throws {
    let folder = try TemporaryFolder()
    let prefix = folder.path("a prefix")
    let script = Package.folder.appending(path: "Scripts/install-files")
    #expect(try Program.run([Program.url.path, prefix], program: script).status == 0)
    let files = try FileManager.default.subpathsOfDirectory(atPath: prefix)
    let expected = [
      "bin/assay", "share/man/man1/assay.1", "share/man/man1/assay-bench-run.1",
      "share/bash-completion/completions/assay", "share/zsh/site-functions/_assay",
      "share/fish/vendor_completions.d/assay.fish",
    ]
    #expect(Set(expected).isSubset(of: files))
    #expect(files.count { $0.hasSuffix(".1") } == CommandLineProgram.definitions.count + 1)
    #expect(try Program.run(["version"], program: URL(filePath: prefix + "/bin/assay")).status == 0)
  }

  /// The names of files that others cannot read, and of folders that they cannot open.
  private static func unreadable(_ folder: String) throws -> String {
    try Program.shell("find \"$1\" ! -perm -o=r -o -type d ! -perm -o=x", [folder]).text
  }

  @Test func `whatever the mask of whoever installs or packs, everybody can read the files`() throws {
    let folder = try TemporaryFolder()
    let source = Package.folder
    let install = "umask 077; \"$1\" \"$2\" \"$3\""
    let script = source.appending(path: "Scripts/install-files").path
    #expect(try Program.shell(install, [script, Program.url.path, folder.path("prefix")]).status == 0)
    #expect(try Self.unreadable(folder.path("prefix")) == "")
    // A project with few files, which its owner alone can read.
    let make = """
      umask 077; cd "$1"; mkdir -p Scripts CI/conformance Corpus/seeds
      cp "$2"/Scripts/pack "$2"/Scripts/common.sh "$2"/Scripts/install-files Scripts
      cp "$2"/CI/conformance/run CI/conformance; cp "$2"/Corpus/README.md Corpus; touch README.md LICENSE CHANGELOG.md
      chmod 600 Corpus/README.md; Scripts/pack "$3" packed && mkdir out && tar -xpzf packed/assay-*.tar.gz -C out
      """
    // A script stands for the program, which gzip would need seconds to compress.
    let program = try folder.write("#!/bin/sh\nexec '\(Program.url.path)' \"$@\"\n", to: "program")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let packed = try Program.shell(make, [folder.url.path, source.path, program])
    #expect(packed.status == 0, "\(packed.error)")
    let root = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).first)
    #expect(try Self.unreadable(folder.path("out/\(root)")) == "")
    #expect(try Self.unreadable(folder.path("Corpus")).contains("README.md"))
  }

  @Test(arguments: [
    ("exit 0", 4_000_000, 0, ""), ("exit 3", 4_000_000, 3, "make clean"), ("exit 3", 9_000, 3, "only 8 MB are free"),
    ("kill -TERM $PPID", 4_000_000, 130, "continues where it stopped"),
  ])
  func `a build that ends early says in one line how to go on`(
    swift: String, kilobytes: Int, status: Int32, words: String
  ) throws {
    let folder = try TemporaryFolder()
    for (name, text) in [("swift", swift), ("df", "echo\necho a b c \(kilobytes) e f")] {
      let path = try folder.write("#!/bin/sh\n\(text)\n", to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    let script = Package.folder.appending(path: "Scripts/build").path
    let outcome = try Program.shell("PATH=$1:$PATH exec \"$2\"", [folder.url.path, script])
    #expect(outcome.status == status)
    #expect(outcome.error.split(separator: "\n").count == (words.isEmpty ? 0 : 1))
    #expect(words.isEmpty || outcome.error.contains(words))
  }

  @Test func `make installs below DESTDIR and PREFIX`() throws {
    let folder = Package.folder.path
    let outcome = try Program.shell("cd \"$1\" && make --no-print-directory -n install DESTDIR=/d PREFIX=/p", [folder])
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("Scripts/install-files .build-release/release/assay '/d/p'"))
  }

  @Test func `the commit is that of the program, whatever folder it is started in`() throws {
    let other = try TemporaryFolder()
    let git = "git -c user.name=a -c user.email=a@example.com -C \"$1\""
    let made = try Program.shell("\(git) init -q && \(git) commit -q --allow-empty -m a", [other.url.path])
    try #require(made.status == 0)
    func commit(_ program: String) throws -> String? {
      let outcome = try Program.shell("cd \"$1\" && exec \"$2\" --version --json", [other.url.path, program])
      #expect(outcome.status == 0)
      return try outcome.json()["commit"] as? String
    }
    let head = try Program.shell("git -C \"$1\" rev-parse HEAD 2>/dev/null", [Package.folder.path]).text.prefix(40)
    #expect(try commit(Program.url.path)?.prefix(40) == (head.isEmpty ? nil : head))
    // A copy in another project does not name that project's commit.
    try FileManager.default.copyItem(atPath: Program.url.path, toPath: other.path("assay"))
    #expect(try commit(other.path("assay")) == nil)
  }

  @Test func `a program older than its checkout does not claim its commit`() throws {
    let checkout = try TemporaryFolder()
    _ = try checkout.write("", to: "Sources/assay/main.swift")
    let made = try Program.shell(
      "git init -q && git add . && git -c user.name=a -c user.email=a@example.com commit -q -m a && git rev-parse HEAD",
      in: checkout)
    try #require(made.status == 0)
    let head = made.text.prefix(40)
    try FileManager.default.copyItem(atPath: Program.url.path, toPath: checkout.path("assay"))
    for (age, ending) in [(-3_600, ""), (3_600, "-stale")] as [(TimeInterval, String)] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: checkout.path("assay"))
      let outcome = try Program.run(
        ["version", "--json"], environment: ["ASSAY_COMMIT": ""], program: URL(filePath: checkout.path("assay")))
      #expect(try outcome.json()["commit"] as? String == head + ending)
    }
    // Without a reflog nobody knows.
    try FileManager.default.removeItem(atPath: checkout.path(".git/logs/HEAD"))
    try FileManager.default.setAttributes([.modificationDate: Date.now], ofItemAtPath: checkout.path("assay"))
    let outcome = try Program.run(
      ["version", "--json"], environment: ["ASSAY_COMMIT": ""], program: URL(filePath: checkout.path("assay")))
    #expect(try outcome.json()["commit"] as? String == head + "-stale")
  }

  @Test func `the version is one document, and the same as text`() throws {
    let document = try Program.run(["version", "--json"]).json()
    #expect(document["schema"] as? String == "assay.version/1")
    let text = try Program.run(["--version"])
    #expect(text.status == 0)
    for member in ["version", "swift", "openssl", "libsodium", "architecture"] {
      let value = try #require(document[member] as? String)
      #expect(text.text.contains("  \(value)\n"), "\(member)")
    }
    #expect(document["kernels"] is [String: Any])
    #expect(try Program.run(["--version", "operand"]).status == 64)
  }
}
