import StrictJSON

/// A JSON value whose scalars and names keep their text. The reader is lenient, so that documents which the engines
/// must refuse can be mutated too. Independent of the engines' readers.
package indirect enum JSONPiece: Sendable {
  /// A string, number or literal as written; strings include their quotes.
  case scalar([UInt8])
  case array([JSONPiece])
  case object([Member])

  /// A member of an object.
  package struct Member: Sendable {
    /// As written, quotes included.
    package var name: [UInt8]
    /// The value.
    package var value: JSONPiece

    /// A member whose name is written as it is, quotes included.
    package init(name: [UInt8], _ value: JSONPiece) {
      self.name = name
      self.value = value
    }

    /// A member of this name, escaped only where it must be.
    package init(_ name: String, _ value: JSONPiece) {
      self.name = JSONPiece.quoted(Array(name.utf8))
      self.value = value
    }
  }

  /// The depth limit; deeper documents are mutated only as text.
  private static let deepest = 64

  /// Reads a document; nil if it is too far from JSON.
  package init?(_ text: [UInt8]) {
    var reader = Reader(text: text)
    guard let piece = reader.value(depth: 0) else { return nil }
    reader.skipSpace()
    guard reader.position == text.count else { return nil }
    self = piece
  }

  private struct Reader {
    let text: [UInt8]
    var position = 0

    var next: UInt8? { position < text.count ? text[position] : nil }

    mutating func skipSpace() {
      while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    mutating func takes(_ byte: UInt8) -> Bool {
      skipSpace()
      guard next == byte else { return false }
      position += 1
      return true
    }

    mutating func value(depth: Int) -> JSONPiece? {
      guard depth < JSONPiece.deepest else { return nil }
      skipSpace()
      switch next {
      case UInt8(ascii: "{"): return object(depth: depth)
      case UInt8(ascii: "["): return array(depth: depth)
      case UInt8(ascii: "\""): return string().map { .scalar($0) }
      case nil: return nil
      default: return literal()
      }
    }

    mutating func string() -> [UInt8]? {
      let start = position
      var end = start + 1
      let text = text
      let bytes = text.span
      while end < bytes.count {
        let byte = bytes[end]
        end += byte == UInt8(ascii: "\\") ? 2 : 1
        guard byte == UInt8(ascii: "\"") else { continue }
        position = end
        return Array(text[start..<end])
      }
      return nil
    }

    mutating func literal() -> JSONPiece? {
      let start = position
      let ends = Array(",:]}{[\" \t\r\n".utf8)
      while let byte = next, !ends.contains(byte) { position += 1 }
      return position > start ? .scalar(Array(text[start..<position])) : nil
    }

    mutating func array(depth: Int) -> JSONPiece? {
      position += 1
      if takes(UInt8(ascii: "]")) { return .array([]) }
      var elements: [JSONPiece] = []
      repeat {
        guard let element = value(depth: depth + 1) else { return nil }
        elements.append(element)
      } while takes(UInt8(ascii: ","))
      return takes(UInt8(ascii: "]")) ? .array(elements) : nil
    }

    mutating func object(depth: Int) -> JSONPiece? {
      position += 1
      if takes(UInt8(ascii: "}")) { return .object([]) }
      var members: [Member] = []
      repeat {
        skipSpace()
        guard next == UInt8(ascii: "\""), let name = string(), takes(UInt8(ascii: ":")),
          let value = value(depth: depth + 1)
        else { return nil }
        members.append(Member(name: name, value))
      } while takes(UInt8(ascii: ","))
      return takes(UInt8(ascii: "}")) ? .object(members) : nil
    }
  }
}

extension JSONPiece {
  /// The document without white space.
  package var text: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(4_096)
    write(to: &text)
    return text
  }

  private func write(to text: inout [UInt8]) {
    switch self {
    case .scalar(let bytes): text += bytes
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        element.write(to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text += member.name
        text.append(UInt8(ascii: ":"))
        member.value.write(to: &text)
      }
      text.append(UInt8(ascii: "}"))
    }
  }

  /// A string of this content with the escapes that RFC 8259 requires.
  package static func quoted(_ content: [UInt8]) -> [UInt8] { JSONText.quoted(bytes: content, .fewest) }

  /// A string of this content.
  package static func string(_ content: [UInt8]) -> JSONPiece { .scalar(quoted(content)) }
  /// A string of this content.
  package static func string(_ content: String) -> JSONPiece { .scalar(quoted(Array(content.utf8))) }

  /// The unescaped content of a string as written; nil for other scalars. Invalid escapes are read leniently.
  package static func content(of text: [UInt8]) -> [UInt8]? {
    guard text.count >= 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") else { return nil }
    let inside = text[1..<text.count - 1]
    guard inside.contains(UInt8(ascii: "\\")) else { return Array(inside) }
    return unescaped(inside)
  }

  /// Bytes with the characters of escapes, even outside strings, and without line breaks. It is here because this
  /// module is compiled with optimization.
  package static func plain(_ bytes: [UInt8]) -> [UInt8] {
    unescaped(bytes[...]).filter { $0 != 0x0A && $0 != 0x0D }
  }

  /// The text with the characters of its escapes. Invalid escapes are read leniently.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = text.startIndex
    var high: UInt32 = 0
    while index < text.endIndex {
      let byte = text[index]
      index += 1
      guard byte == UInt8(ascii: "\\"), index < text.endIndex else {
        result.append(byte)
        continue
      }
      let kind = text[index]
      index += 1
      switch kind {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        let digits = String(decoding: text[index...].prefix(4), as: UTF8.self)
        guard let unit = UInt32(digits, radix: 16) else { continue }
        index = min(index + 4, text.endIndex)
        if (0xD800...0xDBFF).contains(unit) {
          high = unit
        } else if (0xDC00...0xDFFF).contains(unit) {
          append(0x10000 + (high & 0x3FF) << 10 + (unit & 0x3FF), to: &result)
        } else {
          append(unit, to: &result)
        }
      default: result.append(kind)
      }
    }
    return result
  }

  private static func append(_ value: UInt32, to result: inout [UInt8]) {
    if value < 0x80 { return result.append(UInt8(value)) }
    guard let scalar = Unicode.Scalar(value) else { return }
    result += UTF8.encode(scalar).map { Array($0) } ?? []
  }
}

extension JSONPiece {
  /// Whether the member's name, unescaped, is this one.
  package static func has(_ name: [UInt8], _ text: String) -> Bool {
    name.count >= text.utf8.count && content(of: name)?.elementsEqual(text.utf8) == true
  }

  /// The first value of that name. Setting it adds the member if it is absent; setting nil removes it.
  package subscript(name: String) -> JSONPiece? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { Self.has($0.name, name) }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let index = members.firstIndex { Self.has($0.name, name) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name, value))
      case (nil, nil): return
      }
      self = .object(members)
    }
  }

  /// The value at a path of names. Setting it has no effect if the path does not lead through objects.
  package subscript(path: ArraySlice<String>) -> JSONPiece? {
    get {
      guard let first = path.first else { return self }
      return self[first]?[path.dropFirst()]
    }
    set {
      guard let first = path.first else {
        if let newValue { self = newValue }
        return
      }
      guard path.count > 1 else {
        self[first] = newValue
        return
      }
      guard var inner = self[first] else { return }
      inner[path.dropFirst()] = newValue
      self[first] = inner
    }
  }

  /// The content of the string at a path of names.
  package func content(at path: [String]) -> [UInt8]? {
    guard case .scalar(let text)? = self[path[...]] else { return nil }
    return Self.content(of: text)
  }
}

extension JSONPiece {
  /// The elements of an array or the values of an object.
  package var children: [JSONPiece] {
    get {
      switch self {
      case .scalar: []
      case .array(let elements): elements
      case .object(let members): members.map(\.value)
      }
    }
    set {
      switch self {
      case .scalar: return
      case .array: self = .array(newValue)
      case .object(let members): self = .object(zip(members, newValue).map { Member(name: $0.name, $1) })
      }
    }
  }

  /// The members and elements in it, at all depths.
  package var valueCount: Int { children.reduce(children.count) { $0 + $1.valueCount } }

  /// The nesting depth of containers.
  package var depth: Int { if case .scalar = self { 0 } else { 1 + (children.map(\.depth).max() ?? 0) } }
}
