#if os(Linux) && arch(x86_64)
  import CAtomicWrites
  import Glibc

  /// Atomic writes of two threads that do the same work to cache lines that both of them write: reference counts, locks
  /// and counters.
  ///
  /// Only one core at a time can write to a line, so these writes bound the throughput of many cores. Each instruction
  /// of the threads traps (AtomicWrites.c), so counts do not depend on the machine's speed or load. Plain stores are
  /// not counted: memory that threads share is written by plain stores only under a lock, which is counted.
  struct SharedWrites: CustomStringConvertible {
    private let threads: [[assay_atomic_write]]

    init(of threads: [[assay_atomic_write]]) { self.threads = threads }

    /// The writes to lines that more than one thread wrote.
    private var shared: [assay_atomic_write] {
      let lines = Dictionary(threads.flatMap { Set($0.map(\.line)) }.map { ($0, 1) }, uniquingKeysWith: +)
      return threads.joined().filter { lines[$0.line, default: 0] > 1 }
    }

    /// How often the threads wrote to lines that more than one of them wrote.
    var count: Int { shared.reduce(0) { $0 + Int($1.count) } }
    /// The number of these lines.
    var lines: Int { Set(shared.map(\.line)).count }

    /// The number of writes by any of the threads to the line of an address.
    func count(at address: UInt) -> Int {
      let line = UInt64(address) / UInt64(assay_cache_line) * UInt64(assay_cache_line)
      return threads.joined().reduce(0) { $0 + ($1.line == line ? Int($1.count) : 0) }
    }

    /// The instructions of the shared writes, with offsets for `addr2line`.
    var description: String {
      shared.map { write in
        var (offset, function, file) = (write.instruction, nil as UnsafePointer<CChar>?, nil as UnsafePointer<CChar>?)
        assay_find_instruction(&offset, &function, &file)
        let names = [function, file].map { $0.map { String(cString: $0) } ?? "?" }
        return "\(write.count) by \(names[0]) (\(names[1]) 0x\(String(offset, radix: 16)))"
      }.joined(separator: "\n")
    }
  }

  /// Records the atomic writes of a thread.
  struct WriteTrace {
    private let thread: pthread_t
    private let trace: OpaquePointer

    init?(_ thread: pthread_t) {
      guard let trace = assay_begin_atomic_writes(thread) else { return nil }
      (self.thread, self.trace) = (thread, trace)
    }

    /// Ends the recording and returns the writes; nil if there was no room for all of them.
    func end() -> [assay_atomic_write]? {
      defer { free(UnsafeMutableRawPointer(trace)) }
      guard assay_end_atomic_writes(trace, thread) else { return nil }
      var count = 0
      let writes = assay_recorded_atomic_writes(trace, &count)
      return Array(UnsafeBufferPointer(start: writes, count: count))
    }
  }
#endif
