internal import CPKCS11
import Synchronization

/// Sessions that no thread uses. Does nothing outside of its mutex, which ThreadSanitizer does not see (Scripts/races.supp).
final class IdleSessions: Sendable {
  private let handles = Mutex<[CK_SESSION_HANDLE]>([])

  /// Takes one out; nil when there is none.
  @inline(never)
  func take() -> CK_SESSION_HANDLE? { handles.withLock { $0.popLast() } }

  /// Puts one back.
  @inline(never)
  func put(_ handle: CK_SESSION_HANDLE) { handles.withLock { $0.append(handle) } }

  /// Takes out all of them.
  @inline(never)
  func takeAll() -> [CK_SESSION_HANDLE] {
    handles.withLock { handles in
      defer { handles = [] }
      return handles
    }
  }
}
