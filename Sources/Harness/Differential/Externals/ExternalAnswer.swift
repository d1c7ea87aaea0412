import PaymentToken
internal import TokenScanning

/// How a program identifies itself in its answer to `hello`.
public struct ExternalIdentity: Hashable, Sendable {
  public let name: String
  public let version: String
  /// The features of the protocol that it claims to support.
  public let supports: [String]

  /// The features of the protocol (Docs/LineProtocol.md).
  package static let words = [
    "EC_v1", "RSA_v1", "envelopes", "expect", "merchantId", "payload", "replay", "revoked", "roots", "signature",
    "unsigned",
  ]

  /// Whether it claims to verify signatures under the roots that it is given.
  var verifies: Bool { supports.contains("signature") && supports.contains("roots") }
}

extension String {
  /// The beginning of a program's text, for reports: the text may have any length.
  fileprivate var clipped: String { utf8.count <= 200 ? self : String(decoding: utf8.prefix(200), as: UTF8.self) + "…" }
}

/// A program's answer to `hello`.
package enum HelloAnswer {
  case ready(ExternalIdentity)
  /// It cannot use the keys, roots or window, for this reason.
  case error(String)

  package init(_ line: [UInt8]) throws(ExternalFailure) {
    self = try readAnswer(line) { (message, span) throws(MessageError) -> HelloAnswer in
      guard try message.integer("hello", in: span, Int.self) == 1 else { throw MessageError("hello is not 1") }
      if let error = try message.text("error", in: span) { return .error(error.clipped) }
      var supports: [String] = []
      for word in try message.byteStrings("supports", in: span).required("supports") {
        let word = String(streamSafe: word)
        if ExternalIdentity.words.contains(word), !supports.contains(word) { supports.append(word) }
      }
      return .ready(
        ExternalIdentity(
          name: try message.text("name", in: span).required("name").clipped,
          version: try message.text("version", in: span)?.clipped ?? "", supports: supports))
    }
  }
}

/// A program's answer to a token. Unknown members are ignored.
package struct TokenAnswer {
  let decision: Decision
  /// The reason that it gave for its answer, quoted.
  let reason: String?

  package static func read(_ line: [UInt8], id: String) throws(ExternalFailure) -> TokenAnswer {
    let (answered, said) = try readAnswer(line) {
      (message, span) throws(MessageError) -> (String, TokenAnswer) in
      // The answer to an unreadable line is an error without an id.
      let answered = try message.text("id", in: span)
      if let error = try message.text("error", in: span) {
        return (answered ?? id, TokenAnswer(decision: .error(error.clipped), reason: nil))
      }
      guard let answered else { throw MessageError("id is missing") }
      let reason = try message.text("reason", in: span)?.clipped
      return (answered, TokenAnswer(decision: try Self.decision(message, span), reason: reason))
    }
    guard answered == id else { throw .outOfOrder(answered: answered) }
    return said
  }

  private static func decision(_ message: MessageObject, _ line: Span<UInt8>) throws(MessageError) -> Decision {
    if try message.boolean("unsupported", in: line) == true {
      guard try message.boolean("accepted", in: line) == nil else {
        throw MessageError("both unsupported and accepted are present")
      }
      return .unsupported
    }
    guard try message.boolean("accepted", in: line).required("accepted") else {
      return .rejected(
        code: try message.text("code", in: line)?.clipped, stage: try message.integer("stage", in: line, Int.self),
        member: try message.text("member", in: line)?.clipped)
    }
    let isSigned = try message.boolean("signed", in: line) ?? true
    guard let text = try message.bytes("plaintext", in: line) else {
      return .accepted(plaintext: nil, isSigned: isSigned)
    }
    guard let plaintext = Base64Text.decoded(text) else { throw MessageError("plaintext is not padded base64") }
    return .accepted(plaintext: plaintext, isSigned: isSigned)
  }
}

private func readAnswer<Result>(
  _ line: [UInt8], _ body: (MessageObject, Span<UInt8>) throws(MessageError) -> Result
) throws(ExternalFailure) -> Result {
  // A carriage return before the newline is JSON white space.
  do {
    return try body(try MessageObject(reading: line.span), line.span)
  } catch {
    throw .unreadable(reason: error.reason, line: String(decoding: line.prefix(80), as: UTF8.self))
  }
}
