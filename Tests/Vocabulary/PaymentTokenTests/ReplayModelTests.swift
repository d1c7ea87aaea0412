import HostIO
import PaymentToken
import TestSupport
import Testing

/// Compares the store with a simple, slow model.
struct ReplayModelTests {
  /// A store that searches a list.
  private struct Model {
    let capacity: Int
    let longestWindow: UInt32
    private var entries: [(id: Int, time: Int64)] = []
    private var forgotten: Int64?

    init(capacity: Int, longestWindow: UInt32) {
      self.capacity = capacity
      self.longestWindow = longestWindow
    }

    mutating func insert(_ id: Int, at now: Int64, window: UInt32) -> ReplayVerdict {
      let needed = now - 2 * Int64(longestWindow)
      if entries.contains(where: { $0.id == id }) { return .replayed }
      if window > longestWindow { return .full }
      if let forgotten, forgotten >= needed { return .full }
      if entries.count == capacity {
        guard let oldest = entries.indices.min(by: { entries[$0].time < entries[$1].time }),
          entries[oldest].time < needed
        else { return .full }
        forgotten = entries.remove(at: oldest).time
      }
      entries.append((id, max(now, entries.map(\.time).max() ?? now)))
      return .fresh
    }
  }

  /// The fields of a token that replay detection uses.
  private struct Signed {
    let id: Int
    let time: Int64
  }

  @Test(arguments: [0, 1, 5, 60] as [UInt32])
  func `every answer is the model's, and no token is fresh twice`(window: UInt32) {
    let seed = UInt64.random(in: 0...(.max))
    print("replay model: seed \(seed), window \(window)")
    var random = SplitMix64(seed: seed)
    var answers: [ReplayVerdict: Int] = [:]
    for _ in 0..<40 {
      let capacity = Int.random(in: 0...40, using: &random)
      let store = MemoryReplayStore(capacity: capacity, longestWindow: window)
      var model = Model(capacity: capacity, longestWindow: window)
      var now: Int64 = 1_000_000
      var tokens: [Signed] = []
      var fresh: Set<Int> = []
      for _ in 0..<600 {
        now += step(window, using: &random)
        let token: Signed
        if let old = tokens.randomElement(using: &random), Bool.random(using: &random) {
          token = old
        } else {
          let span = Int64(window)
          token = Signed(id: tokens.count, time: now + Int64.random(in: -span...span, using: &random))
          tokens.append(token)
        }
        // An engine asks about no token outside the window.
        guard abs(now - token.time) <= Int64(window) else { continue }
        let asked = Int.random(in: 0..<20, using: &random) == 0 ? window + 1 : window
        let answer = store.insert(id(token.id), at: UnixTime(secondsSinceEpoch: now), window: asked)
        answers[answer, default: 0] += 1
        #expect(answer == model.insert(token.id, at: now, window: asked), "seed \(seed)")
        if answer == .fresh { #expect(fresh.insert(token.id).inserted, "seed \(seed): fresh twice") }
      }
    }
    #expect(answers.count == 3 && answers.values.allSatisfy { $0 > 100 }, "seed \(seed): \(answers)")
  }

  /// The seconds to the next request: mostly none or a few, sometimes many, sometimes negative.
  private func step(_ window: UInt32, using random: inout SplitMix64) -> Int64 {
    let span = Int64(window)
    return switch Int.random(in: 0..<12, using: &random) {
    case 0: -Int64.random(in: 0...(3 * span + 3), using: &random)
    case 1: Int64.random(in: 0...(3 * span + 3), using: &random)
    case 2...4: Int64.random(in: 0...2, using: &random)
    default: 0
    }
  }

  private func id(_ number: Int) -> Bytes32 {
    var bytes = [UInt8](repeating: 0, count: 32)
    for index in 0..<8 { bytes[31 - index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    return Bytes32(bytes)!
  }
}
