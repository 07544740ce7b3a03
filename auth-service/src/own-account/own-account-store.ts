import { type Database, query } from '@platform/shared/db/database';
import type { DeletionRefusal } from './own-account.ts';

export const createOwnAccountStore = (database: Database) => ({
  /** Everything that is stored about the user: the schema AccountExport. Undefined when the user is deleted. */
  export: async (userId: string): Promise<object | undefined> => {
    const [row] = await query<{ data: object }>(database, {
      name: 'export-account',
      text: 'select export_account(id) as data from users where id = $1 and deleted_at is null',
      values: [userId],
    });
    return row?.data;
  },

  /**
   * In a transaction that has locked the user. Returns the former e-mail, and why nothing was deleted; undefined when the user
   * is deleted already.
   */
  delete: async (
    userId: string,
  ): Promise<{ formerEmail: string; refusal: DeletionRefusal | null } | undefined> => {
    const [row] = await query<{ formerEmail: string; refusal: DeletionRefusal | null }>(database, {
      name: 'delete-account',
      text: `select email as former_email, delete_account(id) as refusal from users where id = $1 and deleted_at is null`,
      values: [userId],
    });
    return row;
  },
});
