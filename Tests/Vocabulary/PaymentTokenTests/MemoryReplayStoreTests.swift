import PaymentToken
import Testing

struct MemoryReplayStoreTests {
  private static let noon = UnixTime(secondsSinceEpoch: 1_795_000_000)

  static func id(_ number: UInt64) -> Bytes32 {
    withUnsafeBytes(of: (number.bigEndian, number, ~number, UInt64(7))) { bytes in
      // The tuple has 32 bytes, so the initializer succeeds.
      Bytes32(Array(bytes)) ?? Bytes32([UInt8](repeating: 0, count: 32))!
    }
  }

  private static func after(_ seconds: Int64) -> UnixTime {
    UnixTime(secondsSinceEpoch: noon.secondsSinceEpoch + seconds)
  }

  @Test func `a transaction is fresh once`() {
    let store = MemoryReplayStore(capacity: 10)
    #expect(store.insert(Self.id(1), at: Self.noon, window: 300) == .fresh)
    #expect(store.insert(Self.id(1), at: Self.noon, window: 300) == .replayed)
    #expect(store.insert(Self.id(2), at: Self.noon, window: 300) == .fresh)
    #expect(store.insert(Self.id(1), at: Self.after(600), window: 300) == .replayed)
  }

  @Test(arguments: [0, 1, 300, UInt32.max])
  func `an entry makes room one second after twice the window`(window: UInt32) {
    let store = MemoryReplayStore(capacity: 1, longestWindow: window)
    let end = 2 * Int64(window)
    #expect(store.insert(Self.id(1), at: Self.noon, window: window) == .fresh)
    #expect(store.insert(Self.id(2), at: Self.noon, window: window) == .full)
    #expect(store.insert(Self.id(2), at: Self.after(end), window: window) == .full)
    #expect(store.insert(Self.id(1), at: Self.after(end), window: window) == .replayed)
    #expect(store.insert(Self.id(2), at: Self.after(end + 1), window: window) == .fresh)
    // The store has forgotten the first, and refuses it, since it cannot know it. It still has the second.
    #expect(store.insert(Self.id(1), at: Self.after(end + 1), window: window) == .full)
    #expect(store.insert(Self.id(2), at: Self.after(end + 1), window: window) == .replayed)
  }

  @Test func `entries are remembered longer while there is room`() {
    let store = MemoryReplayStore(capacity: 2)
    #expect(store.insert(Self.id(1), at: Self.noon, window: 300) == .fresh)
    #expect(store.insert(Self.id(1), at: Self.after(1_000_000), window: 300) == .replayed)
  }

  @Test func `a shorter window does not shorten an entry's lifetime, a longer one is rejected`() {
    let store = MemoryReplayStore(capacity: 1, longestWindow: 300)
    #expect(store.insert(Self.id(1), at: Self.noon, window: 10) == .fresh)
    #expect(store.insert(Self.id(2), at: Self.after(600), window: 10) == .full)
    #expect(store.insert(Self.id(1), at: Self.after(601), window: 301) == .replayed)
    #expect(store.insert(Self.id(2), at: Self.after(601), window: 301) == .full)
    #expect(store.insert(Self.id(2), at: Self.after(601), window: 300) == .fresh)
  }

  @Test func `after the clock is set back, forgotten entries are not fresh again`() {
    let store = MemoryReplayStore(capacity: 1)
    #expect(store.insert(Self.id(1), at: Self.noon, window: 300) == .fresh)
    #expect(store.insert(Self.id(2), at: Self.after(2_000), window: 300) == .fresh)
    for seconds: Int64 in [0, 1, 600] {
      #expect(store.insert(Self.id(1), at: Self.after(seconds), window: 300) == .full)
    }
    #expect(store.insert(Self.id(2), at: Self.after(0), window: 300) == .replayed)
  }

  @Test func `after the clock is set back, free room is not given to forgotten entries`() {
    let store = MemoryReplayStore(capacity: 2)
    #expect(store.insert(Self.id(1), at: Self.noon, window: 300) == .fresh)
    #expect(store.insert(Self.id(2), at: Self.after(1), window: 300) == .fresh)
    #expect(store.insert(Self.id(3), at: Self.after(601), window: 300) == .fresh)
    // Now the second entry is the oldest.
    #expect(store.insert(Self.id(1), at: Self.after(600), window: 300) == .full)
    #expect(store.insert(Self.id(1), at: Self.after(601), window: 300) == .full)
    #expect(store.insert(Self.id(1), at: Self.after(602), window: 300) == .fresh)
  }

  @Test func `an entry made at an earlier time than others lives as long as they do`() {
    let store = MemoryReplayStore(capacity: 2)
    #expect(store.insert(Self.id(1), at: Self.after(100), window: 300) == .fresh)
    #expect(store.insert(Self.id(2), at: Self.after(0), window: 300) == .fresh)
    #expect(store.insert(Self.id(3), at: Self.after(601), window: 300) == .full)
    #expect(store.insert(Self.id(3), at: Self.after(701), window: 300) == .fresh)
    #expect(store.insert(Self.id(4), at: Self.after(701), window: 300) == .fresh)
  }

  @Test func `the ends of time do not overflow`() {
    let store = MemoryReplayStore(capacity: 1, longestWindow: .max)
    let (first, last) = (UnixTime(secondsSinceEpoch: .min), UnixTime(secondsSinceEpoch: .max))
    #expect(store.insert(Self.id(1), at: first, window: .max) == .fresh)
    #expect(store.insert(Self.id(2), at: last, window: .max) == .fresh)
    #expect(store.insert(Self.id(1), at: first, window: .max) == .full)
    #expect(store.insert(Self.id(3), at: last, window: .max) == .full)
  }

  @Test func `a store without capacity rejects everything`() {
    let store = MemoryReplayStore(capacity: 0)
    #expect(store.insert(Self.id(1), at: Self.noon, window: 300) == .full)
    #expect(store.entryLimit == 0)
  }

  @Test(arguments: [1, 4_095, 8_191, 8_192, 100_000])
  func `it is full at its capacity, or an eighth above with several shards`(capacity: Int) {
    let store = MemoryReplayStore(capacity: capacity)
    var fresh = 0
    while store.insert(Self.id(UInt64(fresh)), at: Self.noon, window: 300) == .fresh { fresh += 1 }
    #expect(fresh >= capacity)
    #expect(fresh <= store.entryLimit)
    #expect(store.entryLimit <= (capacity < 8_192 ? capacity : capacity + capacity / 8 + 64))
    #expect(store.insert(Self.id(0), at: Self.noon, window: 300) == .replayed)
    // When the first entries expire there is room again, but not for more than before.
    var again = 0
    while store.insert(Self.id(UInt64(fresh + 1 + again)), at: Self.after(601), window: 300) == .fresh { again += 1 }
    #expect(again >= capacity && again <= store.entryLimit)
  }

  @Test(arguments: [
    // One shard has exactly the capacity. Each of 2, 4, 32 or 64 shards has its share, rounded up, and an eighth more.
    (0, 0), (1, 1), (7, 7), (8_191, 8_191), (8_192, 2 * (4_096 + 512)), (8_193, 2 * (4_097 + 512)),
    (16_383, 2 * (8_192 + 1_024)), (16_385, 4 * (4_097 + 512)), (262_143, 32 * (8_192 + 1_024)),
    (262_209, 64 * (4_098 + 512)), (524_289, 64 * (8_193 + 1_024)),
  ])
  func `the limit is the capacity's share of each shard and an eighth more`(_ capacity: Int, _ limit: Int) {
    let store = MemoryReplayStore(capacity: capacity)
    #expect(store.entryLimit == limit)
    // An identifier and a time take 40 bytes. The total is a multiple of four.
    #expect(store.allocatedBytes.isMultiple(of: 4))
    #expect(store.allocatedBytes >= limit * 40 && store.allocatedBytes <= limit * 57 + 64)
  }
}
