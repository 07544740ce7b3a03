import { type Database, query } from '@platform/shared/db/database';

export type SealedSecret = { userId: string; sealedSecret: string };

/** The encrypted secrets of authenticator apps, for the rotation of their key. */
export const createSealedSecretStore = (database: Database) => ({
  /** In the order of users, after the given one. */
  list: (afterUserId: string, limit: number): Promise<SealedSecret[]> =>
    query<SealedSecret>(database, {
      name: 'sealed-secrets',
      text: 'select user_id, sealed_secret from totp_factors where user_id > $1 order by user_id limit $2',
      values: [afterUserId, limit],
    }),

  /** Changes nothing when the user has used or replaced the secret meanwhile. */
  replace: async ({ userId, sealedSecret }: SealedSecret, replacement: string): Promise<void> => {
    await query(database, {
      name: 'replace-sealed-secret',
      text: 'update totp_factors set sealed_secret = $3 where user_id = $1 and sealed_secret = $2',
      values: [userId, sealedSecret, replacement],
    });
  },
});

export type SealedSecretStore = ReturnType<typeof createSealedSecretStore>;
