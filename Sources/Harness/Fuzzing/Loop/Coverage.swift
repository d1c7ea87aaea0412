import CCoverage

/// The coverage counters of the modules that verify and decrypt tokens: one byte for each edge of their control flow.
///
/// Only a coverage build has counters (Docs/Fuzzing.md). In any other build `count` is 0, and the functions do nothing.
package enum CoverageCounters {
  /// The number of counters, which is the number of edges.
  package static let count = assay_coverage_counters().count

  /// Sets all counters to zero.
  static func reset() {
    let counters = assay_coverage_counters()
    guard let start = counters.start else { return }
    start.update(repeating: 0, count: counters.count)
  }

  /// The features of all edges that were executed since the last reset.
  static func hits() -> [CoverageFeature] {
    let counters = assay_coverage_counters()
    return CoverageFeature.all(in: UnsafeRawBufferPointer(start: counters.start, count: counters.count))
  }
}

/// A coverage feature: an edge, with the bucket of the number of times that it was executed.
///
/// The eight buckets are those of AFL (1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128-255). One more pass of a long loop rarely
/// changes the bucket, so that the number of features stays small.
package struct CoverageFeature: Hashable, Sendable {
  /// The edge's number times eight, plus the bucket.
  package let rawValue: UInt32

  package init(edge: Int, bucket: Int) {
    rawValue = UInt32(truncatingIfNeeded: edge << 3 | bucket)
  }

  init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The number of the edge, which is the index of its counter.
  package var edge: Int { Int(rawValue >> 3) }
  /// The bucket, 0...7.
  package var bucket: Int { Int(rawValue & 7) }

  /// The bucket of a count; nil for 0, since the edge was not executed.
  package static func bucket(of count: UInt8) -> Int? {
    switch count {
    case 0: nil
    case 1...3: Int(count) - 1
    case 4...7: 3
    case 8...15: 4
    case 16...31: 5
    case 32...127: 6
    default: 7
    }
  }

  /// The features of all counters, in the order of the edges. Most counters are zero, so it tests eight at a time.
  package static func all(in counters: UnsafeRawBufferPointer) -> [CoverageFeature] {
    var features: [CoverageFeature] = []
    features.reserveCapacity(counters.count / 8)
    var start = 0
    while start < counters.count {
      let end = min(start + 8, counters.count)
      defer { start = end }
      if end - start == 8, counters.loadUnaligned(fromByteOffset: start, as: UInt64.self) == 0 { continue }
      for edge in start..<end {
        if let bucket = bucket(of: counters[edge]) { features.append(CoverageFeature(edge: edge, bucket: bucket)) }
      }
    }
    return features
  }
}

/// The coverage features seen so far: for each edge, a byte with one bit for each bucket. A lookup must be fast,
/// because each execution has thousands of features and almost none are new.
package struct CoverageMap: Sendable {
  private var seen: [UInt8] = []
  /// The number of distinct edges.
  package private(set) var edgeCount = 0
  /// The number of distinct features.
  package private(set) var featureCount = 0

  package init() {}

  package func contains(_ feature: CoverageFeature) -> Bool {
    feature.edge < seen.count && seen[feature.edge] & 1 << feature.bucket != 0
  }

  /// Adds a feature. Returns whether it is new; false also for an edge from 2^24 on, which is not added.
  package mutating func insert(_ feature: CoverageFeature) -> Bool {
    if contains(feature) { return false }
    if feature.edge >= seen.count {
      // No build has that many counters: a worker that crashes may have written anything.
      guard feature.edge < 1 << 24 else { return false }
      seen += [UInt8](repeating: 0, count: feature.edge + 1 - seen.count)
    }
    if seen[feature.edge] == 0 { edgeCount += 1 }
    seen[feature.edge] |= 1 << feature.bucket
    featureCount += 1
    return true
  }
}
