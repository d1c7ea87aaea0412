import CMachine

/// The clock that times benchmarks and runs.
package enum MonotonicClock {
  /// Nanoseconds since an arbitrary point; never decreases.
  package static var nanoseconds: UInt64 { assay_monotonic_nanoseconds() }

  /// Seconds between two readings.
  package static func seconds(from start: UInt64, to end: UInt64) -> Double {
    Double(end &- start) / 1e9
  }
}
