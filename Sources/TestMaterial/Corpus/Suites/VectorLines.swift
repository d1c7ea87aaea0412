import HostIO
import Minting
import PaymentToken
import StrictJSON
import TestCases

/// Vectors as JSON Lines, for test suites that use no protocol: each line is a flat object with everything that one
/// test needs. Corpus/README.md describes the members.
public enum VectorLines {
  /// The name and version of the format, in the first line.
  public static let schema = "assay.lines/1"

  /// The lines of a suite in the order of their ids, after a header with their number and their SHA-256.
  ///
  /// - Throws: `CommandError` when keys or roots of a vector cannot be loaded.
  package static func write(_ suite: CorpusSuite, of files: [VectorFile]) throws(CommandError) -> [UInt8] {
    let vectors = try ExportedVector.all(in: suite, of: files).sorted { $0.id < $1.id }
    let lines = Array(vectors.map { line($0).text(.fewest) + "\n" }.joined().utf8)
    let header = JSON([
      "schema": schema, "suite": suite.rawValue, "version": files.compactMap(\.corpusVersion).max(),
      "count": vectors.count, "sha256": Hex.encode(Hashing.sha256(lines)),
    ])
    return Array((header.text(.fewest) + "\n").utf8) + lines
  }

  private static func line(_ vector: ExportedVector) -> JSON {
    let test = vector.test
    let standing = test.standing
    let head: JSON = [
      "id": vector.id, "suite": vector.suite.rawValue, "comment": test.comment,
      "reason": vector.reason, "flags": test.flags, "clause": test.clauses.first,
      "maker": standing?.maker.rawValue, "basis": standing?.basis.word, "severity": standing?.severity.rawValue,
    ]
    return head.with(answer(of: vector)).with(context(of: vector)).with(question(of: vector))
  }

  private static func answer(of vector: ExportedVector) -> JSON {
    let values = vector.values
    return [
      "result": vector.result, "code": vector.fault?.code.rawValue,
      "stage": vector.fault?.stage.rawValue, "digest": values.signedContent.map { Hex.encode(Hashing.sha256($0)) },
      "leaf": values.leaf.map { Base64.encode($0) }, "key": values.symmetricKey.map { Hex.encode($0) },
      "plaintext": vector.plaintext.map { Base64.encode($0) },
    ]
  }

  private static func context(of vector: ExportedVector) -> JSON {
    let (context, policy) = (vector.test.context, vector.test.context.policy)
    return [
      "at": context.now.rfc3339, "windowSeconds": policy.windowSeconds, "envelope": policy.envelope.name,
      "unsigned": policy.isUnsigned, "expectCurrency": policy.expectations.currencyCode,
      "expectAmount": policy.expectations.transactionAmount,
      "expectApplicationData": policy.expectations.applicationData?.hex, "replay": policy.replay != nil,
      "revoked": policy.revoked.map(\.hex), "prelude": context.prelude.map { Base64.encode($0) },
    ]
  }

  private static func question(of vector: ExportedVector) -> JSON {
    [
      "merchantId": vector.key?.merchantId, "privateKey": vector.key.map { base64(ofPem: $0.privateKeyPem) },
      "roots": vector.roots.map { Base64.encode($0) }, "request": Base64.encode(vector.test.request),
    ]
  }

  /// The DER in base64 of a block of PEM.
  private static func base64(ofPem text: String) -> String {
    text.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
  }
}
