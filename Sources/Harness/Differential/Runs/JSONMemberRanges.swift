internal import TokenScanning

/// Where the members of a JSON document's objects stand, so that one can be taken out and JSON is left.
enum JSONMemberRanges {
  /// One range a member, its comma included, the largest first; none when the text is not JSON.
  static func largestFirst(_ text: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    do {
      var scanner = JSONScanner(text.span)
      scanner.skipWhitespace()
      try object(&scanner, depth: 1, into: &ranges)
    } catch {
      return []
    }
    return ranges.sorted { $0.count > $1.count }
  }

  private static func object(
    _ scanner: inout JSONScanner, depth: Int, into ranges: inout [Range<Int>]
  ) throws(MalformedJSON) {
    guard depth <= JSONScanner.maximumDepth else { throw MalformedJSON() }
    var members: [Range<Int>] = []
    var more = try scanner.enterObject()
    while more {
      scanner.skipWhitespace()
      let start = scanner.position
      _ = try scanner.memberName()
      if scanner.next == UInt8(ascii: "{") {
        try object(&scanner, depth: depth + 1, into: &ranges)
      } else {
        try scanner.skipValue(depth: depth)
      }
      members.append(start..<scanner.position)
      more = try scanner.continuesObject()
    }
    for (index, member) in members.enumerated() {
      if index + 1 < members.count {
        ranges.append(member.lowerBound..<members[index + 1].lowerBound)
      } else {
        ranges.append((index > 0 ? members[index - 1].upperBound : member.lowerBound)..<member.upperBound)
      }
    }
  }
}
