import { createHash } from 'node:crypto';
import type { Database } from '@platform/shared/db/database';
import { isUniqueViolation } from '@platform/shared/db/database-errors';
import { toRedisKey } from '@platform/shared/redis/key-families';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { setCeremony } from './ceremony-scripts.ts';
import {
  CEREMONY_SECONDS,
  type CeremonyBinding,
  type NewCredential,
  type Passkey,
  type PasskeyCredential,
  passkeyTaken,
  type StoredPasskey,
} from './passkey.ts';

const PASSKEY = ['id', 'name', 'createdAt', 'lastUsedAt'];

export const createPasskeyStore = (database: Database) => ({
  /** Returns the oldest first. */
  listByUser: async (userId: string): Promise<Passkey[]> =>
    await database('passkeys').where({ userId }).orderBy(['createdAt', 'id']).select(PASSKEY),

  listCredentials: async (userId: string): Promise<PasskeyCredential[]> =>
    await database('passkeys')
      .where({ userId })
      .orderBy(['createdAt', 'id'])
      .select('credentialId', 'transports'),

  findByCredentialId: async (credentialId: string): Promise<StoredPasskey | undefined> =>
    await database('passkeys').where({ credentialId }).first('id', 'userId', 'credentialId', 'publicKey'),

  /** @throws AppError 409 PASSKEY_TAKEN */
  create: async (userId: string, name: string, credential: NewCredential): Promise<Passkey> => {
    try {
      const [passkey] = await database('passkeys').insert({ userId, name, ...credential }, PASSKEY);
      return passkey;
    } catch (error) {
      throw isUniqueViolation(error, 'passkeys_credential_id_key') ? passkeyTaken() : error;
    }
  },

  /**
   * Stores the signature counter of a use, which must be higher than at the previous use. An authenticator
   * that does not count always sends 0. Otherwise returns false: the authenticator may have been cloned
   * (WebAuthn 3, 6.1.1), or the passkey was deleted.
   */
  recordUse: async (id: string, counter: number, verifiesUser: boolean): Promise<boolean> =>
    (await database('passkeys')
      .where({ id })
      .whereRaw('(counter < :counter::bigint or (counter = 0 and :counter::bigint = 0))', { counter })
      .update({
        counter,
        lastUsedAt: database.fn.now(),
        ...(verifiesUser && { verifiesUser }),
      })) === 1,

  rename: async (userId: string, id: string, name: string): Promise<Passkey | undefined> => {
    const [passkey] = await database('passkeys').where({ userId, id }).update({ name }, PASSKEY);
    return passkey;
  },

  /** False if the user has no such passkey. */
  remove: async (userId: string, id: string): Promise<boolean> =>
    (await database('passkeys').where({ userId, id }).delete()) === 1,
});

export type PasskeyStore = ReturnType<typeof createPasskeyStore>;

/** A challenge of 32 bytes in base64url, as in the options. */
const CHALLENGE = /^[\w-]{43}$/;

const toKey = (challenge: string): string => toRedisKey('webauthn-challenge:*', challenge);

/** The value of a challenge in Redis. */
export const toCeremonyValue = ({ purpose, owner }: CeremonyBinding): string =>
  createHash('sha256').update(`${purpose}\0${owner}`).digest('base64url');

/** Stores the challenges of WebAuthn in Redis. Every method throws AppError 503 if Redis is unavailable. */
export const createCeremonyStore = (redis: RedisClient) => ({
  add: async (challenge: string, binding: CeremonyBinding): Promise<void> => {
    const ceremony = { key: toKey(challenge), value: toCeremonyValue(binding), seconds: CEREMONY_SECONDS };
    await setCeremony(redis, { ...ceremony, purpose: binding.purpose });
  },

  /**
   * Deletes the challenge; true if it was stored with exactly this binding. Of concurrent calls, one returns
   * true.
   */
  consume: async (challenge: string, binding: CeremonyBinding): Promise<boolean> => {
    if (!CHALLENGE.test(challenge)) return false;
    return (await withRedisTimeout(redis.getDel(toKey(challenge)))) === toCeremonyValue(binding);
  },
});

export type CeremonyStore = ReturnType<typeof createCeremonyStore>;
