/// JSON text to be written. Objects keep the order of their members, and raw text may replace any value.
public indirect enum JSONValue: Hashable, Sendable {
  /// Text to be written unchanged.
  case raw([UInt8])
  /// An object.
  case object(JSONObject)

  /// A string, escaped only where RFC 8259 requires it.
  public static func string(_ text: String) -> JSONValue { .raw(JSONText.quoted(text)) }

  /// Text to be written unchanged.
  public static func raw(_ text: String) -> JSONValue { .raw(Array(text.utf8)) }

  /// An array of values without white space.
  public static func array(_ values: [JSONValue]) -> JSONValue {
    .raw(Array("[".utf8) + values.map { $0.text() }.joined(separator: Array(",".utf8)) + Array("]".utf8))
  }

  /// A value nested in objects of one member each, along a path.
  public static func nested(_ path: [String], _ value: JSONValue) -> JSONValue {
    path.reversed().reduce(value) { inner, name in .object(JSONObject([.init(name, inner)])) }
  }

  /// The object; empty for raw text. Setting it makes the value an object.
  public var object: JSONObject {
    get {
      if case .object(let object) = self { return object }
      return JSONObject()
    }
    set { self = .object(newValue) }
  }

  /// The document's text.
  public func text(_ spacing: JSONSpacing = .compact, depth: Int = 0) -> [UInt8] {
    if case .raw(let bytes) = self { return bytes }
    var bytes: [UInt8] = []
    write(to: &bytes, spacing, depth: depth)
    return bytes
  }

  fileprivate func write(to bytes: inout [UInt8], _ spacing: JSONSpacing, depth: Int) {
    switch self {
    case .raw(let text): bytes += text
    case .object(let object): object.write(to: &bytes, spacing, depth: depth)
    }
  }
}

/// A JSON object to be written. Names may repeat.
public struct JSONObject: Hashable, Sendable {
  /// A member of an object.
  public struct Member: Hashable, Sendable {
    /// The name as written, including quotes.
    public var name: [UInt8]
    /// The value.
    public var value: JSONValue

    /// A member whose name is escaped only where RFC 8259 requires it.
    public init(_ name: String, _ value: JSONValue) {
      self.init(quoted: JSONText.quoted(name), value)
    }

    /// A member whose name is written unchanged, including quotes, escapes and faults.
    public init(rawName: String, _ value: JSONValue) {
      self.init(quoted: Array(rawName.utf8), value)
    }

    /// A member whose name is written unchanged, including quotes.
    init(quoted name: [UInt8], _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The members in order.
  public var members: [Member]

  /// An object of these members.
  public init(_ members: [Member] = []) {
    self.members = members
  }

  /// The first member of this name. Setting nil removes it; a new member is appended.
  public subscript(name: String) -> JSONValue? {
    get {
      let quoted = JSONText.quoted(name)
      return members.first { $0.name == quoted }?.value
    }
    set {
      let quoted = JSONText.quoted(name)
      let index = members.firstIndex { $0.name == quoted }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(quoted: quoted, value))
      case (nil, nil): break
      }
    }
  }

  /// Appends a member, even if the name already occurs.
  public mutating func append(_ name: String, _ value: JSONValue) {
    members.append(Member(name, value))
  }

  fileprivate func write(to bytes: inout [UInt8], _ spacing: JSONSpacing, depth: Int) {
    bytes.append(UInt8(ascii: "{"))
    for (index, member) in members.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += spacing.lineBreak(depth: depth + 1)
      bytes += member.name
      bytes += spacing.colon
      member.value.write(to: &bytes, spacing, depth: depth + 1)
    }
    if !members.isEmpty { bytes += spacing.lineBreak(depth: depth) }
    bytes.append(UInt8(ascii: "}"))
  }
}

/// White space in JSON text.
public enum JSONSpacing: Hashable, Sendable, CaseIterable {
  /// None, as in tokens from devices.
  case compact
  /// A space after colons, and lines indented by two spaces.
  case pretty
  /// All four white-space characters, before names and closing braces and around colons.
  case wild

  var colon: String.UTF8View {
    switch self {
    case .compact: ":".utf8
    case .pretty: ": ".utf8
    case .wild: " \t:\r\n ".utf8
    }
  }

  func lineBreak(depth: Int) -> [UInt8] {
    switch self {
    case .compact: []
    case .pretty: [0x0A] + [UInt8](repeating: 0x20, count: 2 * depth)
    case .wild: Array("\r\n\t ".utf8)
    }
  }
}
