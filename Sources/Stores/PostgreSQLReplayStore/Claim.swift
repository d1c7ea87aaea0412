#if PostgreSQL

import PaymentToken

/// Questions that insert rows for the same days, in one statement.
struct Claim {
  /// A row of the table.
  struct Row: Hashable {
    let day: Int32
    let id: Bytes32
  }

  private let days: ClosedRange<Int32>
  private(set) var asked: [Asked] = []

  init(_ days: ClosedRange<Int32>) { self.days = days }

  mutating func add(_ question: Asked) { asked.append(question) }

  /// The days since 1970-01-01 UTC in which the token may have been signed; nil if they cannot be stored.
  static func days(of question: ReplayQuestion) -> ClosedRange<Int32>? {
    let (now, window) = (question.now.secondsSinceEpoch, Int64(question.window))
    guard now >= window, now <= Int64(Int32.max) * 86_400 - window else { return nil }
    return Int32((now - window) / 86_400)...Int32((now + window) / 86_400)
  }

  /// The statement: $1 are days, $2 identifiers. Each row that it returns says whether its commit lasts, since a server
  /// or a pooler may have changed the settings. A table without the key is refused (SQLSTATE 42P10).
  static func statement(_ configuration: PostgreSQLReplayStore.Configuration) -> String {
    var lasts =
      "current_setting('fsync') = 'on' AND current_setting('synchronous_commit') = "
      + "'\(configuration.synchronousCommit.rawValue)'"
    if configuration.requiredStandbys > 0 { lasts += " AND \(standbys(configuration))" }
    return """
      INSERT INTO \(configuration.table) (day, id)
        SELECT day, id FROM unnest($1::int4[], $2::bytea[]) AS asked (day, id)
        ON CONFLICT (day, id) DO NOTHING RETURNING day, id, \(lasts)
      """
  }

  /// Whether a commit waits for as many standbys as required: `FIRST n (…)`, `ANY n (…)` and `n (…)` say for how many;
  /// a list alone means one.
  static func standbys(_ configuration: PostgreSQLReplayStore.Configuration) -> String {
    let names = "current_setting('synchronous_standby_names')"
    let space = "[[:space:]]*"
    return "coalesce(substring(\(names) FROM '(?i)^\(space)(?:first|any)?\(space)([0-9]+)\(space)[(]')::int8, "
      + "(\(names) ~ '[^[:space:]]')::int) >= \(configuration.requiredStandbys)"
  }

  /// The rows to insert, each once. All statements insert in the same order, so that they cannot deadlock.
  var rows: [Row] {
    let ids = Set(asked.lazy.map(\.question.transactionId)).sorted { $0.words < $1.words }
    return days.flatMap { day in ids.map { Row(day: day, id: $0) } }
  }

  /// Which questions are fresh: those whose rows were all inserted. Of several about one transaction, only the first.
  func decide(_ inserted: Set<Row>) -> [Bool] {
    var inserted = inserted
    return asked.map { asked in
      days.reduce(true) { isFresh, day in
        inserted.remove(Row(day: day, id: asked.question.transactionId)) != nil && isFresh
      }
    }
  }
}

#endif
