import CMicrohttpd
import PaymentToken
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The library's connection. The library does not free it while it is suspended.
private struct Handle: @unchecked Sendable {
  let connection: OpaquePointer

  /// The record of the client's connection.
  var client: ClientConnection? {
    cmicrohttpd_kept(connection).map { Unmanaged<ClientConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The sender of a request that shows `bearer`.
  func caller(showing bearer: BearerDigest?) -> Caller {
    Caller(bearer: bearer, connection: connection, client: client)
  }
}

/// Called when a request's head was read, for each part of its body, after the last part, and after a suspension.
func handleRequest(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ part: UnsafePointer<CChar>?,
  _ partSize: UnsafeMutablePointer<Int>?, _ kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let connection, let path, let method, let version, let partSize, let kept else { return .NO }
  let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
  let handle = Handle(connection: connection)
  guard let known = kept.pointee else {
    let size = handle.client?.targetSize.load(ordering: .relaxed) ?? 0
    let head = RequestHead(connection, method: method, path: path, targetSize: size, version: version)
    return begin(head, of: handle, by: listener, keeping: kept)
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  guard partSize.pointee == 0 else {
    let part = UnsafeRawBufferPointer(start: part, count: partSize.pointee)
    guard let taken = take(part, of: exchange, of: handle, by: listener) else { return .NO }
    partSize.pointee -= taken
    return .YES
  }
  return proceed(with: exchange, of: handle, by: listener)
}

/// Called with path and query before the library separates them. Later a NUL in them cannot be told from a separator.
func noteTarget(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let target, let connection else { return nil }
  Handle(connection: connection).client?.targetSize.store(strlen(target), ordering: .relaxed)
  return nil
}

/// Called when the answer was sent or the connection was lost, for every request whose head was seen.
func noteCompletion(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
  guard let context, let connection, let known = kept?.pointee else { return }
  kept?.pointee = nil
  let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
  listener.end(exchange, isDelivered: reason == .REQUEST_TERMINATED_COMPLETED_OK)
  Handle(connection: connection).client?.wait(until: listener.handler.nextExpiry)
}

/// Called when a connection was opened, and before it is closed.
func noteConnection(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ event: MHD_ConnectionNotificationCode
) {
  guard let context, let connection, let kept else { return }
  let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
  if event == .CONNECTION_NOTIFY_STARTED {
    let certificate = listener.certificate
    certificate?.hold(for: connection)
    let client = ClientConnection(
      cmicrohttpd_socket(connection), certificate, expiry: listener.handler.nextExpiry)
    listener.add(client)
    kept.pointee = Unmanaged.passRetained(client).toOpaque()
  } else if let known = kept.pointee {
    kept.pointee = nil
    listener.remove(Unmanaged<ClientConnection>.fromOpaque(known).takeRetainedValue())
  }
}

private func begin(
  _ head: RequestHead, of handle: Handle, by listener: Listener,
  keeping kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> MHD_Result {
  let (exchange, early): (Exchange, Answer?)
  let caller = handle.caller(showing: head.bearer)
  switch listener.plan(head, of: caller) {
  case .success(let plan):
    // A connection that began under another certificate ends with this answer, so that the new files apply to its
    // client. So does one whose client was refused because its chain has expired.
    let isOutdated = handle.client.map { $0.certificate !== listener.certificate } ?? false
    let isLast = head.isChunked || isOutdated || caller.mayHaveExpired
    (exchange, early) = (Exchange(plan, of: head, isLast: isLast, limits: listener.handler.limits), nil)
  case .failure(let refusal):
    exchange = Exchange(.answer(refusal.answer), of: head, isLast: true, limits: listener.handler.limits)
    early = refusal.answer
  }
  listener.begin(exchange)
  if exchange.lines != nil { handle.client?.wait(until: listener.handler.nextLinesExpiry) }
  kept.pointee = Unmanaged.passRetained(exchange).toOpaque()
  return early.map { send($0, to: exchange, of: handle, by: listener) } ?? .YES
}

/// Takes a part of a body. Of a body in lines it takes only the lines that may be opened now; if some are left, it
/// suspends the connection.
///
/// - Returns: how many bytes it took; nil when the connection is to be closed.
private func take(
  _ part: UnsafeRawBufferPointer, of exchange: Exchange, of handle: Handle, by listener: Listener
) -> Int? {
  guard let lines = exchange.lines else {
    return exchange.append(part, limits: listener.handler.limits) ? part.count : nil
  }
  if lines.isAbandoned { return nil }
  let taken = listener.handler.take(part, of: lines, from: handle.caller(showing: lines.bearer))
  guard exchange.count(taken) else { return nil }
  if taken < part.count { suspend(handle, for: exchange, untilWaiting: lines.window / 2, of: lines) }
  return taken
}

/// Suspends a connection until at most `count` of its lines wait for their answers.
private func suspend(_ handle: Handle, for exchange: Exchange, untilWaiting count: Int, of lines: TokenLines) {
  let client = handle.client
  let timeLeft = client?.pause()
  // Before `wait`, which resumes the connection at once if the lines have their answers already.
  MHD_suspend_connection(handle.connection)
  client?.isWaiting(for: exchange)
  lines.wait(until: count) {
    client?.isWaiting(for: nil)
    client?.wait(until: timeLeft.map { .now + $0 })
    MHD_resume_connection(handle.connection)
  }
}

private func answer(
  _ lines: TokenLines, of exchange: Exchange, of handle: Handle, by listener: Listener
) -> MHD_Result {
  if lines.isAbandoned { return .NO }
  // Ends the last line, which may lack its line feed. If it has one, this ends an empty line, which is ignored.
  guard listener.handler.endLine(of: lines, from: handle.caller(showing: lines.bearer)) else {
    suspend(handle, for: exchange, untilWaiting: lines.window / 2, of: lines)
    return .YES
  }
  guard let answer = lines.answer() else {
    suspend(handle, for: exchange, untilWaiting: 0, of: lines)
    return .YES
  }
  return send(answer, to: exchange, of: handle, by: listener)
}

private func proceed(with exchange: Exchange, of handle: Handle, by listener: Listener) -> MHD_Result {
  switch exchange.next() {
  case .answer(let answer): return send(answer, to: exchange, of: handle, by: listener)
  case .close: return .NO
  case .answerLines(let lines): return answer(lines, of: exchange, of: handle, by: listener)
  case .open(let opening, let request):
    let client = handle.client
    client?.wait(until: nil)
    // Before the pool has the request: it may answer at once.
    MHD_suspend_connection(handle.connection)
    client?.isWaiting(for: exchange)
    listener.handler.open(request, opening, for: exchange) {
      client?.isWaiting(for: nil)
      MHD_resume_connection(handle.connection)
    }
    return .YES
  }
}

private func send(
  _ answer: Answer, to exchange: Exchange, of handle: Handle, by listener: Listener
) -> MHD_Result {
  guard let response = answer.response(to: exchange) else { return .NO }
  defer { MHD_destroy_response(response) }
  listener.handler.counters.countAnswer(answer.status)
  exchange.note(answer)
  handle.client?.wait(until: listener.handler.nextExpiry)
  return MHD_queue_response(handle.connection, answer.status.rawValue, response)
}

extension Answer {
  /// The library's object for the answer; nil if there is no memory.
  fileprivate func response(to exchange: Exchange) -> OpaquePointer? {
    let kept = Unmanaged.passRetained(body)
    // The library sends out of this memory, and copies none of it.
    let made = MHD_create_response_from_buffer_with_free_callback_cls(
      body.bytes.count, body.bytes.baseAddress,
      { context in
        if let context { Unmanaged<AnswerBody>.fromOpaque(context).release() }
      }, kept.toOpaque())
    guard let response = made else {
      kept.release()
      return nil
    }
    for (name, value) in headers(exchange) where MHD_add_response_header(response, name, value) != .YES {
      MHD_destroy_response(response)
      return nil
    }
    return response
  }

  private func headers(_ exchange: Exchange) -> [(String, String)] {
    var headers = [("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]
    if let challenge { headers.append(("WWW-Authenticate", challenge)) }
    if let allow { headers.append(("Allow", allow)) }
    if status == .serviceUnavailable { headers.append(("Retry-After", "1")) }
    headers.append(("X-Request-Id", exchange.trace.id))
    if let parent = exchange.trace.traceparent { headers.append(("traceparent", parent)) }
    if exchange.isLast { headers.append(("Connection", "close")) }
    return headers
  }
}
