import Gateways
import PaymentToken
import StrictJSON
import TestCases

/// A request read leniently: the tree of the request, and that of the token in it.
package struct CarriedToken {
  /// The request's JSON.
  package var request: JSONPiece
  /// The route to the token; nil where the request is the token.
  let route: Envelope.Route?
  /// The token object, or the object that holds its parts; nil where it is not JSON.
  package var token: JSONPiece?
  /// Whether there is white space around tokens of JSON, in the request or in the text of the token.
  let hasSpace: Bool

  /// Whether the token is in a string.
  var isInString: Bool { route?.wrapping == .text || route?.wrapping == .base64 }

  /// Reads a request; nil where it is too far from JSON.
  package init?(_ input: TestInput) {
    guard let tree = JSONPiece(input.request) else { return nil }
    request = tree
    var hasSpace = tree.text.count < input.request.count
    route = TokenLocation(of: tree, by: input.context.policy.envelope)?.route
    let path = route?.path ?? []
    switch route?.wrapping {
    case nil, .object, .parts: token = tree[path[...]]
    // A fault of the string itself would be lost if its content were written again.
    case .text where (try? JSON(reading: input.request.span)) == nil: token = nil
    case .text, .base64:
      var text = tree.content(at: path)
      if route?.wrapping == .base64 { text = text.flatMap { LenientBase64.decodeCanonical($0) } }
      token = text.flatMap { JSONPiece($0) }
      if let token, let text, token.text.count < text.count { hasSpace = true }
    }
    self.hasSpace = hasSpace
  }

  /// The path of a member in `token`; nil where the token, or the object with its parts, has none.
  package func path(of member: TokenMember) -> [String]? {
    guard let token else { return nil }
    var paths = [member.names]
    if case .parts(let parts)? = route?.wrapping {
      paths = parts.filter { $0.member == member }.map { [$0.name] }
    }
    return paths.first { token[$0[...]] != nil }
  }

  /// The request with the current token in it, without white space between tokens of JSON unless `space` adds some.
  ///
  /// - Parameter space: white space before and after each structural character of request and token.
  func written(space: [UInt8] = []) -> [UInt8] {
    func text(_ piece: JSONPiece) -> [UInt8] {
      space.isEmpty ? piece.text : JSONPiece.spaced(piece.text) { space }
    }
    guard let token else { return text(request) }
    guard let route else { return text(token) }
    var request = request
    switch route.wrapping {
    case .object, .parts: request[route.path[...]] = token
    case .text: request[route.path[...]] = .scalar(JSONText.quoted(bytes: text(token)))
    case .base64: request[route.path[...]] = .string(Base64.encode(text(token)))
    }
    return text(request)
  }

  /// An upper bound for the bytes of the token with `space` before and after each structural character. Usual tokens
  /// have fewer than 160 of these characters.
  func tokenSize(space: [UInt8] = []) -> Int {
    (token?.text.count ?? 0) + 320 * space.count
  }
}
