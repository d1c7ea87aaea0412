import TestSupport
import Testing

/// The threads of tests that block.
@Suite(.blocking, .timeLimit(.minutes(1))) struct OwnThreadsTests {
  /// A woken thread whose job another one has taken counts as idle. Otherwise thousands of threads would be started.
  @Test func `tasks that yield again and again take a few threads`() async {
    let threads = OwnThreads()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask(executorPreference: threads) { for _ in 0..<20_000 { await Task.yield() } }
      }
    }
    #expect((1..<100).contains(threads.count))
  }

  @Test func `no job waits for a thread that is blocked`() async {
    let threads = OwnThreads()
    let gates = (0..<16).map { _ in Gate() }
    await withTaskGroup(of: Void.self) { group in
      // Each waits for the next one, and the last for none.
      for (index, gate) in gates.enumerated() {
        group.addTask(executorPreference: threads) {
          if index + 1 < gates.count { gates[index + 1].wait() }
          gate.open()
        }
      }
    }
    #expect((2...16).contains(threads.count))
  }
}
