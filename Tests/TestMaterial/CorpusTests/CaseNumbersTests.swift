import Corpus
import Testing

/// The numbers of vectors, which never change.
struct CaseNumbersTests {
  @Test func `a case keeps its number, and a new one gets the next`() throws {
    var numbers = CaseNumbers()
    #expect(numbers.id(in: "json", of: "first") == 1 && numbers.id(in: "json", of: "second") == 2)
    #expect(numbers.id(in: "chain", of: "third") == 1)
    let written = numbers.output.bytes
    var read = try CaseNumbers(written)
    #expect(read.output.bytes == written)
    // The first case no longer asks for its number, and a new one comes before the second.
    #expect(read.id(in: "json", of: "new") == 3 && read.id(in: "json", of: "second") == 2)
    #expect(String(decoding: read.output.bytes, as: UTF8.self).hasSuffix("\nchain 1 third\njson 3 new\n"))
    #expect(read.output.bytes.starts(with: written))
  }

  @Test(arguments: ["", "json 1 case", "json one case", "json 1", "json 9999999 case", "json 1 case\njson 1 other"])
  func `a file that this program has not written is refused`(lines: String) throws {
    let heading = try #require(String(decoding: CaseNumbers().output.bytes, as: UTF8.self).split(separator: "\n").first)
    let text = lines == "json 1 case" ? lines : lines.isEmpty ? "" : "\(heading)\n\(lines)\n"
    #expect(throws: (any Error).self) { try CaseNumbers(Array(text.utf8)) }
  }
}
