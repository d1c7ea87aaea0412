import CMicrohttpd
import PaymentToken
import Synchronization

/// A connection as the library knows it. It exists at least as long as it is suspended.
private struct Handle: @unchecked Sendable {
  let connection: OpaquePointer

  /// What is known of the client.
  var client: ClientConnection? {
    cmicrohttpd_kept(connection).map { Unmanaged<ClientConnection>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// Called when a request's head is there, for each part of its body, when all of it is there, and after a suspension.
func handleRequest(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ part: UnsafePointer<CChar>?,
  _ partSize: UnsafeMutablePointer<Int>?, _ kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let connection, let path, let method, let partSize, let kept else { return .NO }
  let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
  let handle = Handle(connection: connection)
  guard let known = kept.pointee else {
    let head = RequestHead(connection, method: method, path: path)
    return begin(head, of: handle, by: listener, keeping: kept)
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  guard partSize.pointee == 0 else {
    let bytes = UnsafeRawBufferPointer(start: part, count: partSize.pointee)
    partSize.pointee = 0
    return exchange.append(bytes, limits: listener.handler.limits) ? .YES : .NO
  }
  return proceed(with: exchange, of: handle, by: listener)
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
  switch listener.plan(head, of: handle.connection, handle.client) {
  case .success(let plan):
    // A connection that began under another certificate ends, so that the new files hold for its client too.
    let isOutdated = handle.client.map { $0.certificate !== listener.certificate } ?? false
    (exchange, early) = (Exchange(plan, of: head, isLast: head.isChunked || isOutdated), nil)
  case .failure(let refusal):
    (exchange, early) = (Exchange(.answer(refusal.answer), of: head, isLast: true), refusal.answer)
  }
  listener.begin(exchange)
  kept.pointee = Unmanaged.passRetained(exchange).toOpaque()
  return early.map { send($0, to: exchange, of: handle, by: listener) } ?? .YES
}

private func proceed(with exchange: Exchange, of handle: Handle, by listener: Listener) -> MHD_Result {
  switch exchange.next() {
  case .answer(let answer): return send(answer, to: exchange, of: handle, by: listener)
  case .close: return .NO
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
  /// What the library sends; nil when there is no memory.
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
