/// A pattern for names of benchmarks: a beginning, a full name with `*` as a wildcard, or `=` and exactly one name.
struct NamePattern {
  private let text: String

  init(_ text: String) {
    self.text = text
  }

  func matches(_ name: String) -> Bool {
    if text.hasPrefix("=") { return name == text.dropFirst() }
    guard text.contains("*") else { return name.hasPrefix(text) }
    let parts = text.split(separator: "*", omittingEmptySubsequences: false).map(Array.init)
    var rest = Array(name)[...]
    for (index, part) in parts.enumerated() {
      if index == 0 {
        guard rest.starts(with: part) else { return false }
        rest = rest.dropFirst(part.count)
      } else if index == parts.count - 1 {
        return rest.count >= part.count && rest.suffix(part.count).elementsEqual(part)
      } else {
        guard let start = Self.first(part, in: rest) else { return false }
        rest = rest[(start + part.count)...]
      }
    }
    return rest.isEmpty
  }

  private static func first(_ part: [Character], in text: ArraySlice<Character>) -> Int? {
    guard text.count >= part.count else { return nil }
    return (text.startIndex...(text.endIndex - part.count)).first { text[$0..<($0 + part.count)].elementsEqual(part) }
  }
}
