import PaymentToken
import ReferenceDecryption
import TokenScanning

/// The fast engine's scanner against the reference's reader: they must accept the same documents with equal content.
extension FuzzTargets {
  public static func json(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let input = bytes(data, size)
    let fast = JSONWalk.scanned(input)
    let reference = JSONWalk.read(input)
    if fast != reference { fail("readers", "json \(word(fast))", "json \(word(reference))") }
    return 0
  }

  private static func word(_ walk: [UInt8]?) -> String { walk == nil ? "malformed" : "read" }
}

/// A document as one byte string of its structure, names, strings and numbers; nil if it is malformed.
enum JSONWalk {
  static func scanned(_ input: [UInt8]) -> [UInt8]? {
    do {
      var scanner = JSONScanner(input.span)
      scanner.skipWhitespace()
      guard scanner.next == UInt8(ascii: "{") else { return nil }
      var mix = Digest()
      try value(&scanner, depth: 0, &mix)
      try scanner.expectEnd()
      // The scanner's other code path must give the same verdict.
      var skipping = JSONScanner(input.span)
      skipping.skipWhitespace()
      try skipping.skipValue(depth: 0)
      try skipping.expectEnd()
      return mix.value
    } catch {
      return nil
    }
  }

  private static func value(_ scanner: inout JSONScanner, depth: Int, _ mix: inout Digest) throws(TokenScanning
    .MalformedJSON)
  {
    switch scanner.next {
    case UInt8(ascii: "{"):
      guard depth < JSONScanner.maximumDepth else { throw TokenScanning.MalformedJSON() }
      mix.add(1)
      var more = try scanner.enterObject()
      while more {
        mix.add(try scanner.memberName().bytes(in: scanner.input))
        try value(&scanner, depth: depth + 1, &mix)
        more = try scanner.continuesObject()
      }
      mix.add(2)
    case UInt8(ascii: "["):
      guard depth < JSONScanner.maximumDepth else { throw TokenScanning.MalformedJSON() }
      mix.add(3)
      var more = try scanner.enterArray()
      while more {
        try value(&scanner, depth: depth + 1, &mix)
        more = try scanner.continuesArray()
      }
      mix.add(4)
    case UInt8(ascii: "\""):
      mix.add(5)
      mix.add(try scanner.string().bytes(in: scanner.input))
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      try scanner.skipValue(depth: depth)
      mix.add(6)
    default:
      let range = try scanner.number()
      mix.add(7)
      scanner.input.extracting(range).withUnsafeBufferPointer { mix.add($0) }
    }
  }

  static func read(_ input: [UInt8]) -> [UInt8]? {
    guard let document = try? JSONDocument(WipedBytes(input.span)) else { return nil }
    var mix = Digest()
    members(document.members, &mix)
    document.wipe()
    return mix.value
  }

  private static func members(_ members: [JSONMember], _ mix: inout Digest) {
    mix.add(1)
    for member in members {
      mix.add(member.name)
      value(member.value, &mix)
    }
    mix.add(2)
  }

  private static func value(_ value: JSONValue, _ mix: inout Digest) {
    switch value.kind {
    case .object(let list): members(list, &mix)
    case .array(let elements):
      mix.add(3)
      for element in elements { self.value(element, &mix) }
      mix.add(4)
    case .string(let content):
      mix.add(5)
      mix.add(content)
    case .boolean, .null: mix.add(6)
    case .number:
      mix.add(7)
      mix.add(value.text)
    }
  }

  /// Markers and contents in sequence. Comparing them as a whole is cheaper than hashing.
  struct Digest {
    private(set) var value: [UInt8] = []

    mutating func add(_ byte: UInt8) { value.append(byte) }

    mutating func add(_ bytes: some Sequence<UInt8>) {
      value.append(contentsOf: bytes)
      // A byte that UTF-8 never contains, so that contents cannot run together.
      value.append(0xFF)
    }
  }
}
