import { createHash } from 'node:crypto';
import { type Database, query } from '@platform/shared/db/database';
import type { TotpSecret } from './second-factor.ts';

export type ListedPasskey = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };
export type SecondFactorState = { totpEnabledAt: Date | null; recoveryCodesLeft: number };
type TotpFactor = TotpSecret & { isEnabled: boolean };

/** Users copy codes in capitals, and without the dashes or with spaces. */
const normalise = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '');

/** No key is needed: a plain hash of 120 random bits cannot be reversed (OWASP ASVS 5.0, 6.5.2). */
const hashRecoveryCode = (userId: string, code: string): string =>
  createHash('sha256')
    .update(`${userId}:${normalise(code)}`)
    .digest('hex');

export const createSecondFactorStore = (database: Database) => {
  const run = async (name: string, text: string, ...values: unknown[]): Promise<number> =>
    (await query(database, { name, text, values })).length;

  return {
    /** Recovery codes are no factor of their own. */
    isEnabled: async (userId: string): Promise<boolean> =>
      (await run(
        'second-factor-enabled',
        `select 1 from totp_factors where user_id = $1 and enabled_at is not null
          union all select 1 from passkeys where user_id = $1 limit 1`,
        userId,
      )) > 0,

    findState: async (userId: string): Promise<SecondFactorState> => {
      const [row] = await query<SecondFactorState>(database, {
        name: 'second-factor-state',
        text: `select (select enabled_at from totp_factors where user_id = $1) as totp_enabled_at,
          (select count(*)::int from recovery_codes where user_id = $1) as recovery_codes_left`,
        values: [userId],
      });
      if (!row) throw new Error('The state has one row');
      return row;
    },

    listPasskeys: (userId: string): Promise<ListedPasskey[]> =>
      query<ListedPasskey>(database, {
        name: 'passkeys-of-user',
        text: 'select id, name, created_at, last_used_at from passkeys where user_id = $1 order by created_at, id',
        values: [userId],
      }),

    findTotp: async (userId: string): Promise<TotpFactor | undefined> => {
      const [factor] = await query<TotpFactor>(database, {
        name: 'totp-factor',
        text: `select sealed_secret, last_used_step::int, enabled_at is not null as is_enabled
          from totp_factors where user_id = $1`,
        values: [userId],
      });
      return factor;
    },

    /** Replaces another pending secret; false when TOTP is enabled. */
    setPendingTotp: async (userId: string, sealedSecret: string): Promise<boolean> =>
      (await run(
        'set-pending-totp',
        `insert into totp_factors as f (user_id, sealed_secret) values ($1, $2)
          on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = now()
          where f.enabled_at is null returning 1`,
        userId,
        sealedSecret,
      )) === 1,

    /** Records the use of a code, which enables a pending factor. */
    useTotp: async (userId: string, sealedSecret: string, step: number): Promise<void> => {
      await run(
        'use-totp',
        `update totp_factors set sealed_secret = $2, last_used_step = $3, enabled_at = coalesce(enabled_at, now())
          where user_id = $1`,
        userId,
        sealedSecret,
        step,
      );
    },

    /** False when TOTP was not enabled; a pending secret is removed too. */
    removeTotp: async (userId: string): Promise<boolean> => {
      const [removed] = await query<{ isEnabled: boolean }>(database, {
        name: 'remove-totp',
        text: 'delete from totp_factors where user_id = $1 returning enabled_at is not null as is_enabled',
        values: [userId],
      });
      return removed?.isEnabled === true;
    },

    /** Stores only hashes. */
    replaceRecoveryCodes: async (userId: string, codes: string[]): Promise<void> => {
      await run('remove-recovery-codes', 'delete from recovery_codes where user_id = $1', userId);
      const insert = 'insert into recovery_codes (user_id, code_hash) select $1, unnest($2::text[])';
      const hashes = codes.map((code) => hashRecoveryCode(userId, code));
      await run('add-recovery-codes', insert, userId, hashes);
    },

    /** True for one of concurrent calls. */
    useRecoveryCode: async (userId: string, code: string): Promise<boolean> =>
      (await run(
        'use-recovery-code',
        'delete from recovery_codes where user_id = $1 and code_hash = $2 returning 1',
        userId,
        hashRecoveryCode(userId, code),
      )) === 1,

    /** Called after a factor is removed: the codes replace a factor, so they end with the last one. */
    removeUnneededRecoveryCodes: async (userId: string): Promise<void> => {
      await run(
        'remove-unneeded-recovery-codes',
        `delete from recovery_codes where user_id = $1
          and not exists (select 1 from totp_factors where user_id = $1 and enabled_at is not null)
          and not exists (select 1 from passkeys where user_id = $1)`,
        userId,
      );
    },

    /** Also a set-up that is not confirmed. True when there was a factor or a recovery code. */
    removeAll: async (userId: string): Promise<boolean> =>
      (await run(
        'remove-all-factors',
        `with t as (delete from totp_factors where user_id = $1 returning enabled_at),
          p as (delete from passkeys where user_id = $1 returning 1),
          c as (delete from recovery_codes where user_id = $1 returning 1)
        select 1 from t where enabled_at is not null union all select 1 from p union all select 1 from c`,
        userId,
      )) > 0,

    /** Makes waiting sign-ins and pending changes invalid. */
    raiseVersion: async (userId: string): Promise<void> => {
      await run(
        'raise-factor-version',
        'update users set factor_version = factor_version + 1, updated_at = now() where id = $1',
        userId,
      );
    },
  };
};
