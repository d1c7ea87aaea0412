internal import TokenScanning

/// Shrinks an input while a property holds: a variant of delta debugging (A. Zeller, R. Hildebrandt, "Simplifying and
/// isolating failure-inducing input", 2002).
///
/// It first removes whole members of JSON objects, the largest first, so that the result stays well-formed. Then it
/// removes runs of bytes, shorter and shorter, down to single bytes. Every removal that keeps the property is kept.
public struct Shrinker: Sendable {
  /// The limit of the bytes given to property checks, as a multiple of the input's: the smaller the candidates, the
  /// more of them are checked.
  public var work: Int
  /// The time limit, in milliseconds.
  public var milliseconds: Int

  public init(work: Int = 200, milliseconds: Int = 3_000) {
    self.work = work
    self.milliseconds = milliseconds
  }

  /// Returns the smallest input found; `input` itself if nothing can be removed.
  ///
  /// - Parameter keeps: whether an input has the property; it must hold for `input`.
  public func shrink(_ input: [UInt8], keeps: ([UInt8]) -> Bool) -> [UInt8] {
    let (limit, isUnlimited) = input.count.multipliedReportingOverflow(by: work)
    var search = Search(
      best: input, bytesLeft: isUnlimited ? .max : limit, end: .now + .milliseconds(milliseconds))
    search.removeMembers(keeps)
    search.removeRuns(keeps)
    return search.best
  }

  private struct Search {
    var best: [UInt8]
    var bytesLeft: Int
    let end: SuspendingClock.Instant
    private var isOver: Bool { bytesLeft <= 0 || .now >= end }

    private mutating func removes(_ range: Range<Int>, _ keeps: ([UInt8]) -> Bool) -> Bool {
      bytesLeft -= best.count - range.count
      guard !isOver else { return false }
      var candidate = best
      candidate.removeSubrange(range)
      guard keeps(candidate) else { return false }
      best = candidate
      return true
    }

    /// Removes members, the largest first, until none can be removed. The ranges are computed again after each removal.
    mutating func removeMembers(_ keeps: ([UInt8]) -> Bool) {
      var hasRemoved = true
      while hasRemoved {
        hasRemoved = false
        var ranges = JSONMemberRanges.largestFirst(best)
        var index = 0
        while index < ranges.count, !isOver {
          if removes(ranges[index], keeps) {
            hasRemoved = true
            ranges = JSONMemberRanges.largestFirst(best)
          } else {
            index += 1
          }
        }
      }
    }

    /// Removes runs of bytes: from a power of two between a quarter and a half of all, down to single bytes. Base64 and
    /// hexadecimal stay well-formed when a multiple of four digits is removed.
    mutating func removeRuns(_ keeps: ([UInt8]) -> Bool) {
      var size = 1
      while size <= best.count / 4 { size *= 2 }
      while size > 0, !isOver {
        var start = 0
        var hasRemoved = false
        while start < best.count, !isOver {
          if removes(start..<min(start + size, best.count), keeps) { hasRemoved = true } else { start += size }
        }
        if !hasRemoved { size /= 2 }
        while size > best.count { size /= 2 }
      }
    }
  }
}

/// The ranges of the members of a JSON object and of the objects in it, so that removing one leaves valid JSON. Arrays
/// are not searched.
enum JSONMemberRanges {
  /// One range per member including its comma, the largest first; none if the text does not begin with an object.
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
