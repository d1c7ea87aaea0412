import StrictJSON
import TestCases

/// The member `replay` of a policy in a vector file.
enum ReplayMember: Hashable {
  /// `false` or null: no replay detection.
  case none
  /// `true`: a store with room for the prelude and the token.
  case room
  /// A number: a store of this capacity, which is full before the token.
  case capacity(Int)

  /// The member for a context.
  init(of context: TestContext) {
    self = context.policy.replayCapacity.map { context.hasRoom ? .room : .capacity($0) } ?? .none
  }

  init(_ place: JSONPlace) throws(DocumentError) {
    if case .boolean(let detectsReplays) = place.value {
      self = detectsReplays ? .room : .none
      return
    }
    let capacity = try place.integer(Int.self)
    guard (0...4_096).contains(capacity) else { throw place.fail("is no capacity from 0 to 4096") }
    self = .capacity(capacity)
  }

  var json: JSON {
    switch self {
    case .none: false.json
    case .room: true.json
    case .capacity(let capacity): capacity.json
    }
  }

  /// The capacity of the store for a test; nil for no store.
  func capacity(after prelude: [[UInt8]]) -> Int? {
    switch self {
    case .none: nil
    case .room: prelude.count + 1
    case .capacity(let capacity): capacity
    }
  }
}
