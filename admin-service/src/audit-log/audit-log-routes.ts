import { createAuditCursors } from '@platform/shared/platform/audit/audit-position';
import type { AdminOperations } from '../authentication/operations.ts';
import type { AuditLogStore } from './audit-log-store.ts';

const { toCursor, parseCursor } = createAuditCursors('/query/cursor');

const toDate = (time: string | undefined): Date | undefined => (time === undefined ? time : new Date(time));

export const auditLogRoutes = ({ list }: AuditLogStore): Pick<AdminOperations, 'listAuditLog'> => ({
  listAuditLog: async ({ query: { perPage = 10, cursor, from, until, ...others } }) => {
    const filter = { ...others, from: toDate(from), until: toDate(until) };
    // One row more tells whether there is a next page.
    const found = await list(filter, cursor === undefined ? undefined : parseCursor(cursor), perPage + 1);
    const entries = found.slice(0, perPage);
    const last = found.length > perPage ? entries.at(-1) : undefined;
    return {
      status: 200,
      body: { data: entries.map(({ at: _at, ...entry }) => entry), nextCursor: last ? toCursor(last) : null },
    };
  },
});
