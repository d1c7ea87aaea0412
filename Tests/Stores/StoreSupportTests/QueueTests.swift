import StoreSupport
import Testing

@Suite struct QueueTests {
  @Test func `elements leave in the order in which they came, one by one and in groups`() {
    var queue = Queue<Int>()
    var (next, expected) = (0, 0)
    // Beyond 1,024 removed elements, the queue drops their places.
    for round in 0..<500 {
      for _ in 0..<11 {
        queue.append(next)
        next += 1
      }
      let taken = round.isMultiple(of: 2) ? queue.take(9) : [queue.removeFirst()].compactMap { $0 }
      #expect(taken == Array(expected..<expected + taken.count))
      expected += taken.count
    }
    #expect(queue.count == next - expected && queue.count > 1_024)
    #expect(queue.take(.max) == Array(expected..<next))
    #expect(queue.count == 0 && queue.removeFirst() == nil && queue.take(3) == [])
  }
}
