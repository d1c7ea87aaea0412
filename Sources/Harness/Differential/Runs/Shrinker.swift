internal import TokenScanning

/// Shrinks an input while a property holds: a variant of delta debugging (A. Zeller, R. Hildebrandt, "Simplifying and
/// isolating failure-inducing input", 2002).
///
/// It first removes whole members of JSON objects, the largest first, so that the result stays well-formed. Then it
/// removes runs of bytes: halves, quarters, down to single bytes. Every removal that keeps the property is kept.
public struct Shrinker: Sendable {
  /// The limit of property checks.
  public var tries: Int
  /// The time limit, in milliseconds.
  public var milliseconds: Int

  public init(tries: Int = 600, milliseconds: Int = 3_000) {
    self.tries = tries
    self.milliseconds = milliseconds
  }

  /// Returns the smallest input found; `input` itself if nothing can be removed.
  ///
  /// - Parameter keeps: whether an input has the property; it must hold for `input`.
  public func shrink(_ input: [UInt8], keeps: ([UInt8]) -> Bool) -> [UInt8] {
    var search = Search(best: input, triesLeft: tries, deadline: Deadline(milliseconds: milliseconds))
    search.removeMembers(keeps)
    search.removeRuns(keeps)
    return search.best
  }

  private struct Search {
    var best: [UInt8]
    var triesLeft: Int
    let deadline: Deadline

    private mutating func removes(_ range: Range<Int>, _ keeps: ([UInt8]) -> Bool) -> Bool {
      guard triesLeft > 0, !deadline.isOver else { return false }
      triesLeft -= 1
      var candidate = best
      candidate.removeSubrange(range)
      guard keeps(candidate) else { return false }
      best = candidate
      return true
    }

    /// Removes members until none can be removed. The ranges are computed again after each removal.
    mutating func removeMembers(_ keeps: ([UInt8]) -> Bool) {
      var index = 0
      var ranges = JSONMemberRanges.largestFirst(best)
      while index < ranges.count, triesLeft > 0 {
        if removes(ranges[index], keeps) {
          ranges = JSONMemberRanges.largestFirst(best)
          index = 0
        } else {
          index += 1
        }
      }
    }

    /// Removes runs of bytes: halves, quarters, and so on down to single bytes.
    mutating func removeRuns(_ keeps: ([UInt8]) -> Bool) {
      var size = best.count / 2
      while size > 0, triesLeft > 0, !deadline.isOver {
        var start = 0
        var removedAny = false
        while start < best.count, triesLeft > 0 {
          if removes(start..<min(start + size, best.count), keeps) { removedAny = true } else { start += size }
        }
        if !removedAny || size > best.count { size = min(size, best.count) / 2 }
      }
    }
  }
}

/// The ranges of all members of a JSON document, so that removing one leaves valid JSON.
enum JSONMemberRanges {
  /// One range per member including its comma, the largest first; none if the text is not JSON.
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
