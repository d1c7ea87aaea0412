/// A JSON value for tests: names may be repeated, and white space and escapes are drawn when it is written.
indirect enum RequestTree {
  case object([(name: String, value: RequestTree)])
  case array([RequestTree])
  case string(String)
  /// A number or a literal, as written.
  case raw(String)

  /// The values of that name in an object; none in anything else.
  func values(_ name: String) -> [RequestTree] {
    guard case .object(let members) = self else { return [] }
    return members.filter { $0.name == name }.map(\.value)
  }

  /// All values that a path leads to.
  func values(along path: some Collection<String>) -> [RequestTree] {
    path.reduce([self]) { values, name in values.flatMap { $0.values(name) } }
  }

  /// Whether a name of the path is repeated in an object it leads to.
  func repeats(_ path: [String]) -> Bool {
    path.indices.contains { index in
      values(along: path[..<index]).contains { $0.values(path[index]).count > 1 }
    }
  }

  /// The text, with white space and escapes as they are drawn.
  func text(using generator: inout some RandomNumberGenerator) -> String {
    switch self {
    case .object(let members):
      var items: [String] = []
      for (name, value) in members {
        let name = Self.quoted(name, using: &generator) + Self.space(using: &generator)
        let value = Self.space(using: &generator) + value.text(using: &generator)
        items.append("\(name):\(value)")
      }
      return Self.list("{", items, "}", using: &generator)
    case .array(let values):
      var items: [String] = []
      for value in values { items.append(value.text(using: &generator)) }
      return Self.list("[", items, "]", using: &generator)
    case .string(let text): return Self.quoted(text, using: &generator)
    case .raw(let text): return text
    }
  }

  private static func list(
    _ open: String, _ items: [String], _ close: String, using generator: inout some RandomNumberGenerator
  ) -> String {
    var spaced: [String] = []
    for item in items { spaced.append(space(using: &generator) + item + space(using: &generator)) }
    return open + spaced.joined(separator: ",") + close
  }

  private static func space(using generator: inout some RandomNumberGenerator) -> String {
    ["", "", "", " ", "\r\n\t"].randomElement(using: &generator) ?? ""
  }

  /// A string with none, some or all of its characters escaped.
  private static func quoted(_ text: String, using generator: inout some RandomNumberGenerator) -> String {
    let rate = [0, 0, 4, 1].randomElement(using: &generator) ?? 0
    var written = "\""
    for scalar in text.unicodeScalars {
      let isEscaped = rate > 0 && Int.random(in: 0..<rate, using: &generator) == 0
      if isEscaped || scalar == "\"" || scalar == "\\" || scalar.value < 0x20 {
        for unit in String(scalar).utf16 { written += escape(unit, isUpper: Bool.random(using: &generator)) }
      } else {
        written.unicodeScalars.append(scalar)
      }
    }
    return written + "\""
  }

  private static func escape(_ unit: UInt16, isUpper: Bool) -> String {
    let digits = String(unit, radix: 16, uppercase: isUpper)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
