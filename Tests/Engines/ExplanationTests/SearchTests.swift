import Explanation
import TestSupport
import Testing

/// The search for a token inside other text costs a multiple of the text, whatever its layers.
@Suite(.timeLimit(.minutes(1)))
struct SearchTests {
  private func diagnosis(of text: String) throws -> Diagnosis {
    var scenario = try Scenario(ScenarioTests.minter.get())
    scenario.send(text, from: .automatic)
    return try scenario.explain().diagnosis
  }

  /// Each quotation mark may begin a string that is searched in turn.
  @Test(arguments: [(3, 60), (4, 32), (6, 64), (8, 60), (10, 8), (12, 1)])
  func `text in strings in text, layer under layer, is unknown text`(_ layers: Int, _ marks: Int) throws {
    var text = Array(repeating: "\"", count: marks).joined(separator: "z") + String(repeating: "z", count: 80)
    for _ in 0..<layers {
      text = "y \"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    #expect(try diagnosis(of: text) == .unknownText)
  }

  /// Each has two readings, with and without plus signs for spaces.
  @Test func `fields of a form in a field, again and again, are unknown text`() throws {
    #expect(try diagnosis(of: String(repeating: "a=", count: 8_000)) == .unknownText)
  }

  /// A log with many short strings before the token, in the third layer.
  @Test func `a token behind others' text is found within the limit`() throws {
    let scenario = try Scenario(ScenarioTests.minter.get())
    let line = (1...60).map { "k\($0)=\"v\($0)\"" }.joined(separator: " ")
    #expect(try diagnosis(of: "\(line) token: \(scenario.text)") == .surroundedByText)
  }
}
