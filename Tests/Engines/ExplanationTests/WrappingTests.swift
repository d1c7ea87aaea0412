import Explanation
import Foundation
import Gateways
import MerchantKeys
import Minting
import NamedCases
import PaymentToken
import TestSupport
import Testing

struct WrappingTests {
  /// A scenario after its preparation, and its explanation.
  private func prepared(_ row: PreparedScenario) throws -> (scenario: Scenario, explanation: Explanation) {
    var scenario = try Scenario(ScenarioTests.minter.get())
    try row.prepare(&scenario)
    return (scenario, try scenario.explain())
  }

  // MARK: Commands

  /// The programs that commands start.
  private static let programs = [
    "jq", "python3", "base64", "xxd", "sed", "tr", "tail", "head", "grep", "iconv", "gzip",
  ]

  /// The output of a command that reads `input`.
  private func output(of command: String, reading input: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let file = try folder.write(input, to: "input")
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "<\(file) \(command) >\(folder.path("output"))"]
    try process.run()
    process.blockUntilExit()
    return [UInt8](try FileText.data(folder.path("output")))
  }

  @Test(.blocking)
  func `the command that is named takes the wrapping off`() throws {
    let missing = Self.programs.filter { InstalledProgram.find($0) == nil }
    if !missing.isEmpty { print("SKIPPED: commands with \(missing.joined(separator: ", ")), not installed") }
    var tried: Set<String> = []
    for row in PreparedScenario.all {
      var (scenario, explanation) = try prepared(row)
      guard let command = explanation.command else { continue }
      guard !missing.contains(where: { command.contains("\($0) ") }) else { continue }
      // Many scenarios have the same command.
      guard tried.insert(Ring.isDeep ? row.name : command).inserted else { continue }
      scenario.token = try output(of: command, reading: scenario.token)
      scenario.policy = VerificationPolicy()
      #expect(try scenario.explain().diagnosis == .sound, "\(row.name): \(command)")
    }
    #expect(tried.count > (Ring.isDeep ? 140 : 40) || !missing.isEmpty)
  }

  @Test func `each wrapping that can be taken off comes with a command`() throws {
    for (wrapping, row) in zip(Wrapping.all, PreparedScenario.wrappings) {
      #expect(try (prepared(row).explanation.command != nil) == wrapping.hasCommand, "\(row.name)")
    }
  }

  @Test func `a command never writes over its own input`() throws {
    let explanation = try prepared(PreparedScenario.wrappings[0]).explanation
    let none = { (_: String) in false }
    #expect(explanation.command(on: "a b.json", exists: none) == "<'a b.json' jq -c '.[0]' >unwrapped.json")
    for name in ["unwrapped.json", "Unwrapped.JSON", "a/unwrapped.json"] {
      #expect(explanation.command(on: name, exists: none) == "<\(name) jq -c '.[0]' >unwrapped-2.json")
    }
    #expect(explanation.command(on: "-", exists: none) == "jq -c '.[0]' >unwrapped.json")
  }

  @Test func `a command never writes over a file that exists`() throws {
    let explanation = try prepared(PreparedScenario.wrappings[0]).explanation
    let existing: Set = ["unwrapped.json", "unwrapped-2.json"]
    for (input, start) in [("-", ""), ("in.json", "<in.json ")] {
      let command = explanation.command(on: input) { existing.contains($0) }
      #expect(command == "\(start)jq -c '.[0]' >unwrapped-3.json")
      #expect(explanation.command(on: input) { _ in true } == "\(start)jq -c '.[0]'")
    }
  }

  /// The explanation of a body that is converted to JSON, as the commands do it.
  private func explanation(of body: [UInt8], convertedTo converted: [UInt8], _ scenario: Scenario) throws -> Explanation
  {
    try Explainer(KeyContext(MerchantKeySet([])), anchors: scenario.anchors).explain(
      converted.span, receivedAs: body, at: scenario.now, under: VerificationPolicy(envelope: .automatic))
  }

  @Test func `a body that was converted is explained as it was received`() throws {
    let scenario = try Scenario(ScenarioTests.minter.get())
    for wrapping in Wrapping.all where [.formBody, .dataAlone].contains(wrapping.diagnosis) {
      let body = Array(try wrapping.wrap(scenario.text).utf8)
      // Data alone is converted only if it begins like the base64 of an object. Otherwise the literal stands for it.
      let converted = ReceivedBody.json(of: body) ?? Array(#"{"apple-wallet":{"payment-token":"/////w=="}}"#.utf8)
      let explanation = try explanation(of: body, convertedTo: converted, scenario)
      #expect(explanation.diagnosis == wrapping.diagnosis, "\(wrapping.name)")
    }
  }

  @Test(.blocking)
  func `a body that was converted has a command for what was received, and no facts of the conversion`() throws {
    var count = 0
    for wrapping in Wrapping.all {
      var scenario = try Scenario(ScenarioTests.minter.get())
      let body = Array(try wrapping.wrap(scenario.text).utf8)
      guard let converted = ReceivedBody.json(of: body) else { continue }
      let explanation = try explanation(of: body, convertedTo: converted, scenario)
      #expect(explanation.diagnosis == wrapping.diagnosis, "\(wrapping.name)")
      let facts = explanation.checks.flatMap(\.findings).map { "\($0.name): \($0.found)" }
      for word in ["apple-wallet", "bambora"] { #expect(!facts.contains { $0.contains(word) }, "\(wrapping.name)") }
      count += 1
      guard let command = explanation.command, Self.programs.allSatisfy({ InstalledProgram.find($0) != nil }) else {
        continue
      }
      scenario.token = try output(of: command, reading: body)
      #expect(try scenario.explain().diagnosis == .sound, "\(wrapping.name): \(command)")
    }
    #expect(count > 8)
  }

  @Test func `bare base64 of a token has its own size, and no names`() throws {
    let scenario = try Scenario(ScenarioTests.minter.get())
    let body = Array(Base64.encode(scenario.token).utf8)
    let converted = try #require(ReceivedBody.json(of: body))
    let explanation = try explanation(of: body, convertedTo: converted, scenario)
    #expect(explanation.diagnosis == .noKeyLoaded)
    #expect(explanation.checks.first?.findings.map(\.found) == ["\(body.count) bytes"])
  }

  // MARK: Compressed data

  /// Programs that compress, from standard input to standard output.
  private static let compressors = [
    "gzip -1c", "gzip -9c", "gzip -c --name",
    "python3 -c 'import sys, zlib; sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read()))'",
    "python3 -c 'import sys, zlib; sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read(), 0))'",
    "python3 -c 'import sys, zlib; c = zlib.compressobj(9, 8, 15, 9, zlib.Z_FIXED); "
      + "sys.stdout.buffer.write(c.compress(sys.stdin.buffer.read()) + c.flush())'",
    "python3 -c 'import gzip, sys; f = gzip.GzipFile(\"a name\", \"wb\", 6, sys.stdout.buffer); "
      + "f.write(sys.stdin.buffer.read()); f.close()'",
  ]

  @Test(.blocking, .enabled(if: InstalledProgram.find("gzip") != nil && InstalledProgram.find("python3") != nil))
  func `what programs compress is decompressed by the command`() throws {
    var scenario = try Scenario(ScenarioTests.minter.get())
    let token = scenario.token
    for compressor in Self.compressors {
      let compressed = try output(of: compressor, reading: token)
      scenario.token = compressed
      let explanation = try scenario.explain()
      #expect(explanation.diagnosis == .compressedToken, "\(compressor)")
      scenario.token = try output(of: try #require(explanation.command), reading: compressed)
      #expect(try scenario.explain().diagnosis == .sound, "\(compressor)")
    }
  }

  // MARK: Places

  @Test func `errors of JSON have a line and a column`() throws {
    let places: [(String, Diagnosis, String)] = [
      ("{\n  \"version\": \"EC_v1\",,\n}", .malformedJSON, "line 2, column 22"),
      ("{\"é\":1,\n\n \"b\" 2}", .malformedJSON, "line 3, column 6"),
      ("{\"a\":1,\n}", .trailingComma, "line 2, column 1"),
      ("{\"a\":\"b\nc\"}", .lineBreakInString, "line 1, column 8"),
      ("{\"a\":\"b", .truncatedJSON, "line 1, column 8"),
    ]
    for (text, diagnosis, place) in places {
      let row = PreparedScenario(diagnosis, text) { $0.send(text, from: .automatic) }
      let explanation = try prepared(row).explanation
      #expect(explanation.diagnosis == diagnosis, "\(text)")
      #expect(explanation.subject == place, "\(text)")
    }
  }

  /// Groups of rules. One error may break several of a group, and the reader reports the one that it checks first: a
  /// wrong length shifts all that follows it, and a member of another type is also a missing member.
  private static let kindred: [Set<String>] = [
    ["5.1", "5.2", "5.3", "5.4", "5.5", "5.6"], ["5.2", "5.7"], ["5.7", "5.8", "5.9", "5.10", "5.11", "5.12", "5.5"],
    ["5.8", "5.10", "5.12", "5.13", "5.14", "5.15", "5.16", "5.17"],
  ]

  @Test func `errors of CMS have the rule that the named case is for, or a kindred one`() throws {
    let minter = try Minter(seed: 20_260_103, at: Scenario.time)
    let explainer = try Explainer(KeyContext(minter.merchantKeySet()), anchors: minter.anchors)
    var (exact, count) = (0, 0)
    for recipe in CaseRecipe.all where recipe.clause.hasPrefix("5.") {
      let minted = try minter.make(recipe)
      guard case .reject(let fault) = minted.test.expected, fault.code == .malformedSignature else { continue }
      let context = minted.test.context
      let explanation = explainer.explain(
        minted.test.request.span, at: context.now, under: context.policy.verificationPolicy())
      guard explanation.diagnosis == .malformedSignature else { continue }
      let match = try #require(explanation.subject?.wholeMatch(of: /signature, rule (5\.\d+), byte \d+/))
      let rule = String(match.1)
      count += 1
      if rule == recipe.clause { exact += 1 }
      #expect(
        rule == recipe.clause || Self.kindred.contains { $0.contains(rule) && $0.contains(recipe.clause) },
        "\(recipe.name): \(rule)")
    }
    #expect(count > 100 && exact * 4 > count * 3, "\(exact) of \(count)")
  }

  @Test func `errors of CMS have the offset of the value`() throws {
    // `tag` is the byte at the reported offset, where the value begins.
    let edits: [(rule: String, tag: UInt8, edit: @Sendable (inout ASN1Node) -> Void)] = [
      ("5.7", 0x31, { $0.signerInfos.children.append($0.signerInfo) }),
      ("5.7", 0xA1, { $0.signedData.children.insert(.context(1, []), at: 4) }),
      ("5.9", 0xA1, { $0.signerInfo.children.append(.context(1, [])) }),
      ("5.10", 0x06, { $0.signerInfo[2][0] = .oid([1, 2, 3]) }),
      ("5.5", 0x02, { $0.signedData[0] = .primitive(0x02, []) }),
      ("5.8", 0x31, { $0.certificates.children.append(.set([])) }),
    ]
    for (rule, tag, edit) in edits {
      let row = PreparedScenario(.malformedSignature, rule) { try $0.signature(edit) }
      let (scenario, explanation) = try prepared(row)
      let match = try #require(explanation.subject?.wholeMatch(of: /signature, rule (5\.\d+), byte (\d+)/))
      #expect(String(match.1) == rule)
      let members = try #require(try JSONSerialization.jsonObject(with: Data(scenario.token)) as? [String: Any])
      let cms = try #require((members["signature"] as? String).flatMap { Data(base64Encoded: $0) })
      #expect([UInt8](cms)[try #require(Int(match.2))] == tag, "\(rule)")
    }
  }

  // MARK: Payloads

  @Test func `EMV data is accepted, with a remark on supportsEMV`() throws {
    var recipe = TokenRecipe()
    recipe.payload.kind = .emv(data: [UInt8](repeating: 0x9F, count: 40))
    let explanation = try Scenario(ScenarioTests.minter.get(), recipe).explain()
    #expect(explanation.accepted)
    #expect(explanation.notes.map(\.code) == [.emvPayload])
  }

  // MARK: Secrecy

  @Test func `no explanation repeats the token`() throws {
    let text = try Scenario(ScenarioTests.minter.get()).text
    // Pieces of data, and of the signature.
    let members = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let pieces = try ["data", "signature"].map { try #require(members[$0] as? String).suffix(24).prefix(16) }
    let search = try SecretSearch(for: pieces.map(String.init), from: text)
    for row in PreparedScenario.wrappings {
      let explanation = try prepared(row).explanation
      #expect(try search.findings(in: explanation.everything, marked: "diagnosis") == [], "\(row.name)")
    }
  }

  // MARK: Genuine tokens

  @Test(.enabled(if: RealTokens.available))
  func `each wrapping of a genuine token has its diagnosis`() throws {
    for real in RealTokens.all where real.genuine {
      let text = String(decoding: real.token, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      for wrapping in Wrapping.all {
        let row = PreparedScenario(wrapping.diagnosis, wrapping.name) {
          $0.send(try wrapping.wrap(text), from: .automatic)
          $0.files = []
          $0.anchors = .apple
        }
        #expect(try prepared(row).explanation.diagnosis == wrapping.diagnosis, "\(real.name): \(wrapping.name)")
      }
    }
  }
}
