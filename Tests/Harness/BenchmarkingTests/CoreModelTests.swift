import Benchmarking
import Testing

struct CoreModelTests {
  @Test func `cores that write nothing together do not slow each other down`() {
    let model = CoreModel(alone: 40_000, lines: [], transfer: 100)
    for cores in [1, 2, 16, 128] {
      #expect(abs(model.operationsPerSecond(cores: cores) - Double(cores) * 25_000) < 1e-6)
    }
  }

  @Test func `one core never waits for a line`() {
    #expect(CoreModel(alone: 1_000, lines: [10, 5], transfer: 500).operationsPerSecond(cores: 1) == 1e6)
  }

  @Test func `the line that is written most bounds the throughput`() {
    let model = CoreModel(alone: 10_000, lines: [4, 2, 1], transfer: 100)
    let bound = 1e9 / (4 * 100)
    #expect(model.operationsPerSecond(cores: 2_000) < bound * 1.001)
    #expect(model.operationsPerSecond(cores: 2_000) > bound * 0.99)
    for cores in 2...256 {
      let rate = model.operationsPerSecond(cores: cores)
      // With few cores, a line is often still where it was written last.
      let few = Double(cores) / Double(cores - 1)
      #expect(rate <= min(bound * few, Double(cores) * 1e5) * 1.000_001)
    }
  }

  /// By hand: one core waits for the other with probability S / (Z + S), where S is half of a transfer.
  @Test func `two cores and one line are as computed by hand`() {
    let (pause, service) = (300.0, 50.0)
    let cycle = pause + service * (1 + service / (pause + service))
    let model = CoreModel(alone: pause, lines: [1], transfer: 2 * service)
    #expect(abs(model.operationsPerSecond(cores: 2) - 2e9 / cycle) < 1e-3)
  }

  @Test func `the transfer is found that explains a time`() {
    for transfer in [1.0, 40, 300] {
      let model = CoreModel(alone: 200, lines: [1], transfer: transfer)
      let together = 2e9 / model.operationsPerSecond(cores: 2)
      #expect(abs(LineContention.transfer(alone: 200, together: together) - transfer) < 1e-6)
    }
    #expect(LineContention.transfer(alone: 200, together: 190) == 0)
  }
}
