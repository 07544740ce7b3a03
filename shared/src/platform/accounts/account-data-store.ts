import type { Database } from '../../db/database.ts';
import type { AuditPosition } from '../audit/audit-position.ts';

// What is stored about a user, for the user's own export and for the one of the back office.

/** The format of times in Postgres' JSON, with microseconds and an offset. */
const POSTGRES_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/;

const toIsoTime = (key: string, value: unknown): unknown =>
  /^at$|At$/.test(key) && typeof value === 'string' && POSTGRES_TIME.test(value)
    ? new Date(value).toISOString()
    : value;

/** `next` is the position of the last record, or null if there is no older one. */
type AuditExport = { records: object[]; next: AuditPosition | null };

/** `next` as above. */
type SignInHistory = { data: object[]; next: AuditPosition | null };

/** Before the newest record. */
const START: AuditPosition = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/**
 * What later releases have added to the export. The database function does not return it, because the previous
 * release rejects unknown fields in development.
 */
const ADDED = `(select r.name from user_roles r where r.user_id = u.id and r.name is not null) as administrator_name`;

export const createAccountDataStore = (database: Database) => {
  /** Undefined if the user was deleted. */
  const exportFrom = async (id: string, call: string, values: readonly (string | number)[]) => {
    const users = database('users').where({ id }).whereNull('deletedAt');
    const row = await users.first(database.raw(`${call}::text as data`, values));
    return row && JSON.parse(row.data, toIsoTime);
  };

  return {
    /** Everything that is stored about the user, except the audit records: the schema AccountExport. */
    export: async (id: string): Promise<{ user: object; secondFactor: object } | undefined> => {
      const data = await exportFrom(id, 'export_account(id)', []);
      const added = await database('users as u').where({ id }).first('u.timeZone', database.raw(ADDED));
      return data && { ...data, user: { ...data.user, ...added } };
    },

    /** The newest sign-ins and failed ones before the position: the schema SignInList, without its cursor. */
    listSignIns: async (
      id: string,
      size: number,
      { at, id: recordId } = START,
    ): Promise<SignInHistory | undefined> =>
      exportFrom(id, 'list_sign_ins(id, ?, ?, ?)', [at, recordId, size]),

    /** The newest audit records before the position. */
    exportAuditRecords: (id: string, { at, id: recordId } = START): Promise<AuditExport | undefined> =>
      exportFrom(id, 'export_audit_records(id, ?, ?)', [at, recordId]),
  };
};

export type AccountDataStore = ReturnType<typeof createAccountDataStore>;
