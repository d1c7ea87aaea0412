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
  private static let programs = ["jq", "python3", "base64", "xxd", "sed", "tr", "tail", "iconv"]

  /// The output of a command that reads `input`.
  private func output(of command: String, reading input: [UInt8]) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "assay-command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "input")
    try Data(input).write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "<\(file.path) \(command) >\(folder.path)/output"]
    try process.run()
    process.blockUntilExit()
    return [UInt8](try Data(contentsOf: folder.appending(path: "output")))
  }

  @Test(.blocking)
  func `the command that is named takes the wrapping off`() throws {
    let missing = Self.programs.filter { InstalledProgram.find($0) == nil }
    if !missing.isEmpty { print("SKIPPED: commands with \(missing.joined(separator: ", ")), not installed") }
    var tried = 0
    for row in PreparedScenario.wrappings + PreparedScenario.inputs + PreparedScenario.envelopes {
      var (scenario, explanation) = try prepared(row)
      guard let command = explanation.command else { continue }
      guard !missing.contains(where: { command.contains("\($0) ") }) else { continue }
      scenario.token = try output(of: command, reading: scenario.token)
      scenario.policy = VerificationPolicy()
      #expect(try scenario.explain().diagnosis == .sound, "\(row.name): \(command)")
      tried += 1
    }
    #expect(tried > 40 || !missing.isEmpty)
  }

  @Test func `each wrapping that can be taken off comes with a command`() throws {
    for (wrapping, row) in zip(Wrapping.all, PreparedScenario.wrappings) {
      #expect(try (prepared(row).explanation.command != nil) == wrapping.hasCommand, "\(row.name)")
    }
  }

  @Test func `a command never writes over its own input`() throws {
    let explanation = try prepared(PreparedScenario.wrappings[0]).explanation
    #expect(explanation.command(on: "a b.json") == "<'a b.json' jq -c '.[0]' >unwrapped.json")
    #expect(explanation.command(on: "unwrapped.json") == "<unwrapped.json jq -c '.[0]' >unwrapped-2.json")
    #expect(explanation.command(on: "-") == "jq -c '.[0]' >unwrapped.json")
  }

  @Test func `a body that was converted is explained as it was received`() throws {
    let scenario = try Scenario(ScenarioTests.minter.get())
    for wrapping in Wrapping.all where [.formBody, .dataAlone].contains(wrapping.diagnosis) {
      let body = Array(try wrapping.wrap(scenario.text).utf8)
      // Of data alone, what begins as the base64 of an object does is converted as if it were a token.
      let converted = ReceivedBody.json(of: body) ?? Array(#"{"apple-wallet":{"payment-token":"/////w=="}}"#.utf8)
      let explanation = try Explainer(KeyContext(MerchantKeySet([])), anchors: scenario.anchors).explain(
        converted.span, receivedAs: body, at: scenario.now, under: VerificationPolicy(envelope: .automatic))
      #expect(explanation.diagnosis == wrapping.diagnosis, "\(wrapping.name)")
    }
  }

  // MARK: Places

  @Test func `errors of JSON have a line and a column`() throws {
    let places: [(String, Diagnosis, String)] = [
      ("{\n  \"version\": \"EC_v1\",,\n}", .malformedJSON, "line 2, column 23"),
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

  @Test func `errors of CMS have the rule that the named case is for`() throws {
    let minter = try Minter(seed: 20_260_103, at: Scenario.time)
    let explainer = try Explainer(KeyContext(minter.merchantKeySet()), anchors: minter.anchors)
    var count = 0
    for recipe in CaseRecipe.all where recipe.clause.hasPrefix("5.") {
      let minted = try minter.make(recipe)
      guard case .reject(let fault) = minted.test.expected, fault.code == .malformedSignature else { continue }
      let context = minted.test.context
      let explanation = explainer.explain(
        minted.test.request.span, at: context.now, under: context.policy.verificationPolicy())
      guard let subject = explanation.subject, explanation.diagnosis == .malformedSignature else { continue }
      #expect(subject.hasPrefix("signature, rule \(recipe.clause), byte "), "\(recipe.name): \(subject)")
      count += 1
    }
    #expect(count > 100)
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
