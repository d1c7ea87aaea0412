import Benchmarking
import Differential
import HostIO
import Reports

/// A worker process: this build of the program or another one, which runs benchmarks on request.
final class BenchWorker: SliceSource {
  /// Its benchmarks, in the order of their indices.
  let names: [String]
  private let process: ExternalProcess
  private let path: String

  /// The `AnswerDeadline` of the start, which decrypts and checks tokens, and of a run. It suffices under valgrind.
  private static let startMilliseconds = 300_000
  /// What is added to the `AnswerDeadline` of every request after the start.
  private static let slackMilliseconds = 60_000

  /// Starts the program at `path`.
  ///
  /// - Parameter prefix: a shell command to run the program with, such as valgrind, and a space; or nothing.
  /// - Throws: if it does not start, does not answer in time, is not a build of this program, or refuses a token.
  init(
    _ path: String, patterns: [String], seed: UInt64, tokens: Int = 8, prefix: String = ""
  ) throws(BenchmarkFailure) {
    let words = [path, "bench", "worker", "--seed", String(seed), "--tokens", String(tokens)] + patterns
    var program = ExternalProgram(
      command: "exec \(prefix)" + words.map(ShellWord.quoted).joined(separator: " "))
    program.addressSpaceLimit = nil
    do throws(ExternalFailure) {
      process = try ExternalProcess(program)
    } catch {
      guard case .notStarted(let number) = error else { throw BenchmarkFailure("\(path) \(error)") }
      throw BenchmarkFailure("\(path) could not be started: \(SystemError.text(number))")
    }
    self.path = path
    let greeting = try Self.exchange("names\n", with: process, milliseconds: Self.startMilliseconds, path)
    let answered = greeting.split(separator: " ").map(String.init)
    guard answered.first == "ready" else { throw BenchmarkFailure("\(path): \(Text.harmless(greeting))") }
    names = Array(answered.dropFirst())
  }

  func time(_ index: Int, nanoseconds: UInt64) throws(BenchmarkFailure) -> Double {
    let answer = try ask("time \(index) \(nanoseconds)", milliseconds: Int(nanoseconds / 1_000_000))
    guard let time = Double(answer) else { throw BenchmarkFailure("\(path): \(Text.harmless(answer))") }
    return time
  }

  func run(_ index: Int, count: Int) throws(BenchmarkFailure) {
    let answer = try ask("run \(index) \(count)", milliseconds: Self.startMilliseconds)
    guard answer == "done" else { throw BenchmarkFailure("\(path): \(Text.harmless(answer))") }
  }

  /// Its peak resident set, in bytes; nil from an older build, which does not report it.
  func peakMemory() throws(BenchmarkFailure) -> Int? { Int(try ask("memory", milliseconds: 0)) }

  /// The beginning and the end of what it wrote to standard error since the last request.
  var lastWords: [String] { process.standardErrorTail }

  /// Ends it normally: valgrind writes its counts at the end.
  func finish() {
    _ = try? process.finish()
  }

  private func ask(_ line: String, milliseconds: Int) throws(BenchmarkFailure) -> String {
    try Self.exchange(line + "\n", with: process, milliseconds: milliseconds + Self.slackMilliseconds, path)
  }

  private static func exchange(
    _ line: String, with process: ExternalProcess, milliseconds: Int, _ path: String
  ) throws(BenchmarkFailure) -> String {
    do throws(ExternalFailure) {
      return String(decoding: try process.exchange(Array(line.utf8), milliseconds: milliseconds), as: UTF8.self)
    } catch {
      let words = process.standardErrorTail.last.map { ": " + Text.harmless($0) } ?? ""
      throw BenchmarkFailure("\(path) as a worker \(error)\(words)")
    }
  }
}
