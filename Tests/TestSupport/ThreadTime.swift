#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The processor time of the calling thread, which leaves out the time that other threads run.
public enum ThreadTime {
  public static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
