import type { Database } from '@platform/shared/db/database';
import { isUniqueViolation } from '@platform/shared/db/database-errors';
import { type Identity, type IdentityKey, identityTaken } from './oidc.ts';

const IDENTITY = ['id', 'provider', 'email', 'linkedAt', 'lastUsedAt'];

/** The fields that change with each use. */
type Use = { provider: string; email: string | null };
type NewIdentity = IdentityKey & Use & { isUsed: boolean };

export const createIdentityStore = (database: Database) => {
  const now = () => database.fn.now();
  return {
    /** Returns the oldest first. */
    listByUser: async (userId: string): Promise<Identity[]> =>
      await database('identities').where({ userId }).orderBy(['linkedAt', 'id']).select(IDENTITY),

    findByKey: async ({
      issuer,
      subject,
    }: IdentityKey): Promise<(Identity & { userId: string }) | undefined> =>
      await database('identities')
        .where({ issuer, subject })
        .first('userId', ...IDENTITY),

    /** @throws AppError 409 IDENTITY_TAKEN if it is linked to any account */
    create: async (userId: string, { isUsed, ...identity }: NewIdentity): Promise<Identity> => {
      try {
        const lastUsedAt = isUsed ? now() : null;
        const [created] = await database('identities').insert({ userId, ...identity, lastUsedAt }, IDENTITY);
        return created;
      } catch (error) {
        throw isUniqueViolation(error, 'identities_issuer_subject_key') ? identityTaken() : error;
      }
    },

    /** False if the identity is no longer linked. */
    recordUse: async (id: string, use: Use): Promise<boolean> =>
      (await database('identities')
        .where({ id })
        .update({ ...use, lastUsedAt: now() })) === 1,

    /** Returns its provider; undefined if the user has no such identity. */
    remove: async (userId: string, id: string): Promise<string | undefined> => {
      const [removed] = await database('identities').where({ userId, id }).delete(['provider']);
      return removed?.provider;
    },

    /**
     * Deletes all identities except the one that opened the session of the token record. False if there was
     * none.
     */
    removeOthers: async (userId: string, tokenId: string | undefined): Promise<boolean> => {
      const own = database('token_records as t')
        .where('t.id', tokenId ?? null)
        .whereRaw('(t.provider_issuer, t.provider_subject) = (identities.issuer, identities.subject)');
      return (await database('identities').where({ userId }).whereNotExists(own).delete()) > 0;
    },
  };
};

export type IdentityStore = ReturnType<typeof createIdentityStore>;
