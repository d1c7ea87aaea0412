/// Detects repeated names in one object, and limits the number of its members.
///
/// The caller recognizes known names, which need one bit each. Up to 64 other names are stored and compared.
struct MemberNames {
  /// The most members of an object whose names must be unique (Docs/Verification.md 2.5).
  static let limit = 64

  private var count = 0
  private var known: UInt32 = 0
  private var others = InlineArray<64, JSONString>(repeating: .empty)
  /// The hashes of `others`, so that not all pairs of a hostile token's long names are compared in full.
  private var hashes = InlineArray<64, UInt32>(repeating: 0)
  private var otherCount = 0

  /// Counts a member; throws beyond the limit.
  mutating func countMember() throws(MalformedJSON) {
    count += 1
    guard count <= Self.limit else { throw MalformedJSON() }
  }

  /// Records the known name with this index. Returns whether it is repeated.
  mutating func repeats(known index: Int) -> Bool {
    let bit = UInt32(1) << UInt32(index)
    defer { known |= bit }
    return known & bit != 0
  }

  /// Records an unknown name. Returns whether it is repeated.
  @inline(never)
  mutating func repeats(_ name: JSONString, in input: Span<UInt8>) -> Bool {
    let hash = UInt32(truncatingIfNeeded: name.contentHash(in: input))
    var index = otherCount
    while index > 0 {
      index -= 1
      // The hash only saves comparisons: equal contents have equal hashes.
      if hashes[index] == hash && others[index].hasSameContent(as: name, in: input) { return true }
    }
    others[otherCount] = name
    hashes[otherCount] = hash
    otherCount += 1
    return false
  }
}
