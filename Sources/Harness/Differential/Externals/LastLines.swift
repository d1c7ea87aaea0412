/// The end of what a program writes to its standard error: enough to see why it fails, however much it writes.
struct LastLines {
  /// Whether nothing more will come.
  var hasEnded = false
  private var octets: [UInt8] = []

  private static let octetLimit = 4_096
  private static let lineLimit = 8

  mutating func append(_ more: [UInt8]) {
    octets += more.suffix(Self.octetLimit)
    if octets.count > 2 * Self.octetLimit { octets.removeFirst(octets.count - Self.octetLimit) }
  }

  /// The last eight lines, of the last 4 KiB.
  var lines: [String] {
    octets.suffix(Self.octetLimit).split(separator: UInt8(ascii: "\n")).suffix(Self.lineLimit)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
