import type { Database } from '@platform/shared/db/database';
import type { Identity } from './oidc.ts';

const IDENTITY = ['id', 'provider', 'email', 'linkedAt', 'lastUsedAt'];

export const createIdentityStore = (database: Database) => ({
  /** The oldest first. */
  listByUser: async (userId: string): Promise<Identity[]> =>
    await database('identities').where({ userId }).orderBy(['linkedAt', 'id']).select(IDENTITY),
});
