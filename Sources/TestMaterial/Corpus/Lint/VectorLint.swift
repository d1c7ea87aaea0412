import MerchantKeys
import PaymentToken
import TestCases

/// Checks one vector file: its form, its texts, and every verdict with every engine.
struct VectorLint {
  let path: String
  private(set) var findings: [CorpusFinding] = []
  let engines: CorpusLint.Engines

  /// Reads and checks a file; nil when it cannot be read.
  mutating func check(_ bytes: [UInt8]) -> VectorFile? {
    let file: VectorFile
    do {
      file = try VectorReader.read(bytes)
    } catch {
      add(error.path.isEmpty ? "the file \(error.reason)" : "\(error.path) \(error.reason)")
      return nil
    }
    if VectorWriter.write(file) != bytes { add("is not written as this program writes it") }
    checkWords(of: file)
    for group in file.groups {
      if group.setting.rootsPem.contains(where: { GenuineMaterial.isIn(Array($0.utf8)) }) {
        add("trusts Apple's own root")
      }
      checkVerdicts(of: group)
    }
    return file
  }

  private mutating func checkWords(of file: VectorFile) {
    let explained = Set(file.notes.map(\.flag))
    var used = Set<String>()
    var ids = Set<String>()
    for note in file.notes where note.bugType.isEmpty || note.description.isEmpty || note.effect.isEmpty {
      add("flag \(note.flag) is not explained in full")
    }
    let ours = Dictionary(uniqueKeysWithValues: VectorFlag.all.map { ($0.name, $0.note) })
    for note in file.notes {
      if let own = ours[note.flag], own != note { add("flag \(note.flag) has a meaning already, and this is another") }
    }
    for test in file.cases {
      if Int(test.id) ?? 0 < 1 || !ids.insert(test.id).inserted { add("the id is not positive and unique", test) }
      if test.flags.isEmpty { add("has no flag", test) }
      if test.clauses.isEmpty { add("names no clause", test) }
      if file.corpusVersion != nil, test.standing == nil { add("has no maker, basis and severity", test) }
      if test.comment.isEmpty { add("has no comment", test) }
      if !test.name.isEmpty, !Self.isPlain(test.name) { add("has a name of more than a-z, 0-9, + and -", test) }
      for flag in test.flags where !explained.contains(flag) { add("flag \(flag) is not explained", test) }
      if Set(test.flags).count < test.flags.count { add("has a flag twice", test) }
      for clause in test.clauses where !RuleClauses.isKnown(clause) { add("there is no clause \(clause)", test) }
      used.formUnion(test.flags)
      for token in [test.request] + test.context.prelude where GenuineMaterial.isIn(token) {
        add("holds a certificate under Apple's own root", test)
      }
    }
    for flag in explained.subtracting(used).sorted() { add("no test has the flag \(flag), which is explained") }
  }

  private static func isPlain(_ name: String) -> Bool {
    name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: "-")
    }
  }

  private mutating func checkVerdicts(of group: TestGroup) {
    let made: [any TokenDecryptor]
    do {
      made = try engines(try group.setting.merchantKeySet(), try group.setting.trustAnchors())
    } catch {
      return add("keys or roots cannot be loaded, first test \(group.cases[0].id)")
    }
    for test in group.cases {
      for engine in made {
        let verdict = TestVerdict(test.input.verdict(by: engine)).asWritten
        guard let expected = test.expected, verdict != expected else { continue }
        add("the \(engine.name) engine says \(verdict.summary), not \(expected.summary)", test)
      }
    }
  }

  private mutating func add(_ reason: String, _ test: TestCase? = nil) {
    findings.append(CorpusFinding(path: path, test: test.flatMap { Int($0.id) }, reason: reason))
  }
}
