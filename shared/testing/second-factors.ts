import { randomUUID } from 'node:crypto';
import type { Records } from './records.ts';

/**
 * Adds an authenticator app that cannot be used, a passkey and two recovery codes, for tests that only delete
 * or count them.
 */
export const addSecondFactor = async ({ query }: Records, userId: string): Promise<void> => {
  await query("insert into totp_factors (user_id, sealed_secret, enabled_at) values ($1, 'sealed', now())", [
    userId,
  ]);
  await query(
    `insert into passkeys (user_id, credential_id, public_key, counter, name) values ($1, $2, '\\x00', 0, 'Key')`,
    [userId, randomUUID()],
  );
  await query("insert into recovery_codes (user_id, code_hash) values ($1, 'one'), ($1, 'two')", [userId]);
  await query('update users set factor_version = factor_version + 1 where id = $1', [userId]);
};

type FactorCounts = { totp: number; passkeys: number; recoveryCodes: number; version: number };

export const countFactors = async ({ query }: Records, userId: string): Promise<FactorCounts> => {
  const [counts] = await query<FactorCounts>(
    `select (select count(*) from totp_factors where user_id = u.id)::int as totp,
       (select count(*) from passkeys where user_id = u.id)::int as passkeys,
       (select count(*) from recovery_codes where user_id = u.id)::int as "recoveryCodes", factor_version as version
     from users u where id = $1`,
    [userId],
  );
  if (!counts) throw new Error('There is no such user');
  return counts;
};
