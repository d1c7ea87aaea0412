import Gateways
import PaymentToken
import StrictJSON
import TestCases

/// Writes vector files. Equal values give equal bytes, and each test is a line, so that a diff shows the tests that
/// changed.
public enum VectorWriter {
  /// The file's bytes, which `VectorReader` reads. A replay store with room for a test is written without its capacity.
  public static func write(_ file: VectorFile) -> [UInt8] {
    let notes = file.notes.map { note in
      let members = JSON(["bugType": note.bugType, "description": note.description, "effect": note.effect])
        .with(note.cves.isEmpty ? [:] : ["cves": note.cves]).with(note.links.isEmpty ? [:] : ["links": note.links])
      return "\(written(.string(note.flag))):\(written(members))"
    }
    let version: JSON = if let version = file.corpusVersion { ["corpusVersion": version] } else { [:] }
    let head = JSON(["schema": VectorFile.schema, "generator": file.generator]).with(version).with(["seed": file.seed])
    let text = """
      {\(members(head)),
      "notes":{\(lines(notes))},
      "groups":[\(lines(file.groups.map(group)))]}

      """
    return Array(text.utf8)
  }

  private static func group(_ group: TestGroup) -> String {
    // Other cases would be read back as different tests. `VectorGenerator` and the folders of findings never have them.
    precondition(
      group.cases.allSatisfy {
        $0.expected != nil && $0.context.isExpressible && $0.context.isWritten(with: group.cases[0].context)
      }, "cases of one time and policy that have a verdict and that the format can express")
    let keys = group.setting.keys.map { key in
      written(
        JSON([
          "privateKeyPem": key.privateKeyPem, "certificatePem": key.certificatePem, "merchantId": key.merchantId,
        ]).with(key.holder == .merchant ? [:] : ["holder": key.holder.rawValue]))
    }
    // Time and policy are the group's.
    let shared = group.cases.first.map { members(document($0.context)) } ?? ""
    return """
      {"keys":[\(lines(keys))],
      "rootsPem":[\(lines(group.setting.rootsPem.map { written(.string($0)) }))],
      \(shared),
      "tests":[\(lines(group.cases.map { written(document($0)) }))]}
      """
  }

  private static func document(_ context: TestContext) -> JSON {
    let policy = context.policy
    let expectations: JSON = [
      "currency": policy.expectations.currencyCode, "amount": policy.expectations.transactionAmount,
      "applicationData": policy.expectations.applicationData?.hex,
    ]
    let members: JSON = [
      "envelope": policy.envelope.vectorName, "unsigned": policy.isUnsigned, "expect": expectations,
      "replay": replay(of: context), "revoked": policy.revoked.map(\.hex),
    ]
    return ["at": context.now.rfc3339, "windowSeconds": policy.windowSeconds, "policy": members]
  }

  /// False without a store; true for one with room for the prelude and the token; otherwise its capacity or `silent`.
  fileprivate static func replay(of context: TestContext) -> JSON {
    switch context.policy.replay {
    case nil: false.json
    case .capacity(let capacity): context.hasRoom ? true.json : capacity.json
    case .silent: "silent".json
    }
  }

  private static func document(_ test: TestCase) -> JSON {
    let verdict: JSON =
      switch test.expected {
      case .accept(let plaintext)?, .acceptUnsigned(let plaintext)?:
        ["result": "accept", "code": JSON.null, "plaintext": Base64.encode(plaintext)]
      case .reject(let fault)?:
        [
          "result": "reject", "code": fault.code.rawValue, "stage": fault.stage.rawValue,
          "member": fault.member?.path, "plaintext": JSON.null,
        ]
      case nil: [:]
      }
    return JSON(["id": JSON.number(test.id)]).with(test.name.isEmpty ? [:] : ["name": test.name])
      .with(["comment": test.comment, "flags": test.flags, "clauses": test.clauses]).with(document(test.standing))
      .with(verdict)
      .with([
        "prelude": test.context.prelude.map { Base64.encode($0) }, "token": Base64.encode(test.request),
      ])
  }

  private static func document(_ standing: Standing?) -> JSON {
    guard let standing else { return [:] }
    return [
      "maker": standing.maker.rawValue, "basis": standing.basis.word, "severity": standing.severity.rawValue,
    ]
  }

  private static func written(_ document: JSON) -> String { document.text(.fewest) }

  /// An object's members without its braces.
  private static func members(_ document: JSON) -> String { String(written(document).dropFirst().dropLast()) }

  /// Elements, each on a line of its own.
  private static func lines(_ elements: [String]) -> String {
    elements.map { "\n" + $0 }.joined(separator: ",") + "\n"
  }
}

extension TestContext {
  /// Whether one group can hold cases of both contexts: time and policy are equal, the prelude may differ.
  func isWritten(with other: TestContext) -> Bool {
    guard policy.windowSeconds == other.policy.windowSeconds,
      VectorWriter.replay(of: self) == VectorWriter.replay(of: other)
    else { return false }
    var shared = self
    shared.prelude = other.prelude
    shared.policy.freshness = other.policy.freshness
    return shared == other
  }
}
