import Foundation
import Testing

/// Shows that `OutputSearch`, which `Program.run` applies to its commands, finds secrets.
@Suite(.blocking) struct OutputSearchTests {
  @Test func `what is written beside an answer is found: a card, a token, a key`() throws {
    let minted = try MintedFolder()
    let search = OutputSearch(["decrypt", minted.token] + minted.options, input: nil)
    let revealed = try minted.decrypt(["--reveal"])
    #expect(revealed.status == 0)
    #expect(
      Set(search.findings(output: revealed.output, error: ""))
        == ["\(MintedFolder.accountNumber) on standard output", "\(MintedFolder.cryptogram) on standard output"])
    for file in [minted.token, minted.folder.path("merchant.key")] {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(!search.findings(output: Data(), error: text).isEmpty)
      #expect(!search.findings(output: Data(text.utf8), error: "").isEmpty)
    }
    let pasted = OutputSearch(["decrypt", try String(contentsOfFile: minted.token, encoding: .utf8)], input: nil)
    #expect(
      !pasted.findings(output: Data(try Data(contentsOf: URL(filePath: minted.token)).suffix(600)), error: "").isEmpty)
    let scalar = Data((0..<32).map { $0 * 7 + 1 })
    for text in [scalar.map { String(format: "%02x", $0) }.joined(), scalar.base64EncodedString()] {
      let search = OutputSearch(["decrypt", minted.token, "--at", text], input: nil)
      #expect(!search.findings(output: Data(), error: "not \(text).").isEmpty)
      #expect(!search.findings(output: Data("not \(text).".utf8), error: "").isEmpty)
    }
    let piped = OutputSearch(["decrypt"], input: URL(filePath: minted.token))
    #expect(!piped.findings(output: Data(), error: try String(contentsOfFile: minted.token, encoding: .utf8)).isEmpty)
  }
}
