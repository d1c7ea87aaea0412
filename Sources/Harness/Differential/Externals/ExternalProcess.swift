import CExternals
import HostIO

/// A running program that answers each line with one line. Its process group is killed in `deinit`.
///
/// Not thread-safe. SIGPIPE must be ignored: otherwise writing to a program that ended would end this process.
package final class ExternalProcess {
  private let program: ExternalProgram
  private let process: assay_external
  private var isRunning = true
  private var inputIsOpen = true
  /// Output after the last line taken.
  private var received: [UInt8] = []
  private var outputEnded = false
  private var errorOutput = LastLines()
  /// What `send` queued, and how much of it was written.
  private var queued: [UInt8] = []
  private var written = 0

  /// - Throws: `notStarted` with the error number.
  package init(_ program: ExternalProgram) throws(ExternalFailure) {
    self.program = program
    var limits = assay_external_limits(
      address_space_bytes: program.addressSpaceLimit ?? 0, cpu_seconds: program.processorLimit)
    var process = assay_external()
    let failure = assay_external_start(program.command, &limits, &process)
    if failure != 0 { throw .notStarted(errorNumber: failure) }
    self.process = process
  }

  deinit {
    if isRunning { _ = assay_external_stop(process.pid) }
    if inputIsOpen { close(process.input) }
    close(process.output)
    close(process.error)
  }

  /// The beginning and the end of what it wrote to its standard error since the last request (`LastLines`).
  package var standardErrorTail: [String] { errorOutput.lines }

  /// The resident memory of its process group, in bytes; nil where the system does not tell.
  package var residentBytes: Int? {
    let bytes = assay_external_resident_bytes(process.pid)
    return bytes < 0 ? nil : Int(bytes)
  }

  /// The processor time that its process group has used, in milliseconds; nil where the system does not tell.
  var processorMilliseconds: Int? {
    let used = assay_external_processor_milliseconds(process.pid)
    return used < 0 ? nil : Int(used)
  }

  // MARK: One request at a time

  /// Writes a line that includes its newline and waits for a line, which is returned without it.
  ///
  /// Kill the program after a failure: it may be in any state.
  ///
  /// - Parameter milliseconds: the limit of an `AnswerDeadline`.
  package func exchange(_ line: [UInt8], milliseconds: Int) throws(ExternalFailure) -> [UInt8] {
    assay_external_reap_orphans(process.pid)
    if !received.isEmpty || Descriptor.isReadable(process.output, within: 0) { throw unasked() }
    errorOutput.beginExchange()
    send(line)
    return try awaitLine(milliseconds: milliseconds)
  }

  /// Waits for the next line.
  ///
  /// - Parameter milliseconds: the limit of an `AnswerDeadline`.
  func awaitLine(milliseconds: Int) throws(ExternalFailure) -> [UInt8] {
    var deadline = AnswerDeadline(milliseconds: milliseconds)
    while true {
      if let line = try nextLine() { return line }
      // The user interrupted the run. The caller does not count this as a failure.
      if assay_external_was_interrupted() != 0 { throw .timedOut(milliseconds: milliseconds, afterPart: false) }
      if deadline.isOver({ processorMilliseconds }) {
        throw .timedOut(milliseconds: milliseconds, afterPart: hasPartOfLine)
      }
      try poll(milliseconds: Self.longestWait)
    }
  }

  /// How long to wait for bytes before the deadline is checked, in milliseconds.
  private static let longestWait = 50

  // MARK: Several requests in flight

  // Lines are queued with `send`, moved by `poll`, and taken in order with `nextLine`. The caller matches answers with
  // requests and keeps the time, and does not mix this with `exchange` while answers are missing.

  /// Queues a line that includes its newline. `poll` writes it as soon as the program reads.
  package func send(_ line: [UInt8]) {
    queued.removeFirst(written)
    written = 0
    queued += line
  }

  /// Whether part of a line was received, provided that all complete lines were taken.
  var hasPartOfLine: Bool { !received.isEmpty }

  /// The number of queued bytes that are not yet written.
  package var unsentBytes: Int { queued.count - written }

  /// The descriptors of its standard input, output and error; -1 where there is nothing to do. A caller with several
  /// programs waits for all of them in one poll(2), then calls `poll(milliseconds: 0)` on each.
  package var pollDescriptors: [pollfd] {
    [
      pollfd(fd: unsentBytes > 0 && inputIsOpen ? process.input : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: outputEnded ? -1 : process.output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errorOutput.hasEnded ? -1 : process.error, events: Int16(POLLIN), revents: 0),
    ]
  }

  /// Reads and writes what is possible, waiting for at most `milliseconds`.
  ///
  /// - Throws: if it ended or closed its output, and all its complete lines were taken. Its process group is killed
  ///   then.
  package func poll(milliseconds: Int) throws(ExternalFailure) {
    assay_external_reap_orphans(process.pid)
    // Children may keep the output open after the program has ended. Its output until then is read first.
    let hadEnded = assay_external_has_ended(process.pid) != 0
    let moved = step(milliseconds: milliseconds)
    guard outputEnded || hadEnded && !moved, !received.contains(UInt8(ascii: "\n")) else { return }
    throw .ended(end(), afterPart: hasPartOfLine)
  }

  /// The next complete line without its newline; nil if `poll` has read none yet.
  ///
  /// - Throws: if it exceeds the limit of an answer.
  package func nextLine() throws(ExternalFailure) -> [UInt8]? {
    guard let newline = received.firstIndex(of: UInt8(ascii: "\n")) else {
      if received.count > program.answerLimit { throw .flooded(limit: program.answerLimit) }
      return nil
    }
    guard newline <= program.answerLimit else { throw .flooded(limit: program.answerLimit) }
    let line = Array(received[..<newline])
    received.removeSubrange(...newline)
    return line
  }

  // MARK: The end

  /// Closes its input and waits for its end; then kills its process group in any case.
  ///
  /// - Returns: nil if it ended by itself with exit code 0 or was stopped before, else a remark about its end.
  /// - Throws: `unasked` if it wrote anything after its last answer.
  package func finish() throws(ExternalFailure) -> String? {
    guard isRunning else { return nil }
    close(process.input)
    inputIsOpen = false
    var hasMore = !received.isEmpty
    let end = end(within: program.endMilliseconds) {
      _ = step(milliseconds: 10)
      hasMore = hasMore || !received.isEmpty
      // Discard output, of which there may be any amount.
      received = []
    }
    hasMore = readOutput() || hasMore
    if hasMore { throw .unasked }
    guard let end else { return "did not end when its input was closed, and was killed" }
    return end == .exited(code: 0) ? nil : "\(end) when its input was closed"
  }

  /// Kills its process group.
  package func kill() {
    readErrorOutput()
    if isRunning { _ = stop() }
  }

  private func unasked() -> ExternalFailure {
    readOutput()
    // The stream ended without output.
    if received.isEmpty, outputEnded { return .ended(end(), afterPart: false) }
    return .unasked
  }

  /// Waits up to half a second for its end. `closedOutput` if it did not end by itself.
  private func end() -> ExternalEnd { end(within: 500) { usleep(1_000) } ?? .closedOutput }

  /// Waits for its end, then kills its process group in any case. Nil if it did not end by itself.
  private func end(within milliseconds: Int, _ wait: () -> Void) -> ExternalEnd? {
    let end = SuspendingClock.now + .milliseconds(milliseconds)
    while assay_external_has_ended(process.pid) == 0 {
      guard SuspendingClock.now < end else {
        _ = stop()
        return nil
      }
      wait()
    }
    readErrorOutput()
    return stop()
  }

  private func stop() -> ExternalEnd {
    isRunning = false
    let status = assay_external_stop(process.pid)
    return status.signal != 0 ? .killed(signal: status.signal) : .exited(code: status.code)
  }

  // MARK: Streams

  /// Like `poll`, without looking for the program's end. Returns whether any bytes were moved.
  private func step(milliseconds: Int) -> Bool {
    var descriptors = pollDescriptors
    guard wait(&descriptors, milliseconds: milliseconds) else { return false }
    var moved = false
    if descriptors[0].revents != 0 { moved = writeQueued() || moved }
    if descriptors[1].revents != 0 { moved = readOutput() || moved }
    if descriptors[2].revents != 0 { moved = readErrorOutput() || moved }
    return moved
  }

  private func writeQueued() -> Bool {
    let count = queued[written...].withUnsafeBytes { write(process.input, $0.baseAddress, $0.count) }
    if count > 0 {
      written += count
      return true
    }
    // The program closed its input. Its output or its end will show why.
    if count < 0, errno != EAGAIN, errno != EINTR { written = queued.count }
    return false
  }

  @discardableResult
  private func readOutput() -> Bool {
    let (bytes, ended) = Self.readAvailable(process.output)
    received += bytes
    outputEnded = outputEnded || ended
    return !bytes.isEmpty
  }

  @discardableResult
  private func readErrorOutput() -> Bool {
    let (bytes, ended) = Self.readAvailable(process.error)
    errorOutput.append(bytes)
    if ended { errorOutput.hasEnded = true }
    return !bytes.isEmpty
  }

  /// Reads at most 64 KiB without waiting; also returns whether the stream has ended.
  private static func readAvailable(_ descriptor: Int32) -> (bytes: [UInt8], ended: Bool) {
    var result = (count: 0, failure: Int32(0))
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
      result = Descriptor.readSome(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
      filled = result.count
    }
    return (bytes, result.count == 0 && result.failure != EAGAIN)
  }
}

/// Waits until one of the descriptors is ready. A function of its own, because `poll` is a method of the class.
private func wait(_ descriptors: inout [pollfd], milliseconds: Int) -> Bool {
  poll(&descriptors, nfds_t(descriptors.count), Int32(milliseconds)) > 0
}

/// The end of a program's standard error, and the beginning of what it wrote there since the last request, in bounded
/// memory: some languages write the message of an exception first, others last.
struct LastLines {
  /// Whether the stream has ended.
  var hasEnded = false
  private var bytes: [UInt8] = []
  /// The beginning of what was written since the last request, and how many of its lines are not empty.
  private var first: [UInt8] = []
  private var lineCount = 0
  private var isAtLineStart = true

  private static let byteLimit = 4_096
  private static let (firstLimit, lastLimit) = (2, 6)

  /// The lines that follow belong to another request.
  mutating func beginExchange() {
    first = []
    lineCount = 0
  }

  mutating func append(_ more: [UInt8]) {
    first += more.prefix(max(0, Self.byteLimit - first.count))
    for byte in more {
      let isEnd = byte == UInt8(ascii: "\n")
      if isEnd, !isAtLineStart { lineCount += 1 }
      isAtLineStart = isEnd
    }
    bytes += more.suffix(Self.byteLimit)
    if bytes.count > 2 * Self.byteLimit { bytes.removeFirst(bytes.count - Self.byteLimit) }
  }

  /// The first two and the last six lines since the last request. If it has at most eight: the last eight lines in all,
  /// which may include lines of earlier requests. Empty lines do not count.
  var lines: [String] {
    let last = Self.lines(bytes.suffix(Self.byteLimit))
    guard lineCount > Self.firstLimit + Self.lastLimit else { return last.suffix(Self.firstLimit + Self.lastLimit) }
    return Self.lines(first[...]).prefix(Self.firstLimit) + ["…"] + last.suffix(Self.lastLimit)
  }

  /// Lines with a space for each tab, which reports would show as a replacement character.
  private static func lines(_ text: ArraySlice<UInt8>) -> [String] {
    text.split(separator: UInt8(ascii: "\n")).map { line in
      String(decoding: line.map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }
  }
}
