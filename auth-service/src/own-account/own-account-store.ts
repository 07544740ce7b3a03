import type { Database } from '@platform/shared/db/database';
import type { DeletionRefusal } from './own-account.ts';

/** As Postgres writes times in JSON: with microseconds and an offset. */
const POSTGRES_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/;

const toIsoTime = (key: string, value: unknown): unknown =>
  key.endsWith('At') && typeof value === 'string' && POSTGRES_TIME.test(value)
    ? new Date(value).toISOString()
    : value;

export const createOwnAccountStore = (database: Database) => {
  const existing = (id: string) => database('users').where({ id }).whereNull('deletedAt');

  return {
    /** Everything that is stored about the user: the schema AccountExport. Undefined when the user is deleted. */
    export: async (userId: string): Promise<object | undefined> => {
      const row = await existing(userId).first(database.raw('export_account(id)::text as data'));
      return row && JSON.parse(row.data, toIsoTime);
    },

    /**
     * In a transaction that has locked the user. Returns the former e-mail, and why nothing was deleted; undefined when the user
     * is deleted already.
     */
    delete: async (
      userId: string,
    ): Promise<{ formerEmail: string; refusal: DeletionRefusal | null } | undefined> =>
      await existing(userId).first('email as formerEmail', database.raw('delete_account(id) as refusal')),
  };
};
