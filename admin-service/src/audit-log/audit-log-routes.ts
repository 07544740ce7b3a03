import { validationFailed } from '@platform/shared/errors/app-error';
import type { AdminOperations } from '../authentication/operations.ts';
import type { AuditLogStore, Position } from './audit-log-store.ts';

const toCursor = ({ at, id }: Position): string => Buffer.from(`${at} ${id}`).toString('base64url');

const POSITION =
  /^(?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Postgres would fail for a time that does not exist. @throws AppError 400 */
const parseCursor = (cursor: string): Position => {
  const { at, id } = POSITION.exec(Buffer.from(cursor, 'base64url').toString())?.groups ?? {};
  if (at === undefined || id === undefined)
    throw validationFailed('The request breaks the contract', [
      { path: '/query/cursor', message: 'must be a `nextCursor` of this list', rule: 'cursor' },
    ]);
  return { at, id };
};

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
