import CTextKernels
import Testing

/// Compares the operations of a kernel with the specification, with texts and outputs at the ends of pages.
final class TextComparison {
  private let operations: TextOperations
  private let texts: FencedMemory
  private let outputs: FencedMemory
  /// The number of results compared, and of wrong ones.
  private(set) var count = 0
  private(set) var wrong = 0
  /// The first wrong result.
  private(set) var first: String?

  init(_ operations: TextOperations) throws {
    self.operations = operations
    texts = try #require(FencedMemory(atLeast: 4_096))
    outputs = try #require(FencedMemory(atLeast: 4_096))
    #expect(texts.isFenced && outputs.isFenced)
  }

  private func note(_ isRight: Bool, _ operation: String, _ text: [UInt8], _ place: String) {
    count += 1
    guard !isRight else { return }
    wrong += 1
    if first == nil { first = "\(operations.name), \(operation) of \(text.count) bytes at \(place): \(text)" }
  }

  /// The places of a text and its output: at the end of their pages, or at an offset from the beginning.
  private func places(_ text: [UInt8], room: Int, offsets: [Int]) -> [Places] {
    [(texts.end - text.count, outputs.end - room, "the end of a page")]
      + offsets.map { (texts.start + $0, outputs.start + $0 * 7 % 64, "byte \($0) of a page") }
  }

  private typealias FencedPlace = UnsafeMutablePointer<UInt8>
  private typealias Places = (text: FencedPlace, output: FencedPlace, name: String)

  private func holds(_ place: FencedPlace, _ bytes: [UInt8]) -> Bool {
    UnsafeBufferPointer(start: place, count: bytes.count).elementsEqual(bytes)
  }

  /// Compares the decoding of complete groups of base64.
  func base64(_ text: [UInt8], offsets: [Int] = [0]) {
    let wanted = TextSpecification.base64(text)
    for (source, target, name) in places(text, room: text.count / 4 * 3, offsets: offsets) {
      source.update(from: text, count: text.count)
      let isValid = operations.base64(source, text.count, target)
      note(isValid == (wanted != nil) && (wanted.map { holds(target, $0) } ?? true), "base64", text, name)
    }
  }

  /// Compares the reading of a text inside a JSON string.
  func json(_ text: [UInt8], offsets: [Int] = [0]) {
    let wanted = TextSpecification.run(text)
    let (read, content) = TextSpecification.unescape(text)
    for (source, target, name) in places(text, room: text.count, offsets: offsets) {
      source.update(from: text, count: text.count)
      let run = operations.run(source, text.count)
      note(run.count == wanted.count && run.has_escapes == wanted.hasEscapes, "the run", text, name)
      let copy = operations.unescape(source, text.count, target)
      note(
        copy.read == read && copy.written == content.count && holds(target, content), "unescaping", text, name)
    }
  }
}
