import TestCases

/// A test whose request line is made once, for callers that send it often and measure the time.
package struct PreparedTest: Sendable {
  let id: String
  let line: [UInt8]

  /// - Parameter id: the answer repeats it. Tests in flight need different ones.
  package init(_ test: TestCase, id: String) {
    self.id = id
    line = ProtocolLines.test(test, id: id)
  }
}

extension ExternalContender {
  /// Starts the program, unless it runs, and sends `hello`.
  ///
  /// - Returns: why it cannot be given tests; nil if it can.
  package func start() -> Decision? {
    if isGivenUp { return .notAsked }
    do throws(ExternalFailure) {
      _ = try running()
      return refusal.map { .error($0) }
    } catch {
      return decision(after: error)
    }
  }

  /// Decides tests that need nothing but what the program supports, with at most `inFlight` of them unanswered at any
  /// time.
  ///
  /// - Returns: a decision for each; after a failure `.notAsked` for the rest.
  package func decide(_ tests: [PreparedTest], inFlight: Int) -> [Decision] {
    var decisions: [Decision] = []
    decisions.reserveCapacity(tests.count)
    if let failure = start() {
      decisions.append(failure)
    } else {
      do throws(ExternalFailure) {
        try answer(tests, inFlight: max(1, inFlight)) { decisions.append($0) }
      } catch {
        decisions.append(decision(after: error))
      }
    }
    while decisions.count < tests.count { decisions.append(.notAsked) }
    return Array(decisions.prefix(tests.count))
  }

  /// The resident memory of the running program's process group, in bytes; nil if it does not run or the system does
  /// not tell.
  package var residentBytes: Int? { process?.residentBytes }

  private func answer(
    _ tests: [PreparedTest], inFlight: Int, _ take: (Decision) -> Void
  ) throws(ExternalFailure) {
    let process = try running()
    var sent = 0
    for answered in tests.indices {
      while sent < min(tests.count, answered + inFlight) {
        process.send(tests[sent].line)
        sent += 1
      }
      // Send at once. Otherwise the program waits, and the measurement includes the time of this process.
      if process.unsentBytes > 0 { try process.poll(milliseconds: 0) }
      let line = try process.awaitLine(milliseconds: program.timeoutMilliseconds)
      take(decision(of: try TokenAnswer.read(line, id: tests[answered].id)))
    }
  }
}
