import Foundation
import TestSupport
import Testing

/// `assay diff --check-adapter` finds out what is wrong with an adapter. The adapters are `assay serve`, with one thing
/// that sed changes.
@Suite(.blocking) struct AdapterCheckTests {
  private func check(_ command: String) throws -> (status: Int32, document: [String: Any]) {
    let outcome = try Program.run(["diff", "--check-adapter", "--json", "--external", command])
    return (outcome.status, try outcome.json())
  }

  private static let serve = "'\(Program.url.path)' serve --engine reference"

  private func answers(_ document: [String: Any]) -> [String: Bool] {
    let steps = document["steps"] as? [[String: Any]] ?? []
    return Dictionary(
      uniqueKeysWithValues: steps.map { ($0["name"] as? String ?? "", $0["right"] as? Bool ?? false) })
  }

  @Test func `an adapter that decides correctly is ready`() throws {
    let (status, document) = try check(Self.serve)
    #expect(status == 0)
    #expect(document["ready"] as? Bool == true)
    #expect(answers(document) == ["plain token": true, "forged token": true])
  }

  @Test func `the commands that follow name the adapter, and run where no clone is`() throws {
    let outcome = try Program.run(["diff", "--check-adapter", "--external", Self.serve])
    let commands = outcome.text.split(separator: "\n").filter { $0.hasPrefix("assay ") }
    #expect(commands.first == "assay corpus generate --corpus assay-corpus" && commands.count == 2)
    // Stands for the corpus that the first command makes.
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("assay-corpus"), withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      atPath: Package.folder.appending(path: "Corpus/core.json").path, toPath: folder.path("assay-corpus/core.json"))
    let next = try Program.shell("\(commands[1]) --quiet", in: folder)
    #expect(next.status == 0 && next.text.hasPrefix("assay reference"), "\(next.text)\(next.error)")
    #expect(next.text.split(separator: "\n").first?.hasSuffix(" decides correctly.") == true)
    #expect(FileManager.default.fileExists(atPath: folder.path("conformance.html")))
  }

  @Test func `one that uses the system's clock accepts only a token of today`() throws {
    let clock = #"sed -u "s/\"at\":\"[^\"]*\"/\"at\":\"$(date -u +%Y-%m-%dT%H:%M:%SZ)\"/""#
    let (status, document) = try check("\(clock) | \(Self.serve)")
    #expect(status == 1)
    #expect(answers(document) == ["plain token": false, "its key alone": false, "minted now": true])
    #expect((document["hint"] as? String)?.contains("system's clock") == true)
  }

  @Test func `one that does not take the roots refuses every token`() throws {
    let roots = #"sed -u 's/"rootsPem":\[[^]]*\]/"rootsPem":[]/'"#
    let (status, document) = try check("\(roots) | \(Self.serve)")
    #expect(status == 1)
    #expect(answers(document) == ["plain token": false, "its key alone": false, "minted now": false])
    #expect((document["hint"] as? String)?.contains("rootsPem") == true)
  }

  @Test func `one that takes the first key accepts a token if its key is the only one`() throws {
    // The first merchant's first key is lost as long as there is another one.
    let first = #"sed -u 's/"keys":\[{[^}]*},/"keys":[/'"#
    let (status, document) = try check("\(first) | \(Self.serve)")
    #expect(status == 1)
    #expect(answers(document)["its key alone"] == true)
    #expect((document["hint"] as? String)?.contains("publicKeyHash") == true)
  }

  @Test func `one that returns no plaintext is told to`() throws {
    let bare = #"sed -u 's/,"plaintext":"[^"]*"//'"#
    let (status, document) = try check("\(Self.serve) | \(bare)")
    #expect(status == 1)
    #expect((document["hint"] as? String)?.contains("without a plaintext") == true)
  }

  @Test func `one that gives the forged token no verdict is not said to accept it`() throws {
    // It answers with an error where it should reject, or ends.
    for last in [#"sed -u -E 's/"accepted":false.*/"error":"none"}/'"#, #"sed -u '/"accepted":false/Q'"#] {
      let (status, document) = try check("\(Self.serve) | \(last)")
      #expect(status == 1)
      #expect(answers(document) == ["plain token": true, "forged token": false])
      #expect((document["hint"] as? String)?.contains("accepts") == false)
    }
  }

  @Test func `one that answers twice, or only once, is not ready`() throws {
    let (twice, document) = try check(#"\#(Self.serve) | sed -u '/"id"/p'"#)
    #expect(twice == 1 && answers(document)["plain token"] == false)
    let (once, ended) = try check("\(Self.serve) | sed -u 2q")
    #expect(once == 1)
    #expect(answers(ended) == ["plain token": true, "forged token": false])
  }

  @Test func `one that declines what it lists is not told to list it`() throws {
    let (status, document) = try check(#"\#(Self.serve) | sed -u 's/"accepted":.*/"unsupported":true}/'"#)
    #expect(status == 1 && answers(document) == ["plain token": false])
    #expect((document["hint"] as? String)?.contains("EC_v1") == false)
  }

  @Test func `one that writes the members of a plaintext again is ready`() throws {
    let command = "'\(Package.folder.path)/Tests/BadDecryptors/bad-decryptor'"
    guard try check("\(command) none").status == 0 else {
      return print("skipped: bad decryptors need Python with the package cryptography (Externals/python/setup)")
    }
    let (status, document) = try check("\(command) rewriting")
    #expect(status == 0 && answers(document) == ["plain token": true, "forged token": true])
  }

  @Test func `one that does not answer hello is not compared`() throws {
    let (status, document) = try check("exec true")
    #expect(status == 2)
    #expect(document["ready"] as? Bool == false)
    #expect(try Program.run(["diff", "--check-adapter"]).status == 64)
    for option in [
      "--report=junit=a", "--findings=a", "--mint=1", "--waivers=a", "--key=a", "--test=1", "--histories",
    ] {
      let outcome = try Program.run(["diff", "--check-adapter", "--external", Self.serve, option])
      #expect(outcome.status == 64 && outcome.output.isEmpty, "\(option)")
    }
  }
}
