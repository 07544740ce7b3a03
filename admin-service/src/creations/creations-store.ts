import { lockSubject } from '@platform/shared/db/advisory-locks';
import { type Database, query } from '@platform/shared/db/database';
import { ALREADY_EXISTS, idTaken, toCreationDigest } from './creation.ts';

/** `isSubject`: events and other records name it by its id, so a reader must be able to tell these ids apart. */
const KINDS = {
  project: { table: 'projects', digest: 'creationDigest', isSubject: true },
  team: { table: 'teams', digest: 'creationDigest', isSubject: true },
  mail: { table: 'service_mails', digest: 'digest', isSubject: false },
};

const IS_TAKEN = `
  select exists (select from users where id = $1) or exists (select from customer_profiles where id = $1)
    or exists (select from employee_profiles where id = $1) or exists (select from projects where id = $1)
    or exists (select from teams where id = $1) as "isTaken"`;

/** Stores the records that services create with ids of their choice, by a PUT that they may repeat. */
export const createCreationStore = (database: Database) => {
  /**
   * Whether a user (also a deleted one), a profile, a project or a team has the id. The lock of the id covers
   * projects and teams; the database makes the other ids, and nobody can guess one before its commit.
   */
  const isIdTaken = async (id: string | undefined): Promise<boolean> => {
    const [row] = await query<{ isTaken: boolean }>(database, {
      name: 'is-id-taken',
      text: IS_TAKEN,
      values: [id],
    });
    return row?.isTaken === true;
  };

  return {
    /**
     * Runs `insert` with the digest of the request, and returns true; or returns false if the same request has
     * created the record before. Of concurrent requests with one id, the others wait for the first.
     * @param id the columns that identify the record
     * @throws AppError 409 if another request has created the record, or the id is that of something else
     */
    once: async (
      kind: keyof typeof KINDS,
      id: { id: string } | { service: string; serviceMailId: string },
      request: object,
      insert: (digest: Buffer) => Promise<void>,
    ): Promise<boolean> => {
      const { table, digest: column, isSubject } = KINDS[kind];
      await lockSubject(database, Object.values(id).join(' '));
      const digest = toCreationDigest(request);
      const found = await database(table).where(id).first<{ digest: Buffer | null }>(`${column} as digest`);
      // The digest is null if no service has created the record.
      if (found && !found.digest?.equals(digest)) throw ALREADY_EXISTS[kind]();
      if (found) return false;
      if (isSubject && 'id' in id && (await isIdTaken(id.id))) throw idTaken();
      await insert(digest);
      return true;
    },
  };
};

export type CreationStore = ReturnType<typeof createCreationStore>;
