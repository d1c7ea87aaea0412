import PaymentToken

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The only place that reads the time of day; engines take it as an argument.
enum WallClock {
  static var now: UnixTime { UnixTime(secondsSinceEpoch: Int64(time(nil))) }
}
