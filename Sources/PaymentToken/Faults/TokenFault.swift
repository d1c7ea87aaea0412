/// Why a token was refused: a stable code, the stage that refused it and the member concerned.
///
/// A value of three bytes that never carries bytes of the token, so that it can be logged as it is.
@frozen
public struct TokenFault: Error, Hashable, Sendable, BitwiseCopyable {
  /// The stable name of the reason.
  public let code: Code
  /// The stage that refused the token.
  public let stage: VerificationStage
  /// The token's member concerned: named by stages 2 (a repeated name), 3 and 4, nil elsewhere.
  public let member: TokenMember?

  /// A fault of a code that belongs to one stage.
  @inlinable
  public init(_ code: Code, member: TokenMember? = nil) {
    self.init(code, stage: code.stage, member: member)
  }

  /// A fault at a stage of its own: for the codes that two stages share.
  @inlinable
  public init(_ code: Code, stage: VerificationStage, member: TokenMember? = nil) {
    self.code = code
    self.stage = stage
    self.member = member
  }
}

extension TokenFault: CustomStringConvertible {
  /// The code, the stage and the member: never anything of the token's content.
  public var description: String {
    "\(code.rawValue) (stage \(stage.rawValue)\(member.map { ", \($0.path)" } ?? ""))"
  }
}
