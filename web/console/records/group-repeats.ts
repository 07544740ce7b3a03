import type { AuditAction, AuditRecord } from '@platform/client';
import { formatTime } from '../../words/formats.ts';

const WINDOW_MILLISECONDS = 10 * 60_000;

/** The fields of a record that the grouping needs. */
type Repeatable = Pick<
  AuditRecord,
  'id' | 'action' | 'actorId' | 'targetType' | 'targetId' | 'user' | 'details' | 'createdAt' | 'address'
>;

/** Records that say the same, newest first; most groups have one. */
export type RecordGroup<Item> = { newest: Item; oldest: Item; records: readonly [Item, ...Item[]] };

/**
 * No other action reverses these. A block, for instance, can only happen again after it has ended, also where a filter
 * hides by what.
 */
const REPEATED: ReadonlySet<string> = new Set<AuditAction>([
  'ACCOUNT_EXPORTED',
  'CONTACT_REQUEST_NOTE_ADDED',
  'CONTACT_REQUEST_REPLIED',
  'IDENTITY_USED',
  'MAIL_RETRIED',
  'PASSWORD_CHANGED',
  'PAUSE_ENDED',
  'PROFILE_CHANGED',
  'RECOVERY_CODE_USED',
  'REFRESH_TOKEN_REUSED',
  'RESET_MAIL_SENT',
  'SESSIONS_ENDED',
  'SESSION_ENDED',
  'SIGNED_IN',
  'SIGN_IN_FAILED',
  'TEAM_MEMBER_CHANGED',
  'USER_NOTE_ADDED',
  'VERIFICATION_MAIL_SENT',
]);

/** The details that may differ between repeats. */
const VARYING = ['userAgent', 'isNewDevice', 'methods', 'noteId', 'replyId', 'count'];

const toKey = ({ id, action, actorId, targetType, targetId, user, details }: Repeatable): string => {
  if (!REPEATED.has(action)) return id;
  const same = Object.entries(details).filter(([name]) => !VARYING.includes(name));
  return JSON.stringify([action, actorId, targetType, targetId, user?.id, same]);
};

/**
 * Groups neighbours that say the same and are at most 10 minutes apart from the newest of them. What lies between
 * ends a group, so that the order of the records stays true.
 */
export const groupRepeats = <Item extends Repeatable>(records: readonly Item[]): RecordGroup<Item>[] => {
  const groups: [Item, ...Item[]][] = [];
  for (const record of records) {
    const group = groups.at(-1);
    const isRepeat =
      group !== undefined &&
      toKey(group[0]) === toKey(record) &&
      Date.parse(group[0].createdAt) - Date.parse(record.createdAt) <= WINDOW_MILLISECONDS;
    if (isRepeat) group.push(record);
    else groups.push([record]);
  }
  return groups.map((all) => ({ newest: all[0], oldest: all.at(-1) ?? all[0], records: all }));
};

/** The different client addresses of the records, the newest first. */
export const addressesOf = ({ records }: RecordGroup<Pick<AuditRecord, 'address'>>): string[] => [
  ...new Set(records.map(({ address }) => address)),
];

/** The times of day of the first and the last record of a group. */
export const toSpan = ({ newest, oldest }: RecordGroup<Pick<AuditRecord, 'createdAt'>>): string => {
  const [first, last] = [formatTime(new Date(oldest.createdAt)), formatTime(new Date(newest.createdAt))];
  return first === last ? last : `${first}–${last}`;
};
