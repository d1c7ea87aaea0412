import Foundation
import TestSupport
import Testing

/// Proves that the sanitizers work: they report the errors planted here.
@Suite struct SanitizerTests {
  @Test(.enabled(if: Sanitizer.has("__asan_init")))
  func `AddressSanitizer reports a use after free`() async {
    await #expect(processExitsWith: .failure) {
      let block = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)
      block.initialize(repeating: 1, count: 64)
      block.deallocate()
      exit(block[Int.random(in: 0..<64)] == 2 ? 1 : 0)
    }
  }

  @Test(.enabled(if: Sanitizer.has("__lsan_do_recoverable_leak_check")))
  func `LeakSanitizer reports a leak`() async {
    await #expect(processExitsWith: .success) {
      typealias Check = @convention(c) () -> Int32
      guard let address = dlsym(nil, "__lsan_do_recoverable_leak_check") else { exit(2) }
      // The blocks leak in a thread that ends, so that no register and no stack holds their addresses.
      // Not `malloc`, which an optimizer removes if the block is unused.
      let thread = Thread {
        for size in 1_000..<1_100 {
          var block: UnsafeMutableRawPointer?
          guard posix_memalign(&block, 16, size) == 0 else { _exit(4) }
        }
      }
      thread.start()
      while !thread.isFinished { _ = sched_yield() }
      // Not `exit`, which would report the leak again.
      _exit(unsafeBitCast(address, to: Check.self)() == 1 ? 0 : 3)
    }
  }

  nonisolated(unsafe) private static var shared = 0

  @Test(.enabled(if: Sanitizer.has("__tsan_init")))
  func `ThreadSanitizer reports a race`() async {
    await #expect(processExitsWith: .failure) {
      let threads = (0..<2).map { _ in Thread { for _ in 0..<10_000 { SanitizerTests.shared &+= 1 } } }
      for thread in threads { thread.start() }
      while threads.contains(where: { !$0.isFinished }) { _ = sched_yield() }
      exit(0)
    }
  }
}
