#if Redis

/// A first-in, first-out queue.
struct Queue<Element> {
  private var elements: [Element] = []
  private var head = 0

  var count: Int { elements.count - head }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  mutating func removeFirst() -> Element? {
    guard head < elements.count else { return nil }
    let first = elements[head]
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 1_024, 2 * head >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }

  /// Calls `change` with each element, the first one first.
  mutating func update(_ change: (inout Element) -> Void) {
    for index in head..<elements.count { change(&elements[index]) }
  }
}

#endif
