import { type Database, query } from '@platform/shared/db/database';
import { isUniqueViolation } from '@platform/shared/db/database-errors';
import { type NewCredential, type Passkey, passkeyTaken, type StoredPasskey } from './passkeys.ts';

const PASSKEY = 'id, name, created_at, last_used_at';
const STORED = `${PASSKEY}, user_id, credential_id, public_key, transports`;

export const createPasskeyStore = (database: Database) => ({
  /** The oldest first. */
  listByUser: (userId: string): Promise<StoredPasskey[]> =>
    query<StoredPasskey>(database, {
      name: 'passkey-credentials-of-user',
      text: `select ${STORED} from passkeys where user_id = $1 order by created_at, id`,
      values: [userId],
    }),

  findByCredentialId: async (credentialId: string): Promise<StoredPasskey | undefined> => {
    const [passkey] = await query<StoredPasskey>(database, {
      name: 'passkey-by-credential-id',
      text: `select ${STORED} from passkeys where credential_id = $1`,
      values: [credentialId],
    });
    return passkey;
  },

  /** @throws AppError 409 PASSKEY_TAKEN */
  create: async (
    userId: string,
    name: string,
    { credentialId, publicKey, counter, transports }: NewCredential,
  ): Promise<Passkey> => {
    try {
      const [passkey] = await query<Passkey>(database, {
        name: 'create-passkey',
        text: `insert into passkeys (user_id, name, credential_id, public_key, counter, transports)
          values ($1, $2, $3, $4, $5, $6) returning ${PASSKEY}`,
        values: [userId, name, credentialId, publicKey, counter, transports],
      });
      if (!passkey) throw new Error('The insert returned no passkey');
      return passkey;
    } catch (error) {
      throw isUniqueViolation(error, 'passkeys_credential_id_key') ? passkeyTaken() : error;
    }
  },

  /**
   * Stores the signature counter of a use, which must be higher than at the previous use; an authenticator that does not count
   * always has 0. False otherwise: the authenticator may have been cloned (WebAuthn 3, 6.1.1), or the passkey was removed.
   */
  recordUse: async (id: string, counter: number): Promise<boolean> => {
    const rows = await query(database, {
      name: 'record-passkey-use',
      text: `update passkeys set counter = $2::bigint, last_used_at = now()
        where id = $1 and (counter < $2::bigint or (counter = 0 and $2::bigint = 0)) returning 1`,
      values: [id, counter],
    });
    return rows.length === 1;
  },

  rename: async (userId: string, id: string, name: string): Promise<Passkey | undefined> => {
    const [passkey] = await query<Passkey>(database, {
      name: 'rename-passkey',
      text: `update passkeys set name = $3 where id = $2 and user_id = $1 returning ${PASSKEY}`,
      values: [userId, id, name],
    });
    return passkey;
  },

  /** False when the user has no such passkey. */
  remove: async (userId: string, id: string): Promise<boolean> => {
    const rows = await query(database, {
      name: 'remove-passkey',
      text: 'delete from passkeys where id = $2 and user_id = $1 returning 1',
      values: [userId, id],
    });
    return rows.length === 1;
  },
});
