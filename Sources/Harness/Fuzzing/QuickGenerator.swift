/// SplitMix64 (Steele, Lea, Flood 2014): choices from one number, in nanoseconds. Nothing secret is drawn from it.
public struct QuickGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The stream of a number; of neighbouring numbers they have nothing in common.
  public init(seed: UInt64) {
    state = seed
  }

  /// One of many streams of a seed.
  public init(seed: UInt64, stream: UInt64) {
    var first = QuickGenerator(seed: seed)
    state = first.next() ^ stream &* 0xD134_2543_DE82_EF95
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}

extension QuickGenerator {
  /// A number in 0..<count; 0 for a count of 0.
  mutating func below(_ count: Int) -> Int {
    count > 1 ? Int(next().multipliedFullWidth(by: UInt64(count)).high) : 0
  }

  /// Whether the one case in `count` is this one.
  mutating func chance(_ count: Int) -> Bool { below(count) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Nil of none.
  mutating func pick<Element>(from elements: some RandomAccessCollection<Element>) -> Element? {
    elements.isEmpty ? nil : elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }

  mutating func octet() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 32) }

  mutating func octets(_ count: Int) -> [UInt8] { (0..<count).map { _ in octet() } }

  /// A number near an edge: exactly it, or a little to either side.
  mutating func near(_ edge: Int) -> Int { edge + pick([-2, -1, -1, 0, 0, 0, 1, 1, 2]) }
}
