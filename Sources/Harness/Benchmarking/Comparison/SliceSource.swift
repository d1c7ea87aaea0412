/// Times benchmarks on request: another process with its own build of them.
public protocol SliceSource: AnyObject {
  /// Repeats the benchmark at `index` for about this long.
  ///
  /// - Returns: the median time of an operation, in nanoseconds.
  func time(_ index: Int, nanoseconds: UInt64) throws(BenchmarkFailure) -> Double
}
