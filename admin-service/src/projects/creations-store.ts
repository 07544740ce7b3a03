import { lockSubject } from '@platform/shared/db/advisory-locks';
import { type Database, query } from '@platform/shared/db/database';

// The ids of these tables are subjects of events or name somebody, so a reader must be able to tell them apart.
const IS_TAKEN = `
  select exists (select from users where id = $1) or exists (select from customer_profiles where id = $1)
    or exists (select from employee_profiles where id = $1) or exists (select from projects where id = $1)
    or exists (select from teams where id = $1) as "isTaken"`;

/** The projects and teams that services create with ids of their choice. */
export const createCreationStore = (database: Database) => ({
  /** Serializes the requests that create a project or a team with this id. */
  lockId: (id: string): Promise<void> => lockSubject(database, id),

  /** The digest is null if no service has created the record. Undefined for an unknown id. */
  find: async (
    table: 'projects' | 'teams',
    id: string,
  ): Promise<{ creationDigest: Buffer | null } | undefined> =>
    await database(table).where({ id }).first('creationDigest'),

  /**
   * Whether a user (also a deleted one), a profile, a project or a team has the id. The lock of the id covers
   * projects and teams; the database makes the other ids, and nobody can guess one before its commit.
   */
  isIdTaken: async (id: string): Promise<boolean> => {
    const [row] = await query<{ isTaken: boolean }>(database, {
      name: 'is-id-taken',
      text: IS_TAKEN,
      values: [id],
    });
    return row?.isTaken === true;
  },
});

export type CreationStore = ReturnType<typeof createCreationStore>;
