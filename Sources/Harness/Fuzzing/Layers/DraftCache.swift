import TestCases

/// Decoded samples, so that a parent that is mutated again is not decoded again.
///
/// The key is the whole sample with its context, so a changed sample is always decoded. There are two generations: a
/// full young one becomes the old one, whose drafts are dropped unless they are used before the next change.
struct DraftCache {
  private var young: [TestInput: Draft] = [:]
  private var old: [TestInput: Draft] = [:]
  /// Drafts of one generation.
  private static let capacity = 256
  /// Larger samples are rare and would take much memory, in bytes.
  private static let largest = 16_384

  /// The draft of a sample; nil if there is none.
  mutating func draft(of sample: TestInput) -> Draft? {
    if let draft = young[sample] { return draft }
    guard let draft = old[sample] else { return nil }
    insert(draft, for: sample)
    return draft
  }

  /// Stores the draft of a sample as it was decoded.
  mutating func insert(_ draft: Draft, for sample: TestInput) {
    guard sample.request.count <= Self.largest else { return }
    if young.count >= Self.capacity {
      old = young
      young = [:]
    }
    young[sample] = draft
  }
}
