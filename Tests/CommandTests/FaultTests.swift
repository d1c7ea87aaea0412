import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct FaultTests {
  private static func list() throws -> [[String: Any]] {
    try #require(try Program.run(["mint", "--list-faults", "--json"]).json()["faults"] as? [[String: Any]])
  }

  @Test func `the list for people has a line for every name`() throws {
    let names = try Self.list().compactMap { $0["name"] as? String }
    let lines = try Program.run(["mint", "--list-faults"]).text.split(separator: "\n")
    #expect(names.count > 100)
    // A group has a heading, and its cases are indented.
    let cases = lines.filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2).prefix { $0 != " " }) }
    #expect(cases.count == names.count && Set(cases) == Set(names))
    #expect(
      lines.filter { !$0.hasPrefix("  ") }.allSatisfy { $0.wholeMatch(of: /\d+ \w+, (accepted|rejected):/) != nil })
  }

  @Test func `the printed command comes to the verdict of the case`() throws {
    let faults = try Self.list()
    var compared = 0
    // A sample of all cases. The engines' own tests decide every case.
    for fault in stride(from: 0, to: faults.count, by: Ring.isDeep ? 41 : 711).map({ faults[$0] }) {
      let name = try #require(fault["name"] as? String)
      let words = try #require(fault["expected"] as? String).split(separator: " ").map(String.init)
      let isUnsigned = words == ["accept", "unsigned"]
      let expected = isUnsigned ? ["accept"] : words
      let folder = try TemporaryFolder()
      let minted = try Program.run(["mint", "--out", folder.url.path, "--fault", name, "--at", MintedFolder.time])
      if minted.status == 64 {
        #expect(minted.error.contains("replays") || minted.error.contains("own choice"))
        continue
      }
      let command = try #require(minted.text.split(separator: "\n").last)
      for engine in ["fast", "reference"] {
        let outcome = try Program.shell("\(command) --json --engine \(engine)")
        let document = try outcome.json()
        let error = document["error"] as? [String: Any]
        #expect(outcome.status == (expected[0] == "accept" ? 0 : 1), "\(name)")
        #expect(error?["code"] as? String ?? "accept" == expected[0], "\(name) \(engine)")
        if expected == ["accept"] { #expect(document["signed"] as? Bool == !isUnsigned, "\(name) \(engine)") }
        #expect(error?["member"] as? String == (expected.count > 1 ? expected[1] : nil), "\(name) \(engine)")
        compared += 1
      }
    }
    #expect(compared > (Ring.isDeep ? 80 : 8), "\(compared)")
  }

  @Test(arguments: [("header-missing", "merchant.test.assay.one"), ("rsa-header-missing", "merchant.test.assay.three")])
  func `the merchant of a case is one for tokens of its version`(name: String, merchant: String) throws {
    let minted = try Program.run(["mint", "--fault", name, "--seed", "1", "--json"]).json()
    #expect(minted["merchantId"] as? String == merchant)
  }

  @Test func `a case that the command cannot be asked about is not minted for it`() throws {
    let folder = try TemporaryFolder()
    let words = ["mint", "--out", folder.url.path, "--at", MintedFolder.time, "--fault"]
    let outcome = try Program.run(words + ["a-longer-currency-than-expected"])
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.error.contains("own choice of expectations"))
    #expect(try Program.run(words + ["another-currency-than-expected"]).status == 0)
  }

  @Test(arguments: [
    ["--fault", "no such case"], ["--fault", "version-missing", "--count", "2"],
    ["--fault", "version-missing", "--amount", "1"],
  ])
  func `a fault has a name, and a content of its own`(options: [String]) throws {
    #expect(try Program.run(["mint", "--json"] + options).status == 64)
  }
}
