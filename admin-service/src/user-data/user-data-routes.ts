import type { components } from '@platform/openapi/types/admin';
import { createAuditCursors } from '@platform/shared/platform/audit/audit-position';
import { toBy } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import type { UserDataService } from './user-data-service.ts';

export const userDataRoutes = (data: UserDataService): Pick<AdminOperations, 'exportUser'> => ({
  exportUser: async ({ path, query: { auditCursor }, caller, context }) => {
    const { toCursor, parseCursor } = createAuditCursors('/query/auditCursor', path.id.toLowerCase());
    const before = auditCursor === undefined ? undefined : parseCursor(auditCursor);
    const { data: exported, next } = await data.exportUser(path.id, before, toBy(caller, context));
    const body = { ...exported, nextAuditCursor: next && toCursor(next) };
    // Postgres builds the object, so only the tests validate its type.
    return { status: 200, body: body as components['schemas']['AccountExport'] };
  },
});
