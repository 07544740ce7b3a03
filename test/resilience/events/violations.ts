import { poll } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import type { Reader } from './readers.ts';

type Committed = { id: string; subject: string; type: string };

const COMMITTED =
  'select event_id as id, subject, type from events where type is not null order by subject, sequence';
/** A page of seven events takes its turn after those of a thousand, so many faults leave the reader far behind. */
const STALLED_SECONDS = 30;

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

/** Waits until the readers have received the last write, or get nothing more; stops them, and counts their violations. */
export const findViolations = async (databaseUrl: string, readers: readonly Reader[]) => {
  const committed = await queryDatabase<Committed>(databaseUrl, COMMITTED);
  const wanted = readers.map(({ types }) => selectWanted(committed, types).length);
  const hasCaughtUp = () => readers.every(({ events }, index) => events.length >= (wanted[index] ?? 0));
  const countRead = () => readers.reduce((sum, { events }) => sum + events.length, 0);
  for (let before = -1; !hasCaughtUp() && countRead() > before; ) {
    before = countRead();
    await poll(hasCaughtUp, { timeoutSeconds: STALLED_SECONDS });
  }
  await Promise.all(readers.map(({ stop }) => stop()));
  return readers.map((reader) => ({
    types: reader.types.join() || 'all',
    events: reader.events.length,
    refused: JSON.stringify(Object.fromEntries(reader.refused)),
    violations: countViolations(committed, reader),
  }));
};
