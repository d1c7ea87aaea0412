/// Something that times benchmarks when it is told to: another process with its own build of them.
public protocol SliceSource: AnyObject {
  /// Does the benchmark at `index` over and over for about so long.
  ///
  /// - Returns: the median time an operation took, in nanoseconds.
  func time(_ index: Int, nanoseconds: UInt64) throws(BenchmarkFailure) -> Double
}
