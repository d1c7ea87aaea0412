import Gateways
import PaymentToken
import TestCases

extension Spelling {
  /// Other spellings of the JSON: escapes in names and values, order, unknown members, white space (rules 2.1 to 2.6).
  static let json: [Spelling] =
    [
      names("names-escaped-at-their-start", .nameOnce, .first), names("names-escaped-at-their-end", .nameOnce, .last),
      names("names-escaped", .nameEscaped, .all),
      values("value-escaped-at-its-start", .valueOnce, .first),
      values("value-escaped-in-its-middle", .valueOnce, .middle),
      values("value-escaped-at-its-end", .valueOnce, .last),
      values("value-escaped", .valueEscaped, .all), values("value-with-solidus-escaped", .solidus, .solidus),
      position("member-first", .first) { _ in 0 }, position("member-in-the-middle", .middle) { $0 / 2 },
      position("member-last", .last) { $0 - 1 },
      unknown("after-unknown-members", .unknownBefore) { _ in 0 },
      unknown("before-unknown-members", .unknownAfter) { $0 },
      trees("with-white-space-everywhere", .whiteSpace, space: Array(" \t\r\n".utf8)) { _, _ in },
      amid,
    ]

  private static func names(_ name: String, _ column: SpellingClass, _ choice: EscapeChoice) -> Spelling {
    trees(name, column) { subject, carried in
      carried.request = carried.request.respelling(names: choice.escaping)
      carried.token = carried.token?.respelling(names: choice.escaping)
    }
  }

  /// Respells the value concerned: the string of a member, or every string of the token, or of the request around it.
  /// If all strings of a token become escapes, the longest stay as they are: the token would be too large by rule 1.1.
  private static func values(_ name: String, _ column: SpellingClass, _ choice: EscapeChoice) -> Spelling {
    trees(name, column) { subject, carried in
      let change: ([UInt8]) -> [UInt8] = { choice.escaping($0) }
      let changeInToken: ([UInt8]) -> [UInt8] = {
        choice == .all && $0.count > longestEscapedString ? $0 : choice.escaping($0)
      }
      if subject.stage == 0 || subject.clause == "14.0" {
        carried.request = carried.request.respelling(strings: carried.isInString ? change : changeInToken)
        // A token in a string has been respelled with that string: `written` must not replace it.
        carried.token = carried.request[(carried.route?.path ?? [])[...]]
        guard carried.route != nil else { return }
        if case .object? = carried.token, !carried.isInString { return }
        carried.token = nil
        return
      }
      guard let member = subject.member else {
        carried.token = carried.token?.respelling(strings: changeInToken)
        return
      }
      guard let path = carried.path(of: member), case .scalar(let text)? = carried.token?[path[...]],
        text.first == UInt8(ascii: "\"")
      else { throw Inapplicability.absent }
      carried.token?[path[...]] = .scalar(change(text))
    }
  }

  /// In bytes. All strings of a token are shorter, except its signature and unusually large data.
  private static let longestEscapedString = 1_000

  /// Moves the member concerned among its siblings. If the rule concerns the request around the token, moves the
  /// outermost member on the path to the token.
  private static func position(
    _ name: String, _ column: SpellingClass, _ place: @escaping @Sendable (Int) -> Int
  ) -> Spelling {
    trees(name, column) { subject, carried in
      if subject.stage == 0 || subject.clause == "14.0" {
        guard let route = carried.route else { throw Inapplicability.general }
        guard !carried.request.repeatsNames else { throw Inapplicability.rule }
        guard carried.request.move(route.path[0], to: place) else { throw Inapplicability.absent }
        carried.token = nil
        return
      }
      guard let member = subject.member else { throw Inapplicability.general }
      guard subject.fault?.code != .duplicateMember else { throw Inapplicability.rule }
      guard let path = carried.path(of: member), let own = path.last, var token = carried.token else {
        throw Inapplicability.absent
      }
      guard !token.repeatsNames else { throw Inapplicability.rule }
      if path.count > 1 {
        guard var inner = token[path[0]], inner.move(own, to: place) else { throw Inapplicability.absent }
        token[path[0]] = inner
      } else {
        guard token.move(own, to: place) else { throw Inapplicability.absent }
      }
      carried.token = token
    }
  }

  /// Unknown members in the objects that are read.
  private static func unknown(
    _ name: String, _ column: SpellingClass, _ place: @escaping @Sendable (Int) -> Int
  ) -> Spelling {
    trees(name, column) { subject, carried in
      if let route = carried.route {
        for depth in route.path.indices {
          try carried.request.insertUnknown(at: Array(route.path[..<depth]), place)
        }
        if case .object? = carried.request[route.path[...]] { try carried.token?.insertUnknown(at: [], place) }
      }
      guard carried.token != nil else { return try carried.request.insertUnknown(at: [], place) }
      if carried.route == nil || carried.isInString { try carried.token?.insertUnknown(at: [], place) }
      if case .object? = carried.token?["header"] { try carried.token?.insertUnknown(at: ["header"], place) }
    }
  }

  /// White space before and after the whole text. It applies to text with lexical faults, too.
  private static let amid = Spelling(
    name: "amid-white-space", column: .whiteSpace,
    step: .whole { subject in
      let request = Array(" \t\r\n".utf8) + subject.made.test.request + Array("\n\r\t ".utf8)
      try subject.checkSizes(request: request.count)
      return TestInput(request, subject.made.test.context)
    })
}

/// Which characters of a string are written as escapes.
enum EscapeChoice: Sendable {
  case first, middle, last, all, solidus

  /// A string of the same content. A string with raw control characters, which a strict reader refuses, is unchanged.
  func escaping(_ text: [UInt8]) -> [UInt8] {
    guard text.allSatisfy({ $0 >= 0x20 }) else { return text }
    var count = 0
    if self == .middle || self == .last {
      _ = JSONPiece.respelled(text) { _ in
        count += 1
        return nil
      }
    }
    let chosen =
      switch self {
      case .middle: count / 2
      case .last: count - 1
      case .first, .all, .solidus: 0
      }
    var index = -1
    return JSONPiece.respelled(text) { scalar in
      index += 1
      if self == .solidus { return scalar == "/" ? Array("\\/".utf8) : nil }
      return self == .all || index == chosen ? JSONPiece.escape(of: scalar) : nil
    }
  }
}

extension JSONPiece {
  /// Moves the first member of that name to a place among all members; false if there is none.
  fileprivate mutating func move(_ name: String, to place: (Int) -> Int) -> Bool {
    guard case .object(var members) = self, let index = members.firstIndex(where: { Self.has($0.name, name) })
    else { return false }
    let count = members.count
    let member = members.remove(at: index)
    members.insert(member, at: place(count))
    self = .object(members)
    return true
  }

  /// Adds an unknown member to the object at a path. Throws `limit` if the object has 64 members.
  fileprivate mutating func insertUnknown(at path: [String], _ place: (Int) -> Int) throws(Inapplicability) {
    guard case .object(var members)? = self[path[...]] else { return }
    guard members.count != 64 else { throw Inapplicability.limit }
    let value = JSONPiece.object([
      Member("a", .array([.scalar(Array("-1.5e+3".utf8)), .object([]), .scalar(Array("null".utf8))])),
      Member("b", .scalar(Array(#""\ud83d\ude00 \/ \" é}],:{[""#.utf8))),
    ])
    // Another spelling may have added one already.
    let name = members.contains { Self.has($0.name, "unknown to all") } ? "unknown to all, too" : "unknown to all"
    members.insert(Member(name, value), at: min(place(members.count), members.count))
    self[path[...]] = .object(members)
  }
}
