#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The process's limit of open files, which include connections.
enum OpenFiles {
  /// Raises the limit to `count` if it is lower. Returns the highest that is allowed if that is less, otherwise nil.
  static func shortage(for count: Int) -> UInt64? {
    #if canImport(Glibc)
      let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let kind = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0 else { return 0 }
    let (wanted, present) = (rlim_t(count), limit.rlim_cur)
    if present >= wanted { return nil }
    guard limit.rlim_max >= wanted else { return UInt64(limit.rlim_max) }
    limit.rlim_cur = wanted
    return setrlimit(kind, &limit) == 0 ? nil : UInt64(present)
  }
}
