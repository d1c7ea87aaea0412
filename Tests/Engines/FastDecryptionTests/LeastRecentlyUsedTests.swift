import FastDecryption
import Testing

@Suite struct LeastRecentlyUsedTests {
  private final class Box: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  private func value(_ key: [UInt8], in cache: LeastRecentlyUsed<Box>) -> Box? { cache.value(for: key.span) }

  private func key(_ number: Int) -> [UInt8] { (0..<(number % 23)).map { UInt8($0) } + Array("\(number);".utf8) }

  @Test func `finds a value only by the bytes it was inserted with`() {
    let cache = LeastRecentlyUsed<Box>(capacity: 100)
    for number in 0..<100 { cache.insert(Box(number), for: key(number).span) }
    for number in 0..<100 {
      #expect(value(key(number), in: cache)?.number == number)
      #expect(value((key(number) + [0]), in: cache) == nil)
      #expect(value(Array(key(number).dropLast()), in: cache) == nil)
    }
  }

  @Test func `never exceeds its capacity, and evicts the least recently used value`() {
    let cache = LeastRecentlyUsed<Box>(capacity: 8)
    for number in 0..<8 { cache.insert(Box(number), for: key(number).span) }
    _ = value(key(0), in: cache)
    for number in 8..<15 { cache.insert(Box(number), for: key(number).span) }
    #expect(cache.count == 8)
    #expect(value(key(0), in: cache)?.number == 0)
    #expect((1..<8).allSatisfy { value(key($0), in: cache) == nil })
    #expect((8..<15).allSatisfy { value(key($0), in: cache)?.number == $0 })
  }

  @Test func `values that are never looked up are evicted in the order of their insertion`() {
    let cache = LeastRecentlyUsed<Box>(capacity: 8)
    for number in 0..<40 {
      cache.insert(Box(number), for: key(number).span)
      guard number % 8 == 7 else { continue }
      for other in 0...number { #expect((value(key(other), in: cache) != nil) == (other > number - 8)) }
    }
  }

  @Test func `a lookup makes a value younger than the one inserted last`() {
    for round in 0..<64 {
      let cache = LeastRecentlyUsed<Box>(capacity: 2)
      for number in 0..<2 { cache.insert(Box(number), for: key(3 * round + number).span) }
      _ = value(key(3 * round), in: cache)
      cache.insert(Box(2), for: key(3 * round + 2).span)
      #expect(value(key(3 * round), in: cache)?.number == 0)
      #expect(value(key(3 * round + 1), in: cache) == nil)
    }
  }

  @Test func `inserting a key again replaces its value`() {
    let cache = LeastRecentlyUsed<Box>(capacity: 2)
    cache.insert(Box(1), for: key(1).span)
    for number in 2..<10 { cache.insert(Box(number), for: key(2).span) }
    #expect(cache.count == 2)
    #expect(value(key(1), in: cache)?.number == 1)
    #expect(value(key(2), in: cache)?.number == 9)
  }

  /// Two keys of two words with the same hash: each second word gives the same input to the last step.
  @Test func `keys with the same hash are distinguished`() {
    let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
    func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
      let product = (sum ^ word) &* multiplier
      return product ^ product >> 29
    }
    func bytes(_ words: [UInt64]) -> [UInt8] {
      words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
    }
    let first: [UInt64] = [1, 2]
    let target = step(16, 1) ^ 2
    let second: [UInt64] = [3, step(16, 3) ^ target]
    let cache = LeastRecentlyUsed<Box>(capacity: 4)
    cache.insert(Box(1), for: bytes(first).span)
    #expect(value(bytes(second), in: cache) == nil)
    cache.insert(Box(2), for: bytes(second).span)
    #expect(value(bytes(first), in: cache) == nil)
    #expect(value(bytes(second), in: cache)?.number == 2)
  }
}
