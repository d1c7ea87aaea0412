import PaymentToken

extension WorkerQueue {
  /// Asks stores about tokens that meet all rules but 14.4, each about all of its transactions in one call and in the
  /// order of the requests. Returns without waiting for an answer.
  ///
  /// - Returns: the requests for which there was no room. No store was asked about them.
  func ask(_ requests: [StoreWaits.Request]) -> [StoreWaits.Request] {
    var left = requests[...]
    var refused: [StoreWaits.Request] = []
    while let store = left.first?.store {
      // Usually one store has all requests, and nothing is filtered.
      let others = left.contains { $0.store !== store } ? left.filter { $0.store !== store } : []
      let asked = others.isEmpty ? left : left.filter { $0.store === store }[...]
      refused += ask(store, asked)
      left = others[...]
    }
    return refused
  }

  /// Asks one store, and returns the requests for which there was no room.
  private func ask(
    _ store: any AsynchronousReplayStore, _ requests: ArraySlice<StoreWaits.Request>
  ) -> ArraySlice<StoreWaits.Request> {
    let call = waits.add(requests)
    guard call.count > 0 else { return requests }
    store.insert(requests.prefix(call.count).map(\.question)) { index, verdict in
      if self.waits.answer(call, index, verdict) { self.wakeForAnswers() }
    }
    return requests.dropFirst(call.count)
  }

  private func wakeForAnswers() {
    let worker = state.withLock { workerToWake(&$0) }
    if let worker { parkers[worker].wake() }
  }
}
