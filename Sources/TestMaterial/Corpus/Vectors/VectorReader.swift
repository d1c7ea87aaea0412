import HostIO
import PaymentToken
import Reports
import StrictJSON
import TestCases

/// Reads vector files strictly: refuses unknown and repeated members, wrong types and contradictions.
public enum VectorReader {
  /// Reads a file.
  ///
  /// - Throws: `DocumentError` for the first violation of the schema.
  public static func read(_ bytes: [UInt8]) throws(DocumentError) -> VectorFile {
    let root: JSONPlace
    do {
      root = try JSONPlace(reading: bytes)
    } catch {
      throw DocumentError("is not strict JSON with unique names")
    }
    _ = try root.object(["schema", "generator", "corpusVersion", "seed", "notes", "groups"])
    guard try root.member("schema").text() == VectorFile.schema else {
      throw root.fail("is not of schema \(VectorFile.schema)")
    }
    var groups: [TestGroup] = []
    for place in try root.member("groups").elements() { groups.append(try group(place)) }
    return VectorFile(
      generator: try root.member("generator").text(),
      corpusVersion: try root.optional("corpusVersion")?.nonNull?.integer(Int.self),
      seed: try root.member("seed").integer(UInt64.self),
      notes: try notes(try root.member("notes")), groups: groups)
  }

  /// Reads a file.
  ///
  /// - Parameter name: the file's name, for the error.
  package static func read(_ bytes: [UInt8], named name: String) throws(CommandError) -> VectorFile {
    do {
      return try read(bytes)
    } catch {
      let place = error.path.isEmpty ? "it" : error.path
      throw CommandError(
        .noAnswer, "\(Text.harmless(name)) contains no vectors: \(Text.harmless("\(place) \(error.reason)")).")
    }
  }

  private static func notes(_ place: JSONPlace) throws(DocumentError) -> [VectorNote] {
    var notes: [VectorNote] = []
    for flag in try place.object().map(\.name) {
      let note = try place.member(flag)
      _ = try note.object(["bugType", "description", "effect", "cves", "links"])
      notes.append(
        VectorNote(
          flag: flag, bugType: try note.member("bugType").text(), description: try note.member("description").text(),
          effect: try note.member("effect").text(), cves: try note.optional("cves")?.nonNull?.texts() ?? [],
          links: try note.optional("links")?.nonNull?.texts() ?? []))
    }
    return notes
  }

  private static func group(_ place: JSONPlace) throws(DocumentError) -> TestGroup {
    _ = try place.object(["keys", "rootsPem", "at", "windowSeconds", "policy", "tests"])
    var keys: [TestKey] = []
    for key in try place.member("keys").elements() { keys.append(try Self.key(key)) }
    let at = try place.member("at")
    guard let time = UnixTime(rfc3339: try at.text()), time.rfc3339 == (try at.text()) else {
      throw at.fail("is not a time like 2026-01-31T12:00:00Z")
    }
    var context = TestContext(now: time, policy: try policy(try place.member("policy")))
    let replay = try place.member("policy").optional("replay")?.nonNull
    let window = try place.member("windowSeconds").nonNull?.integer(UInt32.self)
    guard try store(replay, after: []) == nil || window != nil else {
      throw place.fail("detects replays without a window")
    }
    var cases: [TestCase] = []
    for test in try place.member("tests").elements() {
      context.prelude = []
      for token in try test.member("prelude").elements() { context.prelude.append(try token.base64()) }
      let store = try store(replay, after: context.prelude)
      context.policy.freshness = window.map { .window(seconds: $0, replay: store) } ?? .windowOff
      cases.append(try Self.test(test, context))
    }
    guard !cases.isEmpty else { throw place.fail("has no tests") }
    let rootsPem = try place.member("rootsPem").texts()
    return TestGroup(setting: TestSetting(keys: keys, rootsPem: rootsPem, hasTestKeys: false), cases: cases)
  }

  /// The store that a policy's member `replay` describes: `false` is none, `true` one with room for the prelude and the
  /// token, a number one of this capacity, `"silent"` one that does not answer.
  private static func store(
    _ place: JSONPlace?, after prelude: [[UInt8]]
  ) throws(DocumentError) -> TestPolicy.Store? {
    guard let place else { return nil }
    switch place.value {
    case .boolean(let detectsReplays): return detectsReplays ? .capacity(prelude.count + 1) : nil
    case .string(let text):
      guard text == "silent" else { throw place.fail("is not silent") }
      return .silent
    default:
      let capacity = try place.integer(Int.self)
      guard (0...4_096).contains(capacity) else { throw place.fail("is no capacity from 0 to 4096") }
      return .capacity(capacity)
    }
  }

  private static func key(_ place: JSONPlace) throws(DocumentError) -> TestKey {
    _ = try place.object(["privateKeyPem", "certificatePem", "merchantId", "holder"])
    var holder = TestKey.Holder.merchant
    if let name = try place.optional("holder")?.nonNull {
      guard let known = TestKey.Holder(rawValue: try name.text()) else { throw name.fail("is no holder of a key") }
      holder = known
    }
    return TestKey(
      privateKeyPem: try place.member("privateKeyPem").text(),
      certificatePem: try place.optional("certificatePem")?.nonNull?.text(),
      merchantId: try place.optional("merchantId")?.nonNull?.text(), holder: holder)
  }

  /// Reads a policy without its freshness; absent members and null have their defaults.
  private static func policy(_ place: JSONPlace) throws(DocumentError) -> TestPolicy {
    _ = try place.object(["envelope", "unsigned", "expect", "replay", "revoked"])
    var policy = TestPolicy()
    if let name = try place.optional("envelope")?.nonNull {
      guard let envelope = EnvelopeSelection(name: try name.text(), or: Envelope.ofCallers) else {
        throw name.fail("is no envelope")
      }
      policy.envelope = envelope
    }
    policy.isUnsigned = try place.optional("unsigned")?.nonNull?.boolean() ?? false
    for digest in try place.optional("revoked")?.nonNull?.elements() ?? [] {
      policy.revoked.append(try digest.digest())
    }
    guard let wish = try place.optional("expect")?.nonNull else { return policy }
    _ = try wish.object(["currency", "amount", "applicationData"])
    policy.expectations = Expectations(
      applicationData: try wish.optional("applicationData")?.nonNull?.digest(),
      currencyCode: try wish.optional("currency")?.nonNull?.text(),
      transactionAmount: try wish.optional("amount")?.nonNull?.integer(Int64.self))
    return policy
  }

  private static func test(_ place: JSONPlace, _ context: TestContext) throws(DocumentError) -> TestCase {
    _ = try place.object([
      "id", "name", "comment", "flags", "clauses", "maker", "basis", "severity", "prelude", "token", "result", "code",
      "stage", "member", "plaintext",
    ])
    return TestCase(
      id: String(try place.member("id").integer(Int.self)), name: try place.optional("name")?.nonNull?.text() ?? "",
      comment: try place.member("comment").text(), flags: try place.member("flags").texts(),
      clauses: try place.member("clauses").texts(), standing: try standing(place),
      input: TestInput(try place.member("token").base64(), context),
      expected: try verdict(place))
  }

  /// All three members, or none.
  private static func standing(_ place: JSONPlace) throws(DocumentError) -> Standing? {
    guard let maker = try place.optional("maker")?.nonNull else {
      for name in ["basis", "severity"] {
        if let other = try place.optional(name)?.nonNull { throw other.fail("is there without a maker") }
      }
      return nil
    }
    let (basis, severity) = (try place.member("basis"), try place.member("severity"))
    guard let madeBy = Standing.Maker(rawValue: try maker.text()) else { throw maker.fail("is no maker") }
    guard let wrongBy = Standing.Basis(word: try basis.text()) else { throw basis.fail("is no basis") }
    guard let rank = Standing.Severity(rawValue: try severity.text()) else { throw severity.fail("is no severity") }
    return Standing(madeBy, wrongBy, rank)
  }

  private static func verdict(_ place: JSONPlace) throws(DocumentError) -> TestVerdict {
    let code = try place.member("code").nonNull
    let plaintext = try place.member("plaintext").nonNull
    let stage = try place.optional("stage")?.nonNull
    let member = try place.optional("member")?.nonNull
    let result = try place.member("result")
    switch try result.text() {
    case "accept":
      guard let plaintext else { throw place.fail("accepts without a plaintext") }
      guard code == nil, stage == nil, member == nil else { throw place.fail("accepts with a code") }
      return .accept(plaintext: try plaintext.base64())
    case "reject":
      guard plaintext == nil else { throw place.fail("rejects with a plaintext") }
      guard let code else { throw place.fail("rejects without a code") }
      return .reject(try fault(code, stage: stage, member: member))
    default: throw result.fail("is neither accept nor reject")
    }
  }

  private static func fault(
    _ place: JSONPlace, stage: JSONPlace?, member: JSONPlace?
  ) throws(DocumentError) -> TokenFault {
    guard let code = TokenFault.Code(rawValue: try place.text()) else { throw place.fail("is not a code") }
    var named: TokenMember?
    if let member {
      named = TokenMember(rawValue: try member.text())
      guard named != nil else { throw member.fail("is not a member of a token") }
    }
    guard let stage else { return TokenFault(code, member: named) }
    guard let decided = VerificationStage(rawValue: try stage.integer(Int.self)) else {
      throw stage.fail("is not a stage")
    }
    return TokenFault(code, stage: decided, member: named)
  }
}

extension JSONPlace {
  /// 64 hexadecimal digits.
  fileprivate func digest() throws(DocumentError) -> Bytes32 {
    guard let digest = Bytes32(hex: try text()) else { throw fail("is not 64 hexadecimal digits") }
    return digest
  }
}
