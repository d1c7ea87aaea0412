#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The system's limit of open files, connections among them.
enum OpenFiles {
  /// Raises this process's limit so far; false when it may not.
  static func allow(_ count: Int) -> Bool {
    #if canImport(Glibc)
      let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let kind = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0 else { return false }
    let wanted = rlim_t(count)
    if limit.rlim_cur >= wanted { return true }
    guard limit.rlim_max >= wanted else { return false }
    limit.rlim_cur = wanted
    return setrlimit(kind, &limit) == 0
  }
}
