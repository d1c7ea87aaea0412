#if PostgreSQL

import PaymentToken

extension PostgreSQLReplayStore {
  /// Creates the table if there is none, and the partitions of the coming days, and drops those of days before
  /// yesterday. Call it once before the first question, and then at least daily, by a scheduled job: it opens a
  /// connection of its own, blocks while it connects, and then works for a minute at most. Do not call it at each
  /// start: a process that connects to a wrong database would make an empty table there.
  ///
  /// Days are created only after the newest one: a day that was dropped is not created again, even if clocks are set
  /// back. If `maintain` is not called for longer than `daysAhead`, questions are answered `.unavailable`.
  ///
  /// The store's user must own the table or have CREATE on its schema. Stores that only ask need SELECT and INSERT.
  ///
  /// - Parameters:
  ///   - now: the caller's time. If the server's differs by more than a day, it fails with SQLSTATE 22008.
  ///   - daysAhead: the number of days after today that have a partition, 1...366; other values are clamped.
  /// - Throws: `Failure`. Then nothing was changed, unless the answer was lost or the change may not have reached a
  ///   standby (`mayNotBeReplicated`): in these cases everything may have been changed.
  public func maintain(at now: UnixTime, daysAhead: Int = 7) throws(Failure) {
    let (table, seconds) = (configuration.table, now.secondsSinceEpoch)
    // While this waits for a lock, all questions behind it wait, too.
    try Connection(configuration).run(
      """
      SET lock_timeout = 500; SET statement_timeout = 0;
      DO $$
      DECLARE
        today int8 := \(seconds) / 86400;
        newest int8;
        part record;
      BEGIN
        IF abs(extract(epoch FROM clock_timestamp()) - \(seconds)) > 86400 THEN
          RAISE EXCEPTION USING ERRCODE = '22008';
        END IF;
        PERFORM pg_advisory_xact_lock(hashtextextended('\(table)', 0));
        CREATE TABLE IF NOT EXISTS \(table)
          (day int4 NOT NULL, id bytea NOT NULL CHECK (length(id) = 32), PRIMARY KEY (day, id))
          PARTITION BY LIST (day);
        FOR part IN
          SELECT oid::regclass AS name, substring(pg_get_expr(relpartbound, oid) FROM '[0-9]+')::int8 AS day
          FROM pg_class JOIN pg_inherits ON inhrelid = oid WHERE inhparent = '\(table)'::regclass
        LOOP
          IF part.day IS NULL THEN
            RAISE EXCEPTION USING ERRCODE = '22023';
          END IF;
          newest := greatest(newest, part.day);
          IF part.day < today - 1 THEN
            EXECUTE format('DROP TABLE %s', part.name);
          END IF;
        END LOOP;
        FOR day IN greatest(newest + 1, today - 1) .. today + \(min(max(1, daysAhead), 366)) LOOP
          EXECUTE format('CREATE TABLE \(table)_%s PARTITION OF \(table) FOR VALUES IN (%s)', day, day);
        END LOOP;
      END $$
      """, within: .seconds(60))
  }
}

#endif
