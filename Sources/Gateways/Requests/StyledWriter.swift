struct StyledWriter {
  let style: RequestStyle
  private(set) var text: [UInt8] = []

  /// Writes random white space if the style asks for it.
  mutating func space(using random: inout some RandomNumberGenerator) {
    guard style.whitespace == .random else { return }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      text.append([0x20, 0x09, 0x0A, 0x0D].randomElement(using: &random) ?? 0x20)
    }
  }

  /// Writes a value in an object at this depth.
  mutating func write(_ value: JSONValue, depth: Int, using random: inout some RandomNumberGenerator) {
    switch value {
    case .object(let object): write(object, depth: depth + 1, using: &random)
    case .raw(let bytes) where Self.isString(bytes): writeString(bytes, using: &random)
    case .raw(let bytes): text += bytes
    }
  }

  private mutating func write(_ object: JSONObject, depth: Int, using random: inout some RandomNumberGenerator) {
    var members = object.members
    if style.unknownSiblings > 0 {
      for _ in 0..<Int.random(in: 0...style.unknownSiblings, using: &random) {
        let sibling = UnknownSibling.member(using: &random)
        members.insert(sibling, at: Int.random(in: 0...members.count, using: &random))
      }
    }
    if style.shufflesMembers { members.shuffle(using: &random) }
    text.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      lineBreak(depth: depth, using: &random)
      writeString(member.name, using: &random)
      space(using: &random)
      text.append(UInt8(ascii: ":"))
      if style.whitespace == .indented { text.append(0x20) }
      space(using: &random)
      write(member.value, depth: depth, using: &random)
      space(using: &random)
    }
    if !members.isEmpty { lineBreak(depth: depth - 1, using: &random) }
    text.append(UInt8(ascii: "}"))
  }

  private mutating func lineBreak(depth: Int, using random: inout some RandomNumberGenerator) {
    space(using: &random)
    guard style.whitespace == .indented else { return }
    text += [0x0A] + [UInt8](repeating: 0x20, count: 2 * depth)
  }

  // MARK: Strings

  private static func isString(_ bytes: [UInt8]) -> Bool {
    bytes.count > 1 && bytes.first == UInt8(ascii: "\"") && bytes.last == UInt8(ascii: "\"")
  }

  /// Writes a JSON string with its quotes and additional escapes; existing escapes stay.
  private mutating func writeString(_ quoted: [UInt8], using random: inout some RandomNumberGenerator) {
    guard style.escapesOneIn > 0 || style.escapesSolidus else {
      text += quoted
      return
    }
    var index = 1
    let end = quoted.count - 1
    text.append(UInt8(ascii: "\""))
    while index < end {
      let length = Self.characterLength(quoted[index...])
      let character = quoted[index..<min(end, index + length)]
      index += character.count
      let isEscape = character.first == UInt8(ascii: "\\")
      if !isEscape, style.escapesOneIn > 0, Int.random(in: 0..<style.escapesOneIn, using: &random) == 0 {
        writeEscaped(character, using: &random)
      } else if style.escapesSolidus, character.elementsEqual([UInt8(ascii: "/")]) {
        text += Array("\\/".utf8)
      } else {
        text += character
      }
    }
    text.append(UInt8(ascii: "\""))
  }

  private mutating func writeEscaped(_ character: ArraySlice<UInt8>, using random: inout some RandomNumberGenerator) {
    // Bytes that are not UTF-8 stay unchanged.
    guard let scalars = String(validating: character, as: UTF8.self) else {
      text += character
      return
    }
    for unit in scalars.utf16 {
      let digits = Array((Bool.random(using: &random) ? "0123456789abcdef" : "0123456789ABCDEF").utf8)
      text += Array("\\u".utf8)
      for shift in [UInt16(12), 8, 4, 0] { text.append(digits[Int(unit >> shift & 15)]) }
    }
  }

  /// The number of bytes of the first character; two or six for an escape.
  private static func characterLength(_ bytes: ArraySlice<UInt8>) -> Int {
    switch bytes.first ?? 0 {
    case UInt8(ascii: "\\"): bytes.dropFirst().first == UInt8(ascii: "u") ? 6 : 2
    case 0xC0...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...: 4
    default: 1
    }
  }
}
