import Corpus
import Foundation
import Gateways
import HostIO
import PaymentToken
import StrictJSON
import TestCases
import Testing

struct VectorFileTests {
  static let file = VectorFile(
    generator: "a \"test\"\n", corpusVersion: 2, seed: .max,
    notes: [
      VectorNote(flag: "Sound", bugType: "BASIC", description: "d", effect: "é"),
      VectorNote(
        flag: "Known", bugType: "BASIC", description: "d", effect: "e", cves: ["CVE-2022-21449"],
        links: ["https://www.rfc-editor.org/rfc/rfc5652"]),
    ],
    groups: [
      TestGroup(
        setting: TestSetting(
          keys: [
            TestKey(privateKeyPem: "-----BEGIN\nX\n", certificatePem: nil, merchantId: "merchant.test"),
            TestKey(privateKeyPem: "a", certificatePem: "b"),
          ], rootsPem: ["r"], hasTestKeys: false),
        cases: [
          TestCase(
            id: "3", name: "sound", comment: "c", flags: ["Sound"], clauses: ["1.1", "2.1"],
            input: TestInput([0, 255, 3], unsigned(prelude: [[], [1, 2]])), expected: .accept(plaintext: [1])),
          TestCase(
            id: "4", input: TestInput([], unsigned()),
            expected: .reject(TokenFault(.invalidLength, member: .publicKeyHash))),
          TestCase(
            id: "5", input: TestInput([], unsigned()),
            expected: .reject(TokenFault(.envelopeFieldMismatch, stage: .expectations))),
        ]),
      group(TestPolicy(freshness: .window(seconds: 300, replay: .capacity(1))), .accept(plaintext: [])),
      group(
        TestPolicy(envelope: .named(.callersParts), freshness: .window(seconds: 60, replay: .capacity(0))),
        .reject(TokenFault(.replayStoreFull)),
        keys: [
          TestKey(privateKeyPem: "a", certificatePem: "b", holder: .external),
          TestKey(privateKeyPem: "c", certificatePem: "d", holder: .silent),
        ]),
      group(
        TestPolicy(freshness: .window(seconds: 60, replay: .silent)), .reject(TokenFault(.replayStoreUnavailable))),
    ])

  /// One case, at time 0.
  private static func group(_ policy: TestPolicy, _ expected: TestVerdict, keys: [TestKey] = []) -> TestGroup {
    let input = TestInput([], TestContext(now: UnixTime(secondsSinceEpoch: 0), policy: policy))
    return TestGroup(
      setting: TestSetting(keys: keys, rootsPem: [], hasTestKeys: false),
      cases: [TestCase(id: "1", input: input, expected: expected)])
  }

  private static func unsigned(prelude: [[UInt8]] = []) -> TestContext {
    TestContext(
      now: UnixTime(secondsSinceEpoch: 1_770_000_000),
      policy: TestPolicy(
        envelope: .automatic, isUnsigned: true, freshness: .windowOff,
        revoked: [Bytes32([UInt8](repeating: 9, count: 32))].compactMap(\.self),
        expectations: Expectations(
          applicationData: Bytes32([UInt8](repeating: 7, count: 32)), currencyCode: "978", transactionAmount: -1)),
      prelude: prelude)
  }

  @Test func `a folder of the corpus that is a link is neither read nor written`() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "assay-links-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let foreign = "\(root)/foreign"
    try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
    let corpus = CorpusFolder(path: "\(root)/corpus")
    #expect(try corpus.write([1], to: "seeds/one.json"))
    #expect(try corpus.files([.seeds]).map(\.bytes) == [[1]])
    try FileManager.default.moveItem(atPath: "\(corpus.path)/seeds", toPath: "\(foreign)/seeds")
    try FileManager.default.createSymbolicLink(
      atPath: "\(corpus.path)/seeds", withDestinationPath: "\(foreign)/seeds")
    #expect(throws: CommandError.self) { try corpus.files([.seeds]) }
    #expect(throws: CommandError.self) { try corpus.write([2], to: "seeds/two.json") }
    #expect(throws: CommandError.self) { try corpus.write([1], to: "seeds/one.json") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(foreign)/seeds") == ["one.json"])
  }

  @Test func `a setting shows none of its keys`() {
    let key = TestKey(privateKeyPem: "PRIVATE", certificatePem: nil)
    let setting = TestSetting(keys: [key], rootsPem: [], hasTestKeys: true)
    var dumped = ""
    dump(setting, to: &dumped)
    #expect("\(key.privateKeyPem)".contains("PRIVATE"), "what would be shown")
    let texts = ["\(setting)", String(reflecting: setting), dumped, "\(setting.keys)", String(reflecting: key)]
    for text in texts { #expect(!text.contains("PRIVATE")) }
  }

  @Test func `a written file is read back, and Foundation reads it too`() throws {
    let bytes = VectorWriter.write(Self.file)
    #expect(try VectorReader.read(bytes) == Self.file)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(object["schema"] as? String == "assay.vectors/1")
    #expect((object["groups"] as? [Any])?.count == 4)
  }

  @Test func `an envelope, a key or a store that another program cannot have is no matter for it`() {
    let contexts = Self.file.cases.map(\.context)
    #expect(contexts.allSatisfy { $0.isExpressible })
    #expect(contexts.map { $0.isForOtherPrograms } == [true, true, true, true, false, false])
    #expect(Self.file.groups.map { $0.setting.isForOtherPrograms } == [true, true, false, true])
    var context = contexts[4]
    context.policy.envelope = .named(.apple)
    #expect(!context.isForOtherPrograms, "a store without room")
    context.policy.freshness = .window(seconds: 60, replay: .capacity(1))
    #expect(context.isForOtherPrograms)
    context.policy.envelope = .named(.callersDepth)
    #expect(!context.isForOtherPrograms)
  }

  static let sound = String(decoding: VectorWriter.write(file), as: UTF8.self)

  @Test(arguments: [
    (#""schema":"assay.vectors/1""#, #""schema":"assay.vectors/2""#, ""),
    (#""schema":"#, #""more":1,"schema":"#, ""),
    (#""schema":"#, #""seed":1,"schema":"#, ""),
    (#""schema":"#, #","schema":"#, ""),
    (#""corpusVersion":2"#, #""corpusVersion":"2""#, "corpusVersion"),
    (#""cves":["CVE-2022-21449"]"#, #""cves":"CVE-2022-21449""#, "notes.Known.cves"),
    (#""links":["#, #""link":["#, "notes.Known"),
    (#""at":"1970-01-01T00:00:00Z""#, #""at":"1970-01-01T00:00:00+00:00""#, "groups[1].at"),
    (#""windowSeconds":300"#, #""windowSeconds":null"#, "groups[1]"),
    (#""windowSeconds":300"#, #""windowSeconds":4294967296"#, "groups[1].windowSeconds"),
    (#""envelope":"auto""#, #""envelope":1"#, "groups[0].policy.envelope"),
    (#""envelope":"auto""#, #""envelope":"paypal""#, "groups[0].policy.envelope"),
    (#""unsigned":true"#, #""unsigned":"true""#, "groups[0].policy.unsigned"),
    (#""amount":-1"#, #""amount":1.0"#, "groups[0].policy.expect.amount"),
    (#""amount":-1"#, #""amuont":-1"#, "groups[0].policy.expect"),
    (#""result":"accept""#, #""result":"acceptable""#, "groups[0].tests[0].result"),
    (#""result":"accept","code":null"#, #""result":"accept","code":"invalidHex""#, "groups[0].tests[0]"),
    (#""result":"reject","code":"invalidLength""#, #""result":"reject","code":null"#, "groups[0].tests[1]"),
    (#""code":"invalidLength""#, #""code":"other""#, "groups[0].tests[1].code"),
    (#""member":"header.publicKeyHash""#, #""member":"publicKeyHash""#, "groups[0].tests[1].member"),
    (#""stage":4"#, #""stage":15"#, "groups[0].tests[1].stage"),
    (#""prelude":["","AQI="]"#, #""prelude":["","AQI"]"#, "groups[0].tests[0].prelude[1]"),
    (#""token":"AP8D""#, #""token":null"#, "groups[0].tests[0].token"),
    (#""id":3"#, #""id":"3""#, "groups[0].tests[0].id"),
    (#""holder":"silent""#, #""holder":"absent""#, "groups[2].keys[1].holder"),
    (#""holder":"silent""#, #""holder":true"#, "groups[2].keys[1].holder"),
    (#""replay":0"#, #""replay":-1"#, "groups[2].policy.replay"),
    (#""replay":0"#, #""replay":4097"#, "groups[2].policy.replay"),
    (#""replay":0"#, #""replay":"0""#, "groups[2].policy.replay"),
    (#""replay":"silent""#, #""replay":"absent""#, "groups[3].policy.replay"),
    (#""envelope":"callers-parts""#, #""envelope":"callers""#, "groups[2].policy.envelope"),
  ])
  func `a violation of the schema is refused, and the error names its place`(old: String, new: String, path: String)
    throws
  {
    let text = Self.sound.replacingOccurrences(of: old, with: new)
    try #require(text != Self.sound)
    let error = #expect(throws: DocumentError.self) { try VectorReader.read(Array(text.utf8)) }
    #expect(error?.path == path)
  }
}
