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
  /// `"silent"`: a store that does not answer.
  case silent

  /// The member for a context.
  init(of context: TestContext) {
    switch context.policy.replay {
    case nil: self = .none
    case .capacity(let capacity): self = context.hasRoom ? .room : .capacity(capacity)
    case .silent: self = .silent
    }
  }

  init(_ place: JSONPlace) throws(DocumentError) {
    if case .boolean(let detectsReplays) = place.value {
      self = detectsReplays ? .room : .none
      return
    }
    if case .string = place.value {
      guard try place.text() == Self.silentText else { throw place.fail("is not \(Self.silentText)") }
      self = .silent
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
    case .silent: Self.silentText.json
    }
  }

  /// The store for a test; nil for none.
  func store(after prelude: [[UInt8]]) -> TestPolicy.Store? {
    switch self {
    case .none: nil
    case .room: .capacity(prelude.count + 1)
    case .capacity(let capacity): .capacity(capacity)
    case .silent: .silent
    }
  }

  private static let silentText = "silent"
}
