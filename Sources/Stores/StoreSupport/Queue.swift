/// A first-in, first-out queue.
package struct Queue<Element> {
  private var elements: [Element] = []
  private var head = 0

  package init() {}

  package var count: Int { elements.count - head }

  package mutating func append(_ element: Element) {
    elements.append(element)
  }

  package mutating func removeFirst() -> Element? {
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

  /// Removes up to `limit` elements, the first one first.
  package mutating func take(_ limit: Int) -> [Element] {
    (0..<min(limit, count)).compactMap { _ in removeFirst() }
  }

  /// Calls `change` with each element, the first one first.
  package mutating func update(_ change: (inout Element) -> Void) {
    for index in head..<elements.count { change(&elements[index]) }
  }
}
