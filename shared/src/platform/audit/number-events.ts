import { lockUntilCommit } from '../../db/advisory-locks.ts';
import { createInTransaction, type Database, query } from '../../db/database.ts';

/** The number of events on a full page. Numbering them takes about 25 ms. */
const MAX_NUMBERED = 1_000;

/**
 * The array makes Postgres look each event up. It expects the limit to return a tenth of the waiting events, and would
 * read the whole table when a million wait, as after the backfill.
 */
const NUMBER = `
  with last as materialized (select coalesce(max(position), 0) as position from events where position is not null),
  numbered as (
    update events set position = last.position + waiting.number, cursor = gen_random_uuid()
    from last, unnest(array(
      select sequence from events where position is null order by sequence limit $1
    )) with ordinality as waiting (sequence, number)
    where events.sequence = waiting.sequence returning 1
  )
  select count(*)::int from numbered`;

/**
 * Assigns positions to committed events, at most 1,000; returns their number. Only one process may do this at
 * a time, because two could assign the same position. The update is a separate statement, because its
 * snapshot must be newer than the lock.
 */
export const numberEvents = (database: Database): Promise<number> =>
  createInTransaction(
    database,
    (transaction) => transaction,
  )(async (transaction) => {
    await lockUntilCommit(transaction, 'eventPositions');
    const [numbered] = await query<{ count: number }>(transaction, {
      name: 'number-events',
      text: NUMBER,
      values: [MAX_NUMBERED],
      // Otherwise a failover could lose a position that a reader has stored.
      awaitsStandby: true,
    });
    return numbered?.count ?? 0;
  });
