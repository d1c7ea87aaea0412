import PaymentToken

/// Data compressed with DEFLATE (RFC 1951) in the format of gzip (RFC 1952) or zlib (RFC 1950).
struct Compression {
  /// The shell command that decompresses it.
  let take: String
  private let deflated: ArraySlice<UInt8>
  /// The size of the sums behind the data.
  private let trailerCount: Int

  /// Nil for bytes that do not begin as either format.
  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x1F, 0x8B, 0x08]), let start = Self.gzipHeaderEnd(bytes) {
      (take, deflated, trailerCount) = ("gzip -dc", bytes[start...], 8)
    } else if bytes.count > 64, bytes[0] & 0x8F == 0x08, bytes[1] & 0x20 == 0,
      (Int(bytes[0]) << 8 | Int(bytes[1])).isMultiple(of: 31)
    {
      let read = "sys.stdout.buffer.write(zlib.decompress(sys.stdin.buffer.read()))"
      (take, deflated, trailerCount) = ("python3 -c 'import sys, zlib; \(read)'", bytes[2...], 4)
    } else {
      return nil
    }
  }

  private static func gzipHeaderEnd(_ bytes: [UInt8]) -> Int? {
    guard bytes.count > 64 else { return nil }
    let flags = bytes[3]
    var end = 10
    if flags & 0x04 != 0 { end += 2 + Int(bytes[10]) + Int(bytes[11]) << 8 }
    // A name and a comment, each up to a zero.
    for flag in [0x08, 0x10] as [UInt8] where flags & flag != 0 {
      guard end < bytes.count, let zero = bytes[end...].firstIndex(of: 0) else { return nil }
      end = zero + 1
    }
    if flags & 0x02 != 0 { end += 2 }
    return end < bytes.count ? end : nil
  }

  /// What the command writes; nil for damaged data, and for more than a token's JSON can be compressed by. The sums are
  /// not compared: a token that was altered fails later.
  var decompressed: [UInt8]? {
    var inflation = Inflation(deflated, limit: 16 * deflated.count)
    guard (try? inflation.run()) != nil, inflation.restCount >= trailerCount else { return nil }
    return inflation.output
  }
}

/// Decompresses DEFLATE (RFC 1951). Its work is linear in the input, and in the limit of the output.
private struct Inflation {
  struct Malformed: Error {}

  private(set) var output: [UInt8] = []
  private var input: ArraySlice<UInt8>
  /// Bits that were read from the input, the next one lowest.
  private var bits = 0
  private var bitCount = 0
  private let limit: Int

  init(_ input: ArraySlice<UInt8>, limit: Int) {
    self.input = input
    self.limit = limit
  }

  /// The bytes behind the data.
  var restCount: Int { input.count }

  mutating func run() throws(Malformed) {
    var isLast = false
    while !isLast {
      isLast = try read(1) == 1
      switch try read(2) {
      case 0: try copyStored()
      case 1: try decode(.fixedLiterals, .fixedDistances)
      case 2:
        let (literals, distances) = try readCodes()
        try decode(literals, distances)
      default: throw Malformed()
      }
    }
  }

  /// Reads a number of `count` bits.
  private mutating func read(_ count: Int) throws(Malformed) -> Int {
    while bitCount < count {
      guard let byte = input.popFirst() else { throw Malformed() }
      bits |= Int(byte) << bitCount
      bitCount += 8
    }
    defer {
      bits >>= count
      bitCount -= count
    }
    return bits & (1 << count - 1)
  }

  private mutating func append(_ bytes: some Collection<UInt8>) throws(Malformed) {
    guard output.count + bytes.count <= limit else { throw Malformed() }
    output += bytes
  }

  private mutating func copyStored() throws(Malformed) {
    (bits, bitCount) = (0, 0)
    let count = try read(16)
    guard try read(16) == count ^ 0xFFFF, input.count >= count else { throw Malformed() }
    try append(input.prefix(count))
    input = input.dropFirst(count)
  }

  /// The order in which the lengths of the code of lengths are written.
  private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private mutating func readCodes() throws(Malformed) -> (PrefixCode, PrefixCode) {
    let (literalCount, distanceCount, lengthCount) = (try read(5) + 257, try read(5) + 1, try read(4) + 4)
    var lengths = [Int](repeating: 0, count: 19)
    for symbol in Self.lengthOrder.prefix(lengthCount) { lengths[symbol] = try read(3) }
    let code = PrefixCode(lengths)
    lengths = []
    while lengths.count < literalCount + distanceCount {
      switch try readSymbol(code) {
      case 16:
        guard let last = lengths.last else { throw Malformed() }
        lengths += [Int](repeating: last, count: try read(2) + 3)
      case 17: lengths += [Int](repeating: 0, count: try read(3) + 3)
      case 18: lengths += [Int](repeating: 0, count: try read(7) + 11)
      case let length: lengths.append(length)
      }
    }
    guard lengths.count == literalCount + distanceCount else { throw Malformed() }
    return (PrefixCode(lengths.prefix(literalCount)), PrefixCode(lengths.dropFirst(literalCount)))
  }

  private mutating func readSymbol(_ code: PrefixCode) throws(Malformed) -> Int {
    var (value, first, index) = (0, 0, 0)
    for length in 1...15 {
      value |= try read(1)
      let count = code.counts[length]
      if (first..<(first + count)).contains(value) { return code.symbols[index + value - first] }
      (index, first, value) = (index + count, (first + count) << 1, value << 1)
    }
    throw Malformed()
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049, 3_073, 4_097,
    6_145, 8_193, 12_289, 16_385, 24_577,
  ]

  private mutating func decode(_ literals: PrefixCode, _ distances: PrefixCode) throws(Malformed) {
    while true {
      let symbol = try readSymbol(literals)
      if symbol == 256 { return }
      if symbol < 256 {
        try append(CollectionOfOne(UInt8(symbol)))
        continue
      }
      guard symbol - 257 < Self.lengthBases.count else { throw Malformed() }
      let length = Self.lengthBases[symbol - 257] + (try read(Self.lengthBits[symbol - 257]))
      let code = try readSymbol(distances)
      guard code < Self.distanceBases.count else { throw Malformed() }
      let distance = Self.distanceBases[code] + (try read(max(0, code / 2 - 1)))
      guard distance <= output.count else { throw Malformed() }
      // What is copied may be part of what is copied from.
      for _ in 0..<length { try append(CollectionOfOne(output[output.count - distance])) }
    }
  }
}

/// A canonical prefix code (RFC 1951 section 3.2.2): the number of codes of each length, and the symbols in order.
private struct PrefixCode {
  let counts: [Int]
  let symbols: [Int]

  init(_ lengths: some Sequence<Int>) {
    var counts = [Int](repeating: 0, count: 16)
    let used = lengths.enumerated().filter { $0.element > 0 }
    for (_, length) in used { counts[length] += 1 }
    self.counts = counts
    symbols = used.sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }.map(\.offset)
  }

  static let fixedLiterals = PrefixCode((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  static let fixedDistances = PrefixCode([Int](repeating: 5, count: 30))
}
