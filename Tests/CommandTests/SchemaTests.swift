import Foundation
import PaymentToken
import TestSupport
import Testing

/// The schemas of Docs/schemas against what commands write. `Program.Outcome.json` checks every other document that
/// tests read, and FuzzTests those of fuzz.
@Suite(.blocking) struct SchemaTests {
  @Test func `what commands write follows its schema, and each mutant of it is refused`() throws {
    let minted = try MintedFolder()
    let folder = minted.folder
    let decrypt = ["decrypt", minted.token] + minted.options + ["--json"]
    let altered = try folder.write(
      FileText.text(minted.token).replacing(/"data":"..../, with: "\"data\":\"AAAA"), to: "altered.json")
    let body = try folder.write(#"{"result":7}"#, to: "body.json")
    let answer = try folder.write(
      #"{"result":"SUCCESS","response":{"gatewayCode":"DECLINED","gatewayRecommendation":"PROCEED"}}"#,
      to: "answer.json")
    let events = try folder.write(#"{"eventName":"onramp_api.load_pending"}"#, to: "events.json")
    // A program that accepts every token.
    let yes =
      #"read hello; echo '{"hello":1,"name":"yes","version":"2","supports":["EC_v1","RSA_v1"]}'; "#
      + #"while read -r line; do id=${line#*\"id\":\"}; echo "{\"id\":\"${id%%\"*}\",\"accepted\":true,\"plaintext\":\"\"}"; done"#
    let measured = folder.path("measured.json")
    let commands: [[String]] = [
      decrypt, decrypt.map { $0 == minted.token ? altered : $0 },
      ["explain", minted.token, "--json"] + minted.options, ["explain", altered, "--json"] + minted.options,
      ["diff", "--mint", "2", "--quiet", "--json", "--external", yes],
      ["gateway", "list", "--json"], ["gateway", "show", "mpgs", "--json"],
      ["gateway", "check", "mpgs", body, "--json"], ["gateway", "response", "mpgs", answer, "--json"],
      ["gateway", "request", "worldline", altered, "--json"], ["gateway", "events", events, "--json"],
      [
        "bench", "run", "--seconds", "0.2", "--quiet", "--json", "=stage/json/fast", "=stage/ecdh/openssl",
        "=stage/ecdsa-verify/openssl",
      ],
      ["bench", "compare", measured, measured, "--json"],
    ]
    var names: Set<String> = []
    for words in commands {
      let output = try Program.run(words).output
      if words[1] == "run" { try output.write(to: URL(filePath: measured)) }
      names.insert(try JSONSchema.exercise(output))
    }
    #expect(names == Set(JSONSchema.all.keys.filter { !$0.hasPrefix("assay.fuzz") }) && names.count == 11)
    #expect(JSONSchema.all.count == 13)
  }

  @Test func `the codes that schemas list are those of the rules`() throws {
    for name in ["assay.decrypt/1", "assay.explain/1"] {
      let codes = try #require(JSONSchema.all[name]?.root["$defs"]?["code"]?["enum"]?.elements).compactMap(\.string)
      #expect(codes == TokenFault.Code.allCases.map(\.rawValue), "\(name)")
    }
  }
}
