import Benchmarking
import Differential
import Reports

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Counts the instructions of an operation with valgrind's callgrind. Counts do not depend on the machine's load.
///
/// Two runs differ only in the number of operations, so that startup and checks cancel out of the difference.
/// valgrind does not support AVX-512, so the kernels without it are counted.
final class InstructionCounter {
  private let folder: String
  private let program: String
  private let path: String

  private static let tokens = 2

  /// Copies the program at `path` without debug information, because valgrind 3.19 cannot read Swift's.
  ///
  /// - Throws: `BenchmarkFailure` with a remedy if valgrind or strip is missing, or if this is no binary.
  init(_ path: String) throws(BenchmarkFailure) {
    self.path = path
    var template = Array("/tmp/assay-instructions-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw BenchmarkFailure("no temporary folder could be created") }
    folder = String(cString: made)
    program = folder + "/assay"
    let copy = ["strip", "-g", "-o", program, path].map(ShellWord.quoted).joined(separator: " ")
    let problems = [
      (
        "command -v valgrind >/dev/null && command -v strip >/dev/null",
        "instructions need valgrind and strip: apt-get install valgrind binutils"
      ),
      (copy, "instructions are counted of a program: name the binary itself, not a script that starts it"),
    ]
    for (command, problem) in problems where system(command) != 0 {
      rmdir(folder)
      throw BenchmarkFailure(problem)
    }
  }

  deinit {
    unlink(program)
    rmdir(folder)
  }

  /// Instructions per operation.
  ///
  /// - Parameter operations: the smaller of the two numbers of operations.
  func count(_ name: String, seed: UInt64, operations: Int) throws(BenchmarkFailure) -> Double {
    let once = try total(name, seed: seed, operations: operations)
    let twice = try total(name, seed: seed, operations: 2 * operations)
    guard twice > once else { throw BenchmarkFailure("\(name) took no instructions") }
    return Double(twice - once) / Double(operations)
  }

  /// The number of operations to count. They take about 20 ms, so that differences between two starts hardly matter.
  func operations(for name: String, seed: UInt64) throws(BenchmarkFailure) -> Int {
    let worker = try BenchWorker(path, patterns: ["=\(name)"], seed: seed, tokens: Self.tokens)
    let time = try worker.time(0, nanoseconds: 5_000_000)
    return max(8, Int(20_000_000 / max(time, 1)))
  }

  private func total(_ name: String, seed: UInt64, operations: Int) throws(BenchmarkFailure) -> Int64 {
    let worker = try BenchWorker(
      program, patterns: ["=\(name)"], seed: seed, tokens: Self.tokens,
      prefix: "env SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null ")
    // One-time work is done here, and so cancels out of the difference of two totals.
    try worker.run(0, count: 4 * Self.tokens)
    try worker.run(0, count: operations)
    worker.finish()
    let words = worker.lastWords.last { $0.contains("Collected :") }?.split(separator: " ")
    guard let total = words?.last.flatMap({ Int64($0) }) else {
      throw BenchmarkFailure("valgrind did not say how many instructions \(name) took")
    }
    return total
  }
}
