import Corpus
import Foundation
import TestSupport
import Testing

@Suite struct GatewayVectorTests {
  private static let folder = Package.folder.appending(path: "Corpus/gateways")

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: Self.folder.appending(path: name)), as: UTF8.self)
  }

  private func findings(_ text: String) -> (findings: [CorpusFinding], count: Int) {
    var count = 0
    let findings = GatewayVectors.findings(in: Array(text.utf8), at: "gateways/x.json", count: &count)
    return (findings, count)
  }

  @Test(arguments: [("bodies.json", 80), ("requests.json", 40), ("answers.json", 25), ("events.json", 20)])
  func `every vector has its expected result`(_ name: String, _ least: Int) throws {
    let (findings, count) = findings(try text(name))
    #expect(findings == [])
    #expect(count >= least)
  }

  /// Each kind of test detects a changed result.
  @Test(arguments: [
    ("bodies.json", #""problems":[]"#, #""problems":[{"path":"x","kind":"form"}]"#),
    ("bodies.json", #""kind":"missing"}"#, #""kind":"form"}"#),
    ("requests.json", #"\"SALE\""#, #"\"sale\""#),
    ("requests.json", #""error":"amountDiffers""#, #""error":"currencyDiffers""#),
    ("requests.json", #""kind":"missing"}"#, #""kind":"form"}"#),
    ("requests.json", #""differences":[]"#, #""differences":["amount"]"#),
    ("answers.json", #""outcome":"succeeded""#, #""outcome":"refused""#),
    ("events.json", #""violations":[]"#, #""violations":["afterEnd"]"#),
    ("events.json", #""outcome":"goingOn""#, #""outcome":"cancelled""#),
    ("events.json", #""json":null"#, #""json":"{}""#),
  ])
  func `another result is found`(_ name: String, _ old: String, _ new: String) throws {
    let text = try text(name)
    let count = text.split(separator: old, omittingEmptySubsequences: false).count - 1
    #expect(count > 0)
    #expect(findings(text.replacing(old, with: new)).findings.count >= 1)
  }

  @Test(arguments: [
    "", "[]", #"{"schema":"assay.gateway-vectors/2","tests":[]}"#, #"{"schema":"assay.gateway-vectors/1"}"#,
    #"{"schema":"assay.gateway-vectors/1","tests":[],"more":1}"#,
    #"{"schema":"assay.gateway-vectors/1","tests":[{"id":2,"kind":"received","comment":"c","input":"a=1","json":null}]}"#,
    #"{"schema":"assay.gateway-vectors/1","tests":[{"id":1,"kind":"other","comment":"c","input":"a=1","json":null}]}"#,
    #"{"schema":"assay.gateway-vectors/1","tests":[{"id":1,"kind":"received","comment":"","input":"a=1","json":null}]}"#,
    #"{"schema":"assay.gateway-vectors/1","tests":[{"id":1,"kind":"received","comment":"c","input":"a=1"}]}"#,
  ])
  func `a file that is not as its schema says is a finding`(_ text: String) {
    #expect(findings(text).findings.count == 1)
  }
}
