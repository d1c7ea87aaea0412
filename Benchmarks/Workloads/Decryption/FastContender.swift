import FastDecryption
import PaymentToken

extension Contender {
  /// The fast engine with a workspace per thread; decrypted tokens are borrowed, not copied.
  static let fast = fast(by: .preferred)
  /// The fast engine with all curve arithmetic by libcrypto.
  static let portable = fast(by: .portable)

  private static func fast(by kernel: P256Kernel) -> Contender {
    Contender(
      name: "fast",
      engine: { set throws(EngineError) in
        try FastDecryptor(keys: set.keys, anchors: set.anchors, kernel: kernel)
      },
      opener: opener)
  }

  private static let opener: @Sendable (any TokenDecryptor, TokenSet) -> Opener = { engine, set in
    guard let engine = engine as? FastDecryptor, let workspace = WorkspaceBox() else { return { _ in nil } }
    return { token in
      do throws(TokenFault) {
        return try engine.plaintextCount(of: token, in: set, workspace)
      } catch {
        return nil
      }
    }
  }
}

extension FastDecryptor {
  fileprivate func plaintextCount(
    of token: [UInt8], in set: TokenSet, _ box: WorkspaceBox
  ) throws(TokenFault) -> Int? {
    guard set.isUnsigned else {
      return try decrypt(token.span, at: set.now, under: set.policy, in: &box.workspace) {
        opened throws(TokenFault) in opened.plaintext.count
      }
    }
    return try decryptAllowingUnsigned(
      token.span, at: set.now, under: set.policy, in: &box.workspace,
      // An unsigned token cannot give a signed result.
      signed: { _ throws(TokenFault) in nil },
      unsigned: { opened throws(TokenFault) in opened.plaintext.count })
  }
}

/// A workspace that a closure can capture.
private final class WorkspaceBox {
  var workspace: Workspace

  init?() {
    guard let workspace = Workspace() else { return nil }
    self.workspace = workspace
  }
}
