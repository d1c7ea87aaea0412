import COpenSSL
import Foundation
import Synchronization

/// An allocator for libcrypto that counts blocks, and of which one allocation fails on request.
public enum OpenSSLAllocator {
  /// How many allocations succeed before the one that fails; negative if none does.
  private static let remaining = Atomic<Int>(-1)
  private static let allocated = Atomic<Int>(0)
  private static let isExhausted = Atomic<Bool>(false)

  /// Must come before everything else that libcrypto does in a process. Returns whether libcrypto uses this allocator.
  public static func install() -> Bool {
    CRYPTO_set_mem_functions(
      { size, _, _ in OpenSSLAllocator.allocate(nil, size) },
      { block, size, _, _ in OpenSSLAllocator.allocate(block, size) },
      { block, _, _ in
        if block != nil { OpenSSLAllocator.allocated.subtract(1, ordering: .relaxed) }
        free(block)
      }) == 1
  }

  private static func allocate(_ old: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer? {
    let fails =
      remaining.load(ordering: .relaxed) >= 0 && remaining.subtract(1, ordering: .relaxed).oldValue == 0
    guard !fails, !isExhausted.load(ordering: .relaxed), let block = realloc(old, max(1, size)) else { return nil }
    if old == nil { allocated.add(1, ordering: .relaxed) }
    return block
  }

  /// The number of blocks that were allocated and not freed.
  public static var blocks: Int { allocated.load(ordering: .relaxed) }

  /// How many allocations `body` makes.
  public static func count(in body: () -> Void) -> Int {
    remaining.store(Int.max, ordering: .relaxed)
    defer { remaining.store(-1, ordering: .relaxed) }
    body()
    return Int.max - remaining.load(ordering: .relaxed)
  }

  /// Calls `body` with every allocation failing.
  public static func exhausted(_ body: () -> Void) {
    isExhausted.store(true, ordering: .relaxed)
    defer { isExhausted.store(false, ordering: .relaxed) }
    body()
  }

  /// Calls `body` with one allocation failing, the first being number 0. Returns whether `body` made that allocation.
  public static func failing(_ number: Int, _ body: () -> Void) -> Bool {
    remaining.store(number, ordering: .relaxed)
    defer { remaining.store(-1, ordering: .relaxed) }
    body()
    return remaining.load(ordering: .relaxed) < 0
  }
}
