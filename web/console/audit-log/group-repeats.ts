import type { AuditRecord } from '@platform/client';
import { formatTime } from '../../words/formats.ts';

const WINDOW_MILLISECONDS = 10 * 60_000;

/** The fields of a record that the grouping needs. */
type Repeatable = Pick<
  AuditRecord,
  'id' | 'action' | 'actorId' | 'targetType' | 'targetId' | 'user' | 'details' | 'createdAt' | 'address'
>;

/** Records that say the same, newest first; most groups have one. */
export type RecordGroup<Item> = { newest: Item; oldest: Item; records: readonly [Item, ...Item[]] };

/** What differs between repeats. A record with old and new values is never a repeat. */
const VARYING = ['userAgent', 'isNewDevice', 'methods', 'noteId', 'replyId', 'count'];

const toKey = ({ id, action, actorId, targetType, targetId, user, details }: Repeatable): string => {
  if ('changes' in details) return id;
  const same = Object.entries(details).filter(([name]) => !VARYING.includes(name));
  return JSON.stringify([action, actorId, targetType, targetId, user?.id, same]);
};

/**
 * Groups records of one kind by one person about one thing that are at most 10 minutes apart from the newest
 * of them. A group stands where its newest record is, also if others happened in between: somebody who tries
 * the passwords of two accounts in turn makes two groups.
 */
export const groupRepeats = <Item extends Repeatable>(records: readonly Item[]): RecordGroup<Item>[] => {
  const groups: [Item, ...Item[]][] = [];
  const latest = new Map<string, [Item, ...Item[]]>();
  for (const record of records) {
    const key = toKey(record);
    const group = latest.get(key);
    if (group && Date.parse(group[0].createdAt) - Date.parse(record.createdAt) <= WINDOW_MILLISECONDS) {
      group.push(record);
      continue;
    }
    const begun: [Item, ...Item[]] = [record];
    groups.push(begun);
    latest.set(key, begun);
  }
  return groups.map((all) => ({ newest: all[0], oldest: all.at(-1) ?? all[0], records: all }));
};

/** The different client addresses of the records, the newest first. */
export const addressesOf = ({ records }: RecordGroup<Pick<AuditRecord, 'address'>>): string[] => [
  ...new Set(records.map(({ address }) => address)),
];

/** The time of the day of the first and the last of them. */
export const toSpan = ({ newest, oldest }: RecordGroup<Pick<AuditRecord, 'createdAt'>>): string => {
  const [first, last] = [formatTime(new Date(oldest.createdAt)), formatTime(new Date(newest.createdAt))];
  return first === last ? last : `${first}–${last}`;
};
