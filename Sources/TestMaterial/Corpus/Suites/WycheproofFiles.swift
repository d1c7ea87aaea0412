import HostIO
import PaymentToken
import StrictJSON
import TestCases

/// Files in the format of C2SP/wycheproof (its `schemas`). Each has what the vectors test of one primitive alone.
public enum WycheproofFiles {
  /// A file and its name.
  public struct Output: Hashable, Sendable {
    /// Such as `assay_aes_gcm_test.json`.
    public let name: String
    /// The whole contents.
    public let bytes: [UInt8]
    /// The number of its tests.
    public let count: Int
  }

  /// A file for each primitive that has tests in the suite.
  ///
  /// - Throws: `CommandError` when keys or roots of a vector cannot be loaded.
  package static func write(_ suite: CorpusSuite, of files: [VectorFile]) throws(CommandError) -> [Output] {
    let vectors = try ExportedVector.all(in: suite, of: files)
    var notes: [String: VectorNote] = [:]
    for note in files.flatMap(\.notes) { notes[note.flag] = note }
    let version = files.compactMap(\.corpusVersion).max() ?? 0
    return Primitive.all.compactMap { file(of: $0, vectors, notes: notes, version: version) }
  }

  private static func file(
    of primitive: Primitive, _ vectors: [ExportedVector], notes: [String: VectorNote], version: Int
  ) -> Output? {
    var groups: [(head: JSON, vectors: [(ExportedVector, JSON)])] = []
    var places: [String: Int] = [:]
    var used: Set<String> = []
    for vector in vectors {
      guard let entry = primitive.entry(vector) else { continue }
      used.formUnion(vector.test.flags)
      let text = entry.group.text
      if let place = places[text] {
        groups[place].vectors.append((vector, entry.test))
      } else {
        places[text] = groups.count
        groups.append((entry.group, [(vector, entry.test)]))
      }
    }
    let count = groups.reduce(0) { $0 + $1.vectors.count }
    guard count > 0 else { return nil }
    let source: JSON = ["type": primitive.type, "source": JSON(["name": "assay", "version": String(version)])]
    var number = 0
    let written = groups.map { group in
      source.with(group.head).with([
        "tests": group.vectors.map { vector, test in
          number += 1
          return frame(vector, number).with(test).with(["result": vector.result(acceptable: Primitive.lenient)])
        }
      ])
    }
    let document = JSON([
      "algorithm": primitive.algorithm, "schema": primitive.schema, "numberOfTests": count,
      "header": primitive.header, "notes": JSON.object(used.sorted().compactMap { notes[$0].map(note) }),
      "testGroups": written,
    ])
    return Output(name: primitive.file, bytes: Array((document.text(.fewest) + "\n").utf8), count: count)
  }

  /// What every test has.
  private static func frame(_ vector: ExportedVector, _ number: Int) -> JSON {
    ["tcId": number, "comment": "\(vector.test.title): \(vector.test.comment)", "flags": vector.test.flags]
  }

  private static func note(_ note: VectorNote) -> JSON.Member {
    .init(
      note.flag,
      JSON([
        "bugType": note.bugType, "description": note.description, "effect": note.effect, "links": note.links,
        "cves": note.cves,
      ]))
  }
}
