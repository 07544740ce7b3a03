import { type AppError, validationFailed } from '../../errors/app-error.ts';

/** The position of a record in the log: its time in microseconds, which Date lacks, and its id. */
export type AuditPosition = { at: string; id: string };

const POSITION =
  /^(?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const foreignCursor = (path: string): AppError =>
  validationFailed('The request breaks the contract', [
    { path, message: 'must be the cursor of a response of this operation', rule: 'cursor' },
  ]);

/**
 * Cursors of the audit log, or of the records of one user, which are not valid for another one.
 * @param path of the parameter, for the error
 */
export const createAuditCursors = (path: string, userId = '') => ({
  toCursor: ({ at, id }: AuditPosition): string => Buffer.from(`${userId}${at} ${id}`).toString('base64url'),

  /** Postgres would fail for a time that does not exist. @throws AppError 400 */
  parseCursor: (cursor: string): AuditPosition => {
    const text = Buffer.from(cursor, 'base64url').toString();
    const position = text.startsWith(userId) ? text.slice(userId.length) : '';
    const { at, id } = POSITION.exec(position)?.groups ?? {};
    if (at === undefined || id === undefined) throw foreignCursor(path);
    return { at, id };
  },
});
