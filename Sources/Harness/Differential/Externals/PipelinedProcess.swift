import CExternals

#if canImport(Glibc)
  package import Glibc
#else
  package import Darwin
#endif

/// Several requests in flight: lines are queued with `send`, moved by `poll`, and taken in order with `nextLine`.
///
/// The caller matches answers with requests and keeps the time. Do not mix with `exchange` while answers are missing.
extension ExternalProcess {
  /// Queues a line that includes its newline. `poll` writes it as soon as the program reads.
  package func send(_ line: [UInt8]) {
    if queuedWritten > 0 {
      queued.removeFirst(queuedWritten)
      queuedWritten = 0
    }
    queued += line
  }

  /// The number of queued bytes that are not yet written.
  package var unsentBytes: Int { queued.count - queuedWritten }

  /// Whether it has begun a line without ending it.
  package var hasPartOfLine: Bool { !received.isEmpty && !received.contains(UInt8(ascii: "\n")) }

  /// Its streams, to wait for several programs in one poll(2) before calling `poll(milliseconds: 0)` of those that are
  /// ready.
  package var pollDescriptors: [pollfd] { descriptors(writing: unsentBytes > 0) }

  /// Reads and writes what is possible, waiting for at most `milliseconds`.
  ///
  /// - Throws: if it ended and all its complete lines were taken. Kill it then.
  package func poll(milliseconds: Int) throws(ExternalFailure) {
    assay_external_reap_orphans(process.pid)
    // Children may keep the output open after the program has ended: what it wrote before is read first.
    let hadEnded = assay_external_has_ended(process.pid) != 0
    var written = queuedWritten
    let moved = step(queued, &written, milliseconds: milliseconds)
    queuedWritten = written
    guard outputEnded || hadEnded && !moved, !received.contains(UInt8(ascii: "\n")) else { return }
    throw .ended(end(), afterPart: !received.isEmpty)
  }

  /// The next complete line without its newline; nil if `poll` has read none yet.
  ///
  /// - Throws: if it exceeds the limit of an answer.
  package func nextLine() throws(ExternalFailure) -> [UInt8]? { try takeLine() }
}
