import { toUserName } from '../lists/user-name-scripts.ts';

// Columns and joins of the statements that read users `u`.

export const ROLES = 'array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles';

/** Joins a user's two profiles under the aliases that USER_COLUMNS uses. */
export const PROFILES =
  'left join customer_profiles c on c.user_id = u.id left join employee_profiles e on e.user_id = u.id';

/** The latest block, which the audit log keeps for `AUDIT_RETENTION_DAYS`. */
export const LATEST_BLOCK = `select b.created_at, b.actor_id from audit_records b
  where b.target_id = u.id::text and b.action = 'USER_BLOCKED' order by b.created_at desc, b.id desc limit 1`;

const BLOCKED_AT = `case when u.is_blocked then (select latest.created_at from (${LATEST_BLOCK}) latest) end as blocked_at`;

const TOTP =
  'exists (select from totp_factors f where f.user_id = u.id and f.enabled_at is not null) as totp';

/** Requires the aliases of PROFILES. */
export const USER_COLUMNS = `u.id, u.email, ${toUserName('c', 'e', 'u.id')} as name, u.is_blocked, ${BLOCKED_AT},
  u.is_email_verified, ${ROLES}, ${TOTP}, u.is_second_step_on, u.last_sign_in_at, u.created_at, u.updated_at`;
