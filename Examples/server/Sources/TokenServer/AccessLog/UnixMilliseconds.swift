import PaymentToken

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A time of the system's clock to the millisecond, for logs.
struct UnixMilliseconds {
  private let seconds: Int64
  private let milliseconds: Int

  static var now: UnixMilliseconds {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UnixMilliseconds(seconds: Int64(time.tv_sec), milliseconds: time.tv_nsec / 1_000_000)
  }

  /// `YYYY-MM-DDThh:mm:ss.sssZ`.
  var rfc3339: String {
    let fraction = String(1_000 + milliseconds).dropFirst()
    return UnixTime(secondsSinceEpoch: seconds).rfc3339.dropLast() + "." + fraction + "Z"
  }
}

extension Duration {
  /// Whole microseconds.
  var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
