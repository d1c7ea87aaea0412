/// Makes an input smaller as long as a property holds: whole members of its JSON first, then runs of octets (delta
/// debugging: A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input", 2002).
public struct Shrinker: Sendable {
  /// How often the property is tried at most.
  public var tries: Int
  /// How long it may take, in milliseconds.
  public var milliseconds: Int

  public init(tries: Int = 600, milliseconds: Int = 3_000) {
    self.tries = tries
    self.milliseconds = milliseconds
  }

  /// The smallest input found; `input` itself where nothing can go.
  ///
  /// - Parameter keeps: whether an input still shows what is looked for; `input` does.
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

    /// Until none can go any more; the ranges are found anew after each that went.
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

    /// Halves, quarters, and so on down to single octets.
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
