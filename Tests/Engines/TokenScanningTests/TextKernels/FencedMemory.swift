#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Memory between two inaccessible pages: reading or writing a byte next to it ends the process.
final class FencedMemory {
  let start: UnsafeMutablePointer<UInt8>
  let count: Int
  private let mapping: UnsafeMutableRawPointer
  private let page: Int

  /// Nil if the system refuses the memory.
  init?(atLeast size: Int) {
    page = Int(sysconf(Int32(_SC_PAGESIZE)))
    count = (size + page - 1) / page * page
    let length = count + 2 * page
    guard let mapping = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), mapping != MAP_FAILED
    else { return nil }
    guard mprotect(mapping, page, PROT_NONE) == 0, mprotect(mapping + page + count, page, PROT_NONE) == 0 else {
      munmap(mapping, length)
      return nil
    }
    self.mapping = mapping
    start = (mapping + page).assumingMemoryBound(to: UInt8.self)
  }

  deinit {
    munmap(mapping, count + 2 * page)
  }

  var end: UnsafeMutablePointer<UInt8> { start + count }

  /// Whether the memory can be read and the bytes next to it cannot, tested by writing them to a pipe.
  var isFenced: Bool {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return false }
    defer { for descriptor in ends { close(descriptor) } }
    func canRead(_ byte: UnsafePointer<UInt8>) -> Bool { write(ends[1], byte, 1) == 1 }
    return canRead(start) && canRead(end - 1) && !canRead(start - 1) && !canRead(end)
  }
}
