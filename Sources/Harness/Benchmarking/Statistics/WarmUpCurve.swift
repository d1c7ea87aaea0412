/// How the time of a request falls from a program's first one on: virtual machines compile what is called often, and
/// caches fill.
///
/// The settled time is the median of the last quarter of the requests. Single requests are as noisy as the machine, so
/// every point but the first is a median of neighbours as well.
public struct WarmUpCurve: Hashable, Sendable {
  /// The time at one place of the curve.
  public struct Point: Hashable, Sendable {
    /// The number of the request: 1, 10, 100 and so on.
    public let request: Int
    /// The median time of it and its neighbours, in nanoseconds.
    public let nanoseconds: Double
  }

  /// The times of the first, 10th, 100th … request.
  public let points: [Point]
  /// The number of requests.
  public let requests: Int
  /// The time after the warm-up, in nanoseconds.
  public let settled: Double
  /// The number of requests before the time was settled; nil if it was still falling at the end or requests were few.
  public let settledAfter: Int?

  /// Requests whose median is compared with the settled time.
  private static let window = 16
  /// A window is settled if it takes at most this much longer.
  private static let tolerance = 1.1
  /// The time still falls if the second half of the requests takes less than this share of the quarter before.
  private static let fall = 0.95

  /// - Parameter times: nanoseconds of each request, in order.
  /// - Returns: nil without requests.
  public init?(_ times: [Double]) {
    guard !times.isEmpty else { return nil }
    requests = times.count
    settled = OrderStatistics.median(Array(times.suffix(max(1, times.count / 4))))
    points = Self.points(of: times)
    settledAfter = Self.isSettled(times) ? Self.firstSettled(times, limit: settled * Self.tolerance) : nil
  }

  /// Whether there are enough requests, and the time no longer falls.
  public static func isSettled(_ times: [Double]) -> Bool {
    guard times.count >= 2 * window else { return false }
    let before = OrderStatistics.median(Array(times[(times.count / 4)..<(times.count / 2)]))
    let after = OrderStatistics.median(Array(times[(times.count / 2)...]))
    return after >= fall * before
  }

  private static func points(of times: [Double]) -> [Point] {
    var points: [Point] = []
    var request = 1
    while request <= times.count {
      let reach = request / 10
      let neighbours = times[max(0, request - 1 - reach)...min(times.count - 1, request - 1 + reach)]
      points.append(Point(request: request, nanoseconds: OrderStatistics.median(Array(neighbours))))
      request *= 10
    }
    return points
  }

  /// The start of the first two windows in a row that are settled: one alone may be luck.
  private static func firstSettled(_ times: [Double], limit: Double) -> Int {
    var isBefore = false
    for start in stride(from: 0, to: times.count, by: window) {
      let isHere = OrderStatistics.median(Array(times[start...].prefix(window))) <= limit
      if isHere, isBefore { return start - window }
      isBefore = isHere
    }
    return times.count - times.count % window
  }
}
