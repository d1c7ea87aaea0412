import HostIO

/// A fast random generator for mutations.
public typealias QuickGenerator = SplitMix64

extension QuickGenerator {
  /// A number in 0..<count; 0 for a count of 0.
  mutating func below(_ count: Int) -> Int {
    count > 1 ? Int(next().multipliedFullWidth(by: UInt64(count)).high) : 0
  }

  /// True with probability 1/`count`.
  mutating func chance(_ count: Int) -> Bool { below(count) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// A random element; nil if there is none.
  mutating func pick<Element>(from elements: some RandomAccessCollection<Element>) -> Element? {
    elements.isEmpty ? nil : elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }

  mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 32) }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

  /// A number at most 2 away from an edge.
  mutating func near(_ edge: Int) -> Int { edge + pick([-2, -1, -1, 0, 0, 0, 1, 1, 2]) }
}

extension Array {
  /// Removes, repeats, moves or replaces an element, or inserts another one.
  mutating func edit(with other: Element, using random: inout QuickGenerator) {
    guard let index = random.pick(from: indices) else { return append(other) }
    switch random.below(8) {
    case 0, 1: remove(at: index)
    case 2: insert(self[index], at: random.below(count + 1))
    case 3: swapAt(index, random.below(count))
    case 4: shuffle(using: &random)
    case 5: self[index] = other
    default: insert(other, at: random.below(count + 1))
    }
  }
}
