import HostIO
import MerchantKeys
import PaymentToken
import ReferenceDecryption
import TestCases

/// A test with what another program's test suite needs beside the request: the key that the token names, and what a
/// decryptor computes on its way.
struct ExportedVector {
  let test: TestCase
  /// The roots, DER.
  let roots: [[UInt8]]
  /// The key that the token names, else the first of the test; nil for a test without keys.
  let key: TestKey?
  let values: IntermediateValues
  /// What is wrong with the token, or unusual about it.
  let reason: String
  /// The smallest suite that the test belongs to.
  let suite: CorpusSuite

  /// The tests of a suite that other programs can run, in the order of the files.
  ///
  /// - Throws: `CommandError` when keys or roots of a vector cannot be loaded.
  static func all(in suite: CorpusSuite, of files: [VectorFile]) throws(CommandError) -> [ExportedVector] {
    let groups = files.flatMap(\.groups)
    let smallest = CorpusSuite.smallest(in: groups)
    var descriptions: [String: String] = [:]
    for note in files.flatMap(\.notes) { descriptions[note.flag] = note.description }
    var vectors: [ExportedVector] = []
    for group in suite.groups(of: groups) where group.setting.isForOtherPrograms {
      let cases = group.cases.filter { $0.context.isForOtherPrograms }
      guard !cases.isEmpty else { continue }
      do {
        let anchors = try group.setting.trustAnchors()
        let engine = try ReferenceDecryptor(keys: try group.setting.merchantKeySet(), anchors: anchors)
        let keys = try group.setting.keys.map { key in
          (key, hash: try TestSetting(keys: [key], rootsPem: [], hasTestKeys: true).merchantKeySet()[0].publicKeyHash)
        }
        for test in cases {
          let flag = test.flags.first { !["MustAccept", "RSAv1"].contains($0) }
          let policy = test.context.policy
          let values = engine.intermediateValues(
            of: test.request, isUnsigned: policy.isUnsigned, at: test.context.now, under: policy.verificationPolicy())
          let named = keys.first { $0.hash == values.publicKeyHash } ?? keys.first
          vectors.append(
            ExportedVector(
              test: test, roots: anchors.certificates, key: named?.0, values: values,
              reason: flag.flatMap { descriptions[$0] } ?? test.comment, suite: smallest(test)))
        }
      } catch {
        throw CommandError(.noAnswer, "keys or roots of the vector \(cases[0].title) cannot be loaded: \(error).")
      }
    }
    return vectors
  }

  /// The name of the test, which is stable.
  var id: String { test.name.isEmpty ? test.id : test.name }

  /// The refusal that the test expects; nil for acceptance.
  var fault: TokenFault? { test.expected?.fault }

  /// The plaintext that the test expects.
  var plaintext: [UInt8]? { test.expected?.plaintext }

  /// `valid`, `invalid`, or `acceptable` if both verdicts are.
  var result: String {
    if test.standing?.severity == .choice { return "acceptable" }
    return fault == nil ? "valid" : "invalid"
  }
}
