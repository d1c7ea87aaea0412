import Foundation
import TestSupport
import Testing

/// `Scripts/comment-benchmarks` with a stand-in for GitHub.
@Suite(.blocking, .enabled(if: InstalledProgram.find("python3") != nil)) struct BenchCommentTests {
  /// A stand-in for `gh`, which answers from files in a folder and writes what it gets into others.
  private struct Host {
    let folder: TemporaryFolder
    static let commit = String(repeating: "0a", count: 20)

    /// - Parameters:
    ///   - archive: Python that writes members with `add(name, bytes)`; nil for no artifact.
    ///   - head: the head of the open pull request.
    init(_ archive: String?, head: String = Host.commit, size: Int = 1_000) throws {
      folder = try TemporaryFolder()
      try FileManager.default.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: false)
      if let archive {
        let script = """
          zipfile = __import__("zipfile")
          with zipfile.ZipFile(r'\(folder.path("archive.zip"))', 'w', zipfile.ZIP_DEFLATED) as archive:
            add = archive.writestr
            \(archive)
          """
        #expect(try Program.run(["-c", script], program: Self.python).status == 0)
      }
      let artifacts =
        archive == nil ? "" : #"{"id": 7, "name": "benchmarks", "expired": false, "size_in_bytes": \#(size)}"#
      let path = try folder.write(
        #"""
        #!/bin/sh
        cd '\#(folder.url.path)'
        printf '%s\n' "$*" >>calls
        case "$*" in
        *" PATCH "*) cat >edited ;;
        *" POST "*) cat >created ;;
        *actions/artifacts/7/zip*) cat archive.zip ;;
        *artifacts*) printf '%s' '[{"artifacts": []}, {"artifacts": [\#(artifacts)]}]' ;;
        */comments*) cat comments ;;
        *pulls*) printf '%s' '[[], [{"number": 12, "head": {"sha": "\#(head)"}}]]' ;;
        *) exit 1 ;;
        esac

        """#, to: "bin/gh")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      _ = try folder.write("[[]]", to: "comments")
    }

    static let python = URL(filePath: InstalledProgram.find("python3") ?? "")

    func run() throws -> Program.Outcome {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      return try Program.run(
        [Package.folder.appending(path: "Scripts/comment-benchmarks").path],
        environment: [
          "PATH": folder.path("bin") + ":" + path, "GITHUB_REPOSITORY": "o/r", "RUN_ID": "3", "HEAD_SHA": Self.commit,
          "RUN_URL": "https://github.example/o/r/actions/runs/3", "HEAD_OWNER": "fork", "HEAD_BRANCH": "a $(b) 'c'",
        ], program: Self.python)
    }

    func body(of name: String) throws -> String? {
      guard let data = FileManager.default.contents(atPath: folder.path(name)) else { return nil }
      return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])["body"] as? String
    }

    var calls: String {
      FileManager.default.contents(atPath: folder.path("calls")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  private let results = #"add("compare.md", "Nothing\n\n| a | b |\n| --- | --- |\n"); add("run.md", "all hold")"#

  @Test func `the first run creates a comment and later ones edit it`() throws {
    let host = try Host(results)
    #expect(try host.run().status == 0)
    let body = try #require(try host.body(of: "created"))
    #expect(body.hasPrefix("<!-- assay-benchmarks -->") && body.contains("| --- | --- |") && body.contains("all hold"))
    #expect(body.contains("https://github.example/o/r/actions/runs/3#artifacts"))
    #expect(host.calls.contains("repos/o/r/issues/12/comments") && host.calls.contains("head=fork:a $(b) 'c'"))
    #expect(try host.body(of: "edited") == nil)
    // A comment by another with the same mark is not ours.
    let mark = "<!-- assay-benchmarks --> x"
    let comments = [("mallory", 4, mark), ("github-actions[bot]", 5, "other"), ("github-actions[bot]", 6, mark)].map {
      #"{"user": {"login": "\#($0.0)"}, "id": \#($0.1), "body": "\#($0.2)"}"#
    }
    _ = try host.folder.write("[[\(comments[0])], [\(comments[1]), \(comments[2])]]", to: "comments")
    #expect(try host.run().status == 0)
    #expect(try host.calls.contains("issues/comments/6") && host.body(of: "edited") == body)
  }

  @Test func `a commit that is no head any more gets no comment`() throws {
    let host = try Host(results, head: String(repeating: "0b", count: 20))
    #expect(try host.run().status == 0)
    #expect(host.calls.contains("pulls") && !host.calls.contains("comments"))
  }

  @Test(arguments: [
    #"add("run.txt", "x"); add("../compare.md", "planted"); add("a/run.md", "planted")"#,
    #"archive.fp.write(b"planted")"#,
    // Streams that their decompressors refuse.
    #"add("run.md", "planted" * 99); archive.fp.seek(36); archive.fp.write(b"\xff" * 9)"#,
    #"add("run.md", "planted" * 99, zipfile.ZIP_LZMA); archive.fp.seek(40); archive.fp.write(b"\xff" * 9)"#,
  ]) func `an archive without the two members shows nothing of itself`(archive: String) throws {
    let host = try Host(archive)
    #expect(try host.run().status == 0)
    let body = try #require(try host.body(of: "created"))
    #expect(body.contains("There are no results.") && !body.contains("planted"))
  }

  @Test func `what the archive holds is no link, no mention, no HTML and not too long`() throws {
    let text =
      #"<img src=x onerror=y> [a](https://b.example) ![c](//d) @someone #12 GH-7 www.e.example `f` </details> &#64;entity \\\\[e](//f) \u202e $x$ 0123456789abcdef0123456789abcdef01234567"#
    let members = #"add("compare.md", """~~~mermaid\n\#(text)\n""" + 200000 * "long\n"); add("run.md", 10**7 * "z")"#
    let host = try Host(members)
    #expect(try host.run().status == 0)
    let body = try #require(try host.body(of: "created"))
    #expect(body.count < 65_536)
    for word in ["<img", "[a](", "![c]", "@someone", "#12", "GH-7", "www.e", "://b.example", "\u{202E}"] {
      #expect(!body.contains(word), "\(word)")
    }
    #expect(body.components(separatedBy: "</details>").count == 2)
    #expect(body.contains(#"\~\~\~mermaid"#) && body.contains(#"\$x\$"#))
    #expect(body.firstMatch(of: #/[0-9a-f]{13}/#) == nil && body.contains("012345\u{200B}6789ab\u{200B}"))
    #expect(body.contains(#"\\\[e\](//f)"#) && body.contains("&amp;#") && !body.contains("&#64;"))
    #expect(body.contains("&lt;img") && body.contains("someone") && body.contains("and more, which the pages have"))
  }

  @Test func `an artifact that is too large is not fetched, and what GitHub refuses is a failure`() throws {
    let large = try Host(results, size: 1 << 30)
    #expect(try large.run().status == 0)
    #expect(try !large.calls.contains("/zip") && large.body(of: "created")?.contains("no results") == true)
    let refusing = try Host(results)
    _ = try refusing.folder.write("#!/bin/sh\nexit 4\n", to: "bin/gh")
    #expect(try refusing.run().status == 1)
  }
}
