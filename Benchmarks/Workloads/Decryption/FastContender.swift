import FastDecryption
import PaymentToken

extension Contender {
  /// The fast engine, with a workspace for each opener: tokens are lent, not copied out.
  static let fast = Contender(
    name: "fast",
    engine: { set throws(TrustAnchorError) in try FastDecryptor(keys: set.keys, anchors: set.anchors) },
    opener: { engine, set in
      guard let engine = engine as? FastDecryptor, let workspace = WorkspaceBox() else { return { _ in nil } }
      return { token in
        do throws(TokenFault) {
          return try engine.decrypt(token.span, at: set.now, under: set.policy, in: &workspace.workspace) {
            opened throws(TokenFault) in opened.plaintext.count
          }
        } catch {
          return nil
        }
      }
    })
}

/// A workspace that a closure can keep.
private final class WorkspaceBox {
  var workspace: Workspace

  init?() {
    guard let workspace = Workspace() else { return nil }
    self.workspace = workspace
  }
}
