import Minting
import PaymentToken
import TestSupport

/// A store whose answers the test gives, on the test's thread.
final class ManualStore: AsynchronousReplayStore {
  typealias Call = (questions: [ReplayQuestion], answer: @Sendable (Int, ReplayVerdict) -> Void)
  private let received = Locked<[Call]>([])

  var calls: [Call] { received.withLock { $0 } }
  var questions: [ReplayQuestion] { calls.flatMap(\.questions) }

  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict { .unavailable }

  func insert(_ questions: [ReplayQuestion], answer: @escaping @Sendable (Int, ReplayVerdict) -> Void) {
    received.withLock { $0.append((questions, answer)) }
  }

  /// Returns when at least `count` questions were asked.
  func received(_ count: Int) async {
    while questions.count < count { try? await Task.sleep(for: .milliseconds(1)) }
  }

  /// Answers a question by its number over all calls.
  func answer(_ number: Int, _ verdict: ReplayVerdict) {
    var index = number
    for call in calls {
      if index < call.questions.count { return call.answer(index, verdict) }
      index -= call.questions.count
    }
  }
}

/// Remembers transactions. Answers some questions at once, most in another order from another thread, some twice, and
/// some never.
///
/// A transaction is an identifier and a time here, so that a few tokens make many transactions.
final class StormStore: AsynchronousReplayStore {
  struct Transaction: Hashable {
    let transactionId: Bytes32
    let now: UnixTime
  }

  private struct State {
    var random: SeededGenerator
    var seen: Set<Transaction> = []
    var pending: [@Sendable () -> Void] = []
  }

  private let state: Locked<State>

  init(random: SeededGenerator) {
    state = Locked(State(random: random))
  }

  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict { .unavailable }

  func insert(_ questions: [ReplayQuestion], answer: @escaping @Sendable (Int, ReplayVerdict) -> Void) {
    state.withLock { state in
      for (index, question) in questions.enumerated() {
        let transaction = Transaction(transactionId: question.transactionId, now: question.now)
        let verdict: ReplayVerdict = state.seen.insert(transaction).inserted ? .fresh : .replayed
        switch Int.random(in: 0..<256, using: &state.random) {
        case 0: break
        case 1..<32: answer(index, verdict)
        case 32..<48:
          answer(index, verdict)
          // The pool must ignore the second answer.
          state.pending.append { answer(index, .fresh) }
        default: state.pending.append { answer(index, verdict) }
        }
      }
    }
  }

  /// Gives a random part of the pending answers, in random order.
  func answerSome() {
    let due = state.withLock { state in
      state.pending.shuffle(using: &state.random)
      let count = Int.random(in: 0...state.pending.count, using: &state.random)
      defer { state.pending.removeLast(count) }
      return state.pending.suffix(count)
    }
    for answer in due { answer() }
  }
}
