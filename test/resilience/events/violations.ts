import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import type { Reader } from './readers.ts';

type Committed = { id: string; subject: string; type: string };

const COMMITTED =
  'select event_id as id, subject, type from events where type is not null order by subject, sequence';
const CATCH_UP_SECONDS = 120;

const bySubject = <Item extends { subject: string }>(events: readonly Item[]) =>
  Map.groupBy(events, ({ subject }) => subject);

/**
 * Counts blocks that follow a block, and unblocks that follow an unblock. Such events are not in the order of
 * the commits.
 */
const countRepeated = (events: readonly { type: string }[]): number =>
  events.filter(({ type }, index) => /user\.(un)?blocked/.test(type) && events[index - 1]?.type === type)
    .length;

const selectWanted = (committed: readonly Committed[], types: readonly string[]) =>
  committed.filter(({ type }) => types.length === 0 || types.includes(type));

/** Compares the events of a reader with all committed events. */
const countViolations = (all: readonly Committed[], { events, types }: Reader) => {
  const committed = selectWanted(all, types);
  const known = new Set(committed.map(({ id }) => id));
  const read = new Set(events.map(({ id }) => id));
  const expected = bySubject(committed);
  const subjects = [...bySubject(events)];
  return {
    missing: committed.filter(({ id }) => !read.has(id)).length,
    unknown: events.filter(({ id }) => !known.has(id)).length,
    repeated: events.length - read.size,
    disordered: subjects.filter(
      ([subject, found]) =>
        found.map(({ id }) => id).join() !==
        expected
          .get(subject)
          ?.map(({ id }) => id)
          .join(),
    ).length,
    'not in the order of commits': subjects.reduce((sum, [, found]) => sum + countRepeated(found), 0),
  };
};

/** Waits until the readers have received the last write, stops them, and counts their violations. */
export const findViolations = async (databaseUrl: string, readers: readonly Reader[]) => {
  const committed = await queryDatabase<Committed>(databaseUrl, COMMITTED);
  const hasCaughtUp = async () =>
    readers.every(({ events, types }) => events.length >= selectWanted(committed, types).length);
  await waitFor('the readers have read everything', hasCaughtUp, CATCH_UP_SECONDS).catch(() => undefined);
  await Promise.all(readers.map(({ stop }) => stop()));
  return readers.map((reader) => ({
    types: reader.types.join() || 'all',
    events: reader.events.length,
    refused: JSON.stringify(Object.fromEntries(reader.refused)),
    violations: countViolations(committed, reader),
  }));
};
