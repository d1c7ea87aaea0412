import PaymentToken

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The one place where the time of day is read: engines take it as an input.
enum WallClock {
  static var now: UnixTime { UnixTime(secondsSinceEpoch: Int64(time(nil))) }
}
