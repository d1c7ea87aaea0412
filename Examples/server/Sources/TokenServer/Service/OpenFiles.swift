#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The process's limit of open files, which include connections.
enum OpenFiles {
  /// Raises the limit to `count` if it is lower; false if that is not allowed.
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
