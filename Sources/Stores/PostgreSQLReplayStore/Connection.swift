#if PostgreSQL

import CPostgreSQL
import PaymentToken

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A connection to a server that takes writes; used by one thread. Connecting blocks for as long as libpq's
/// `connect_timeout` allows for each host. Everything else has a deadline.
final class Connection {
  typealias Failure = PostgreSQLReplayStore.Failure

  private let handle: OpaquePointer
  private let configuration: PostgreSQLReplayStore.Configuration
  private var hasWarned = false

  init(_ configuration: PostgreSQLReplayStore.Configuration) throws(Failure) {
    // Later entries override earlier ones: the connection string the defaults, and `target_session_attrs` both.
    let parameters = [
      ("sslmode", "verify-full"), ("connect_timeout", "5"), ("tcp_user_timeout", "5000"), ("keepalives_idle", "5"),
      ("keepalives_interval", "2"), ("keepalives_count", "3"), ("fallback_application_name", "assay"),
      ("dbname", configuration.connection), ("target_session_attrs", "read-write"),
    ]
    let texts = parameters.map { (strdup($0.0), strdup($0.1)) }
    defer {
      for (keyword, value) in texts {
        free(keyword)
        free(value)
      }
    }
    let keywords = texts.map { UnsafePointer($0.0) } + [nil]
    let values = texts.map { UnsafePointer($0.1) } + [nil]
    guard let handle = PQconnectdbParams(keywords, values, 1) else { throw .unreachable }
    (self.handle, self.configuration) = (handle, configuration)
    try setUp()
  }

  deinit { PQfinish(handle) }

  func restart() throws(Failure) {
    PQreset(handle)
    try setUp()
  }

  private func setUp() throws(Failure) {
    guard PQstatus(handle) == CONNECTION_OK else {
      throw PQconnectionNeedsPassword(handle) == 1 ? .passwordMissing : .unreachable
    }
    guard PQsetnonblocking(handle, 1) == 0 else { throw .connectionLost }
    PQsetNoticeReceiver(handle, Self.noticeReceiver, Unmanaged.passUnretained(self).toOpaque())
    // A warning below client_min_messages would not be sent.
    let result = try run(
      """
      SET client_min_messages = warning; SET synchronous_commit = \(configuration.synchronousCommit.rawValue);
      SET statement_timeout = \(Self.milliseconds(configuration.timeLimit));
      SET default_transaction_isolation = 'read committed';
      SELECT current_setting('fsync'), \(Claim.standbys(configuration))
      """, within: configuration.replyTimeLimit)
    guard result?.text(0) == "on" else { throw .fsyncOff }
    guard result?.text(1) == "t" else { throw .tooFewSynchronousStandbys }
  }

  private static let noticeReceiver: PQnoticeReceiver = { raw, notice in
    guard let raw, let severity = PQresultErrorField(notice, CInt(UInt8(ascii: "V"))) else { return }
    if strcmp(severity, "WARNING") == 0 { Unmanaged<Connection>.fromOpaque(raw).takeUnretainedValue().hasWarned = true }
  }

  /// Prepares the statement of claims.
  func prepare(_ statement: String) throws(Failure) {
    _ = try run(until: .now.advanced(by: configuration.replyTimeLimit)) {
      PQsendPrepare($0, "claim", statement, 0, nil)
    }
  }

  /// Runs statements without parameters in one transaction, and returns the last result of a query.
  @discardableResult
  func run(_ statements: String, within time: Duration) throws(Failure) -> QueryResult? {
    try run(until: .now.advanced(by: time)) { PQsendQuery($0, statements) }
  }

  /// Runs the prepared statement, and returns the rows that it inserted.
  func run(_ claim: Claim, until end: ContinuousClock.Instant) throws(Failure) -> Set<Claim.Row> {
    let rows = claim.rows
    let days = BinaryArray(elementType: 23, rows) { row, array in array.append(row.day) }
    let ids = BinaryArray(elementType: 17, rows) { row, array in row.id.withUnsafeBytes { array.append($0) } }
    let result = try run(until: end) { handle in
      days.bytes.withUnsafeBytes { days in
        ids.bytes.withUnsafeBytes { ids in
          let values = [days, ids].map { $0.baseAddress?.assumingMemoryBound(to: CChar.self) }
          return PQsendQueryPrepared(
            handle, "claim", 2, values, [CInt(days.count), CInt(ids.count)], [1, 1], 1)
        }
      }
    }
    guard let result else { return [] }
    guard let rows = result.rows else { throw .mayNotLast }
    return rows
  }

  /// Sends a query and waits for all results, until the server is ready for the next query: a server reports an INSERT
  /// as complete before it commits it. A warning throws `mayNotBeReplicated`: if the wait for a synchronous standby was
  /// cancelled, the server warns and reports success.
  private func run(
    until end: ContinuousClock.Instant, _ send: (OpaquePointer) -> CInt
  ) throws(Failure) -> QueryResult? {
    hasWarned = false
    guard send(handle) == 1 else { throw .connectionLost }
    var last: QueryResult?
    var failure: Failure?
    while let result = try next(until: end) {
      switch PQresultStatus(result.handle) {
      case PGRES_TUPLES_OK: last = result
      case PGRES_COMMAND_OK: break
      default: failure = failure ?? result.sqlState.map { .refused(sqlState: $0) } ?? .connectionLost
      }
    }
    if let failure { throw failure }
    if hasWarned { throw .mayNotBeReplicated }
    guard isIdle else { throw .connectionLost }
    return last
  }

  /// The next result, nil after the last.
  private func next(until end: ContinuousClock.Instant) throws(Failure) -> QueryResult? {
    while true {
      let unsent = PQflush(handle)
      if PQisBusy(handle) == 0 { return PQgetResult(handle).map(QueryResult.init) }
      let left = Self.milliseconds(ContinuousClock.now.duration(to: end))
      guard unsent >= 0 else { throw .connectionLost }
      guard left > 0 else { throw .replyTimedOut }
      var polled = pollfd(fd: PQsocket(handle), events: Int16(unsent == 0 ? POLLIN : POLLIN | POLLOUT), revents: 0)
      poll(&polled, 1, left)
      guard PQconsumeInput(handle) == 1 else { throw .connectionLost }
    }
  }

  /// Whether a query can be sent.
  var isIdle: Bool { PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE }

  /// `isIdle`, after reading what the server has sent meanwhile.
  var isAlive: Bool {
    // The first call may read the server's last message, the second the end of the stream.
    PQconsumeInput(handle) == 1 && PQconsumeInput(handle) == 1 && isIdle
  }

  /// Whole milliseconds, rounded up; a minute at most.
  private static func milliseconds(_ time: Duration) -> CInt {
    if time <= .zero { return 0 }
    let (seconds, attoseconds) = min(time, .seconds(60)).components
    return CInt(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

/// A result of libpq.
final class QueryResult {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  /// The server's code of an error; nil if libpq itself reports the error.
  var sqlState: String? {
    PQresultErrorField(handle, CInt(UInt8(ascii: "C"))).map { String(cString: $0) }
  }

  /// A column of the first row, in text format.
  func text(_ column: CInt) -> String? {
    PQntuples(handle) > 0 ? PQgetvalue(handle, 0, column).map { String(cString: $0) } : nil
  }

  /// The rows, a day and an identifier each, in binary format; nil if the commit of one may not last.
  var rows: Set<Claim.Row>? {
    var rows: Set<Claim.Row> = []
    for row in 0..<PQntuples(handle) {
      let day = UnsafeRawBufferPointer(start: PQgetvalue(handle, row, 0), count: Int(PQgetlength(handle, row, 0)))
      let id = UnsafeRawBufferPointer(start: PQgetvalue(handle, row, 1), count: Int(PQgetlength(handle, row, 1)))
      guard PQgetvalue(handle, row, 2)?.pointee == 1 else { return nil }
      guard let id = Bytes32(Array(id)) else { continue }
      rows.insert(Claim.Row(day: day.reduce(0) { $0 << 8 | Int32($1) }, id: id))
    }
    return rows
  }
}

/// PostgreSQL's binary form of an array. Its head is the number of dimensions (1), whether there are nulls (0), the
/// type of the elements, their number, and the index of the first (1). Each element follows after its size.
struct BinaryArray {
  private(set) var bytes: [UInt8] = []

  init<Element>(elementType: Int32, _ elements: [Element], _ element: (Element, inout BinaryArray) -> Void) {
    bytes.reserveCapacity(20 + 36 * elements.count)
    for number in [1, 0, elementType, Int32(elements.count), 1] { put(number) }
    for each in elements { element(each, &self) }
  }

  private mutating func put(_ number: Int32) { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }

  mutating func append(_ number: Int32) {
    put(4)
    put(number)
  }

  mutating func append(_ element: UnsafeRawBufferPointer) {
    put(Int32(element.count))
    bytes += element
  }
}

#endif
