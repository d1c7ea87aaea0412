import Minting
import PaymentToken
import TestCases

/// Changes of a request's form that must not change the verdict (Docs/Verification.md 2, 4.2, 5.2).
public enum Rewriting: String, CaseIterable, Sendable {
  case memberOrder = "member order"
  case whiteSpace = "white space"
  case escapes
  case unknownMembers = "unknown members"
  case hexadecimalCase = "hexadecimal case"
  case wrapperLengths = "definite and indefinite wrappers"

  /// Whether the verdict must stay the same: only if it shows that the rewritten layer, JSON or CMS, is well-formed.
  func applies(to verdict: Result<SignedOrUnsignedToken, TokenFault>) -> Bool {
    switch verdict {
    case .success: true
    case .failure(let fault): fault.stage > (self == .wrapperLengths ? .signatureShape : .encodings)
    }
  }

  /// Returns the rewritten sample; nil if the rewriting does not apply or could exceed a limit.
  func apply(to draft: Draft, using random: inout QuickGenerator) -> TestInput? {
    var draft = draft
    draft.keepsFields = true
    guard draft.token != nil, change(&draft, using: &random) else { return nil }
    guard (try? draft.settle(to: .context, using: &random)) != nil else { return nil }
    // If the request does not carry the token in a string, the size of the request is an upper bound.
    let tokenSize = draft.isTokenInString ? draft.tokenText.count : draft.request.count
    guard tokenSize <= RuleLimits.token, draft.request.count <= RuleLimits.request else { return nil }
    guard self != .unknownMembers || Self.mostValues(of: draft) <= RuleLimits.values else { return nil }
    return draft.sample
  }

  /// An upper bound on the members and elements of the request, and of a token that it carries in a string.
  private static func mostValues(of draft: Draft) -> Int {
    func count(_ text: [UInt8]) -> Int { text.count { $0 == 0x2C || $0 == 0x5B || $0 == 0x7B } }
    return max(count(draft.request), count(draft.tokenText))
  }

  private func change(_ draft: inout Draft, using random: inout QuickGenerator) -> Bool {
    switch self {
    case .memberOrder: return Self.edit(&draft, using: &random) { $0.shuffled(using: &$1) }
    case .escapes: return Self.edit(&draft, using: &random) { $0.withEscapes(using: &$1) }
    case .unknownMembers: return Self.edit(&draft, using: &random) { $0.withUnknownMembers(using: &$1) }
    case .whiteSpace:
      guard draft.requestTree != nil else { return false }
      draft.request = JSONPiece.spaced(draft.request) {
        random.chance(3) ? [random.pick([0x20, 0x09, 0x0A, 0x0D])] : []
      }
      return true
    case .hexadecimalCase:
      guard var token = draft.token, let text = token.content(at: ["header", "transactionId"]) else { return false }
      let other = text.map { (0x41...0x46).contains($0 & 0xDF) && random.chance(2) ? $0 ^ 0x20 : $0 }
      token[["header", "transactionId"][...]] = .string(other)
      draft.token = token
      draft.touch(.members)
      return true
    case .wrapperLengths:
      guard var tree = draft.cms else { return false }
      WrapperLengths.change(&tree, using: &random)
      draft.cms = tree
      draft.touch(.signature)
      return true
    }
  }

  /// Edits the token or the request around it, unless a name is repeated.
  private static func edit(
    _ draft: inout Draft, using random: inout QuickGenerator,
    _ change: (JSONPiece, inout QuickGenerator) -> JSONPiece
  ) -> Bool {
    guard let token = draft.token, let tree = draft.requestTree, !token.repeatsNames, !tree.repeatsNames else {
      return false
    }
    if random.chance(2), case .route? = draft.location {
      draft.requestTree = change(tree, &random)
      draft.touch(.request)
    } else {
      draft.token = change(token, &random)
      draft.touch(.members)
    }
    return true
  }
}

extension JSONPiece {
  fileprivate func shuffled(using random: inout QuickGenerator) -> JSONPiece {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { Member(name: $0.name, $0.value.shuffled(using: &random)) }.shuffled(using: &random))
  }

  fileprivate func withEscapes(using random: inout QuickGenerator) -> JSONPiece {
    respelling(names: { JSONTextEdits.escaped($0, oneIn: 5, using: &random) }).respelling(strings: { text in
      // Readers have separate code for fully escaped text. Longer text, fully escaped, would be too large for a token.
      let rate = text.count < 600 ? random.pick([1, 9, 9]) : 9
      return JSONTextEdits.escaped(text, oneIn: rate, using: &random)
    })
  }

  /// Adds unknown members to objects, well below the limits of 64 members and of 32 levels.
  ///
  /// - Parameter depth: how deep this value is.
  fileprivate func withUnknownMembers(using random: inout QuickGenerator, depth: Int = 1) -> JSONPiece {
    guard case .object(var members) = self else { return self }
    for index in members.indices {
      members[index].value = members[index].value.withUnknownMembers(using: &random, depth: depth + 1)
    }
    guard members.count < 56 else { return .object(members) }
    let scalars: [JSONPiece] = [.scalar([0x30]), .string("é/\"")]
    let values = depth < 24 ? scalars + [.object([]), .array([.scalar([0x31])])] : scalars
    for number in 0..<random.below(3) {
      let value = random.pick(values)
      members.insert(Member("unknown to all \(random.next()) \(number)", value), at: random.below(members.count + 1))
    }
    return .object(members)
  }
}
