import TestSupport
import Testing

/// A name, a filter or a folder that selects nothing is a mistake. The command names it and gives no answer, even if
/// another one beside it selects something.
@Suite(.blocking)
struct SelectionTests {
  /// `EMPTY` is a folder with a hidden file only, `SAMPLES` one with the file `{}`, `OUT` a path that does not exist.
  @Test(arguments: [
    (["bench", "run", "stage/json/fast", "typo", "--seconds", "0.2"], "typo"),
    (["bench", "run", "stage/json/fast", "", "--seconds", "0.2"], "empty"),
    (["bench", "run", "=stage/json", "--seconds", "0.2"], "=stage/json"),
    (["bench", "run", "stage/*/none", "stage/json/fast", "--seconds", "0.2"], "stage/*/none"),
    (["bench", "compare", "--base-binary", "SAMPLES/one", "--name", "stage/json/fast", "--name", "typo"], "typo"),
    (["bench", "compare", "typo"], "typo"),
    (["bench", "run", "decrypt/fast/ec_v1", "--tokens", "EMPTY", "--seconds", "0.2"], "EMPTY"),
    (["bench", "run", "--kernel", "typo"], "typo"),
    (["diff", "CORE", "--test", "1", "--test", "typo"], "typo"),
    (["diff", "CORE", "--test", "typo"], "typo"),
    (["diff", "CORE", "EMPTY", "--test", "1"], "EMPTY"),
    (["diff", "EMPTY"], "EMPTY"),
    (["diff", "CORE", "OUT"], "OUT"),
    (["corpus", "list", "--flag", "typo"], "typo"),
    (["corpus", "list", "--clause", "99.9"], "99.9"),
    (["corpus", "list", "--code", "typo"], "typo"),
    (["corpus", "list", "--clause", "2.1", "--code", "replayedTransaction"], "no vector"),
    (["corpus", "list", "--corpus", "OUT"], "OUT"),
    (["corpus", "export", "--corpus", "EMPTY", "--out", "OUT"], "EMPTY"),
    (["corpus", "add", "OUT"], "OUT"),
    (["fuzz", "merge", "EMPTY", "--into", "OUT"], "EMPTY"),
    (["fuzz", "merge", "SAMPLES", "OUT", "--into", "EMPTY"], "OUT"),
    (["fuzz", "run", "--corpus", "OUT", "--duration", "1s", "--dir", "OUT"], "OUT"),
    (["fuzz", "run", "--corpus", "EMPTY", "--duration", "1s", "--dir", "OUT"], "EMPTY"),
    (["fuzz", "run", "--without", "typo", "--duration", "1s", "--dir", "OUT"], "typo"),
    (["fuzz", "replay", "EMPTY"], "EMPTY"),
    (["fuzz", "minimize", "EMPTY"], "EMPTY"),
    (["fuzz", "status", "EMPTY"], "EMPTY"),
    (["mint", "--fault", "typo"], "typo"),
    (["mint", "--list-faults", "signature", "typo"], "typo"),
    (["decrypt", "--key", "OUT"], "OUT"),
    (["decrypt", "--root", "OUT"], "OUT"),
    (["decrypt", "--revoked", "OUT"], "OUT"),
    (["gateway", "show", "typo"], "typo"),
    (["gateway", "check", "mpgs", "OUT"], "OUT"),
    (["gateway", "response", "typo", "SAMPLES/one"], "typo"),
    (["gateway", "events", "OUT"], "OUT"),
    (["completions", "typo"], "typo"),
    (["man", "typo"], "typo"),
    (["man", "bench", "typo"], "typo"),
  ])
  func `what contributes nothing is an error that names it`(arguments: [String], named: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("{}", to: "samples/one")
    _ = try folder.write("", to: "empty/.hidden")
    let places = [
      "EMPTY": folder.path("empty"), "SAMPLES": folder.path("samples"), "OUT": folder.path("out"),
      "CORE": Package.folder.appending(path: "Corpus/core.json").path,
    ]
    func filled(_ word: String) -> String {
      places.reduce(word) { $0.replacing($1.key, with: $1.value) }
    }
    let outcome = try Program.run(arguments.map(filled))
    #expect([2, 64].contains(outcome.status), "\(outcome.text)\(outcome.error)")
    #expect(outcome.error.contains(filled(named)), "\(outcome.error)")
    #expect(outcome.text.isEmpty)
  }
}
