import Differential
import TestCases

/// Decoded samples, so that a parent that is mutated again is not decoded again.
///
/// The key is the whole sample with its context, so a changed sample is always decoded.
struct DraftCache {
  /// A sample whose hash is computed from its request, eight bytes at a time, because the hash of the standard library
  /// is slow. Equality compares everything.
  private struct Key: Hashable {
    let sample: TestInput

    func hash(into hasher: inout Hasher) {
      var mix = Mix()
      sample.request.withUnsafeBytes { mix.add(words: $0) }
      hasher.combine(mix.value)
    }
  }

  private var drafts = Generations<Key, Draft>(capacity: 512)
  /// The maximum size of a cached sample, in bytes. Larger ones are rare and would take much memory.
  private static let largest = 16_384

  /// The draft of a sample; nil if there is none.
  mutating func draft(of sample: TestInput) -> Draft? {
    sample.request.count <= Self.largest ? drafts.value(for: Key(sample: sample)) : nil
  }

  /// Stores the draft of a sample as it was decoded.
  mutating func insert(_ draft: Draft, for sample: TestInput) {
    guard sample.request.count <= Self.largest else { return }
    drafts.insert(draft, for: Key(sample: sample))
  }
}
