
/// Workspaces for callers that keep none of their own: as many as were ever in use at once.
final class WorkspacePool: Sendable {
  /// A workspace in the hands of one caller.
  ///
  /// `@unchecked Sendable`: the pool hands a lease to one caller at a time.
  final class Lease: @unchecked Sendable {
    var workspace: Workspace

    init() {
      guard let workspace = Workspace() else { fatalError("no memory left for a decryption workspace") }
      self.workspace = workspace
    }
  }

  private let idle = Guarded<[Lease]>([])

  func lease() -> Lease {
    idle.withLock { $0.popLast() } ?? Lease()
  }

  func giveBack(_ lease: Lease) {
    idle.withLock { $0.append(lease) }
  }
}
