import { PLATFORM_ROLES } from '@platform/shared/access/platform-role';
import type pg from 'pg';
import type { RecordedChange, RepeatedAction } from './recorded-changes.ts';

/** As in /etc/shadow: not a bcrypt hash, so no password matches. A reset by code replaces it, also that of an account without a password. */
const UNUSABLE_HASH = '!';

const DISABLE_PASSWORD = `update users set password_hash = '${UNUSABLE_HASH}', updated_at = now() where id = $1`;
const NEW_FACTOR_VERSION = 'update users set factor_version = factor_version + 1 where id = $1';
const REMOVE_TOTP = 'delete from totp_factors where user_id = $1';
const REMOVE_PASSKEYS = 'delete from passkeys where user_id = $1';
const REMOVE_IDENTITIES = 'delete from identities where user_id = $1';
const REMOVE_RECOVERY_CODES = 'delete from recovery_codes where user_id = $1';
const REMOVE_UNNEEDED_RECOVERY_CODES = `${REMOVE_RECOVERY_CODES}
  and not exists (select from totp_factors t where t.user_id = $1 and t.enabled_at is not null)
  and not exists (select from passkeys p where p.user_id = $1)`;

const FACTOR_CHANGED = [DISABLE_PASSWORD, REMOVE_IDENTITIES, NEW_FACTOR_VERSION];
const NO_FACTORS = [REMOVE_TOTP, REMOVE_PASSKEYS, REMOVE_RECOVERY_CODES, ...FACTOR_CHANGED];

/**
 * A log line does not contain the change itself. A factor that was added is lost, and the password or an identity alone must not
 * open the account; of factors that were removed or replaced, all of the kind are removed.
 */
export const STATEMENTS: Record<RepeatedAction, readonly string[]> = {
  USER_BLOCKED: ['update users set is_blocked = true, updated_at = now() where id = $1'],
  USER_UNBLOCKED: ['update users set is_blocked = false, updated_at = now() where id = $1'],
  PASSWORD_CHANGED: [DISABLE_PASSWORD],
  PASSWORD_RESET: [DISABLE_PASSWORD],
  ROLE_REMOVED: [`delete from user_roles where user_id = $1 and role in ('${PLATFORM_ROLES.join("', '")}')`],
  TOTP_ENABLED: FACTOR_CHANGED,
  TOTP_DISABLED: [REMOVE_TOTP, REMOVE_UNNEEDED_RECOVERY_CODES, ...FACTOR_CHANGED],
  PASSKEY_ADDED: FACTOR_CHANGED,
  PASSKEY_REMOVED: [REMOVE_PASSKEYS, REMOVE_UNNEEDED_RECOVERY_CODES, ...FACTOR_CHANGED],
  RECOVERY_CODES_REPLACED: [REMOVE_RECOVERY_CODES, ...FACTOR_CHANGED],
  // Which one is unknown. The others may be the only way in for a user without the other factors.
  RECOVERY_CODE_USED: FACTOR_CHANGED,
  SECOND_FACTOR_RESET: NO_FACTORS,
  // A log line does not name the identity.
  IDENTITY_UNLINKED: [REMOVE_IDENTITIES],
  // The new address is unknown, and whoever has the mailbox of the old one could reset the password: blockUsers.
  EMAIL_CHANGED: [DISABLE_PASSWORD],
  // For an account that cannot be deleted: deleteAccount.
  ACCOUNT_DELETED: NO_FACTORS,
};

export const disablesPassword = (statement: string): boolean => statement === DISABLE_PASSWORD;

/** @returns what prevents the deletion in the state of the restored database, else null */
export const deleteAccount = async (client: pg.Client, userId: string): Promise<string | null> => {
  const { rows } = await client.query<{ obstacle: string | null }>('select delete_account($1) as obstacle', [
    userId,
  ]);
  return rows[0]?.obstacle ?? null;
};

export const BLOCK = `
  with found as (
    select id, email, is_blocked from users where id = $1 and email is not null
  ), blocked as (
    update users u set is_blocked = true, updated_at = now() from found
    where u.id = found.id and not found.is_blocked returning u.id
  ), recorded as (
    insert into audit_records (action, target_type, target_id, request_id, address, details)
    select 'USER_BLOCKED', 'USER', id, 'restore-secure', 'command line', jsonb_build_object('reason', $2::text) from blocked
  )
  select email from found`;

/**
 * Restored, or inserted by an earlier run. Clients may repeat request ids, so the time must be similar; it differs because
 * the log line is written after the commit.
 */
export const isKnown = async (
  client: pg.Client,
  { action, userId, requestId, time }: RecordedChange,
): Promise<boolean> => {
  const { rowCount } = await client.query(
    `select 1 from audit_records a
     where a.target_id = $1 and a.action = $2 and a.request_id = $3
       and coalesce((a.details->>'repeatedFrom')::timestamptz, a.created_at)
         between $4::timestamptz - interval '1 minute' and $4::timestamptz + interval '1 minute'`,
    [userId, action, requestId, time],
  );
  return rowCount !== 0;
};

export const insertAuditRecord = async (
  client: pg.Client,
  { action, actorId, userId, requestId, address, time }: RecordedChange,
): Promise<void> => {
  await client.query(
    `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details)
     values ($1, $2, 'USER', $3, $4, $5, jsonb_build_object('repeatedFrom', $6::text))`,
    [action, actorId, userId, requestId, address, time],
  );
};
