import { type Database, query } from '@platform/shared/db/database';
import type { EventPage, StoredEvent } from './event.ts';

type NumberedPage = EventPage & { hasUnnumbered: boolean };
type Row = StoredEvent & { cursor: string | null; startCursor: string; hasUnnumbered: boolean };

const toStatement = (start: string): string => `
  with start as materialized (${start})
  select start.cursor as start_cursor, exists (select from events where position is null) as has_unnumbered, page.*
  from start left join lateral (
    select event_id, type, subject, data, occurred_at, recorded_at, cursor, position from events
    where position > start.position and type is not null order by position limit $1
  ) page on true order by page.position`;

/** The position before the oldest one that is kept, which belongs to the start of the feed or to an event. */
const FROM_START = toStatement(
  'select position - 1 as position, cursor from events where position is not null order by events.position limit 1',
);
const AFTER = toStatement('select position, cursor from events where cursor = $2');

const isEvent = (row: Row): boolean => row.cursor !== null;

export const createEventStore = (database: Database) => ({
  /**
   * Undefined if the database does not know the cursor `after`. Without a cursor, starts with the oldest
   * event.
   */
  findPage: async (after: string | undefined, limit: number): Promise<NumberedPage | undefined> => {
    const statement =
      after === undefined
        ? { name: 'events-from-start', text: FROM_START, values: [limit] }
        : { name: 'events-after', text: AFTER, values: [limit, after] };
    const rows = await query<Row>(database, statement);
    const [first] = rows;
    if (!first) return undefined;
    const { startCursor, hasUnnumbered } = first;
    return { events: rows.filter(isEvent), next: rows.at(-1)?.cursor ?? startCursor, hasUnnumbered };
  },
});

export type EventStore = ReturnType<typeof createEventStore>;
