import Benchmarking
import Synchronization
import TestSupport
import Testing

#if os(Linux) && arch(x86_64)
  /// Sanitizers add atomic instructions of their own.
  @Suite(.disabled(if: Sanitizer.isPresent)) struct SharedWritesTests {
    private final class Counter: Sendable {
      let value = Atomic(0)

      @inline(never) func add() { value.wrappingAdd(1, ordering: .relaxed) }
    }

    private func count(_ work: @escaping @Sendable (_ own: Counter) -> Void) throws -> SharedWrites {
      let counts = try SharedWrites.count(operations: 3, by: .init()) { _ in
        let own = Counter()
        return { count in
          for _ in 0..<count { work(own) }
          return true
        }
      }
      return try #require(counts)
    }

    @Test func `an addition to a counter that two threads share is one write`() throws {
      let shared = Counter()
      #expect(try count { _ in shared.add() }.count == 1)
    }

    @Test func `an addition to a counter of a thread's own is none`() throws {
      #expect(try count { own in own.add() }.count == 0)
    }

    @Test func `a planted retain and release of a shared object are two writes, by name`() throws {
      let shared = Counter()
      let counts = try count { _ in
        let reference = Unmanaged.passUnretained(shared).retain()
        reference.release()
      }
      #expect(counts.count == 2)
      #expect(Set(counts.places.map(\.function)) == ["swift_retain", "swift_release"])
    }

    @Test func `instructions without memory, and loads, are none`() throws {
      let shared = Counter()
      #expect(try count { _ in _ = shared.value.load(ordering: .sequentiallyConsistent) }.count == 0)
    }
  }
#endif
