internal import CPKCS11
import Synchronization

/// Open sessions that no thread uses. All its work is inside the mutex, which ThreadSanitizer does not recognise
/// (Scripts/races.supp).
final class IdleSessions: Sendable {
  private let handles = Mutex<[CK_SESSION_HANDLE]>([])

  /// Removes and returns a session; nil when there is none.
  @inline(never)
  func take() -> CK_SESSION_HANDLE? { handles.withLock { $0.popLast() } }

  /// Adds a session.
  @inline(never)
  func put(_ handle: CK_SESSION_HANDLE) { handles.withLock { $0.append(handle) } }

  /// Removes and returns all sessions.
  @inline(never)
  func takeAll() -> [CK_SESSION_HANDLE] {
    handles.withLock { handles in
      defer { handles = [] }
      return handles
    }
  }
}
