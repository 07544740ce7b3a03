import type { AuditRecord } from '@platform/client';
import type { ResponseOf } from '../read.ts';
import { groupRepeats, type RecordGroup } from '../records/group-repeats.ts';

export const SEGMENTS = ['all', 'signIns', 'mails', 'changes'] as const;
export type Segment = (typeof SEGMENTS)[number];

type Mail = ResponseOf<'/users/{id}/mails'>['data'][number];

type Entry =
  | { segment: 'signIns' | 'changes'; id: string; at: string; group: RecordGroup<AuditRecord> }
  | { segment: 'mails'; id: string; at: string; mail: Mail };

const SIGN_INS: readonly string[] = ['SIGNED_IN', 'SIGN_IN_FAILED'];

/**
 * Merges what happened to a person, newest first; repeats are one entry. Leaves out what is older than `since`, of
 * which not all is loaded.
 */
export const toTimeline = (records: readonly AuditRecord[], mails: readonly Mail[], since = 0): Entry[] => {
  const entries: Entry[] = [
    ...groupRepeats(records).map((group) => ({
      segment: SIGN_INS.includes(group.newest.action) ? ('signIns' as const) : ('changes' as const),
      id: group.newest.id,
      at: group.newest.createdAt,
      group,
    })),
    ...mails.map((mail) => ({ segment: 'mails' as const, id: mail.id, at: mail.at, mail })),
  ];
  return entries
    .filter(({ at }) => Date.parse(at) >= since)
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
};
