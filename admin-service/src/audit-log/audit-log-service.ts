import { type AuditPosition, createAuditCursors } from '@platform/shared/platform/audit/audit-position';
import { type AuditEntry, type AuditPage, type AuditQuery, auditRecordNotFound } from './audit-log.ts';
import type { AuditLogStore } from './audit-log-store.ts';

type Positioned = AuditEntry & AuditPosition;
const toEntry = ({ at: _at, ...entry }: Positioned): AuditEntry => entry;

const { toCursor, parseCursor } = createAuditCursors('/query/cursor');

type Dependencies = { lists: { auditLog: AuditLogStore } };

export const createAuditLogService = ({ lists }: Dependencies) => ({
  /** Newest first. @throws AppError 400 for a cursor of another list */
  list: async ({ perPage = 10, cursor, ...filter }: AuditQuery): Promise<AuditPage> => {
    const after = cursor === undefined ? undefined : parseCursor(cursor);
    // One record more tells whether there is a next page.
    const found = await lists.auditLog.list(filter, after, perPage + 1);
    const records = found.slice(0, perPage);
    const last = found.length > perPage ? records.at(-1) : undefined;
    return {
      data: records.map(toEntry),
      nextCursor: last ? toCursor(last) : null,
    };
  },

  /** @throws AppError 404 */
  find: async (id: string): Promise<AuditEntry> => {
    const record = await lists.auditLog.find(id);
    if (!record) throw auditRecordNotFound();
    return toEntry(record);
  },
});

export type AuditLogService = ReturnType<typeof createAuditLogService>;
