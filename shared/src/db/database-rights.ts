/** The group role of each process that uses the database; the login of a process is a member of one of them. */
export const GROUP_ROLES = {
  auth: 'platform_auth',
  admin: 'platform_admin',
  worker: 'platform_worker',
} as const;

export type DatabaseProcess = keyof typeof GROUP_ROLES;

/** The privileges of each process on a table, in the syntax of GRANT. */
type TableRights = Partial<Record<DatabaseProcess, string>>;

// Id and time come from column defaults, so that no process can backdate a record.
const ADD_AUDIT_RECORD = 'insert (action, actor_id, target_type, target_id, request_id, address, details)';
const ADD_MAIL = 'insert (mail, request_id, traceparent)';
// Not created_at, which limits the lifetime of a session.
const TOKENS =
  'access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at, methods';

/**
 * The privileges on every table of the schema; each `npm run migrate` grants them. Those on a partitioned table cover its
 * partitions, which have none. A row lock (`select … for update`) requires UPDATE on a column: a process that only locks rows
 * gets it on a column whose value affects no other process.
 */
export const TABLE_RIGHTS: Record<string, TableRights> = {
  users: {
    auth: 'select, insert (email, password_hash, language), update (email, password_hash, is_email_verified, factor_version, language, updated_at)',
    admin:
      'select (id, email, is_email_verified, is_blocked, factor_version, language, created_at, updated_at, deleted_at), update (is_blocked, factor_version, language, updated_at)',
  },
  user_roles: { auth: 'select, insert (user_id, role)', admin: 'select, delete' },
  customer_profiles: { auth: 'select, insert', admin: 'select' },
  employee_profiles: { auth: 'select, insert', admin: 'select' },

  token_records: {
    auth: `select, insert (user_id, ${TOKENS}), update (${TOKENS}), delete`,
    admin: 'select (id, user_id, access_token_id, refresh_token_expired_at, methods), delete',
    // No statement reads access_token_expired_at: an access token contains its expiry.
    worker: 'select (id, refresh_token_expired_at), update (access_token_expired_at), delete',
  },
  sessions: {
    auth: 'select, insert, update',
    admin: 'select (id, user_id, token_id), update (updated_at)',
    worker: 'select (id, token_id, created_at, updated_at), update (updated_at), delete',
  },
  session_networks: { auth: 'select, insert, update (last_seen), delete' },
  superseded_refresh_tokens: {
    auth: 'select, insert (refresh_token_id, token_id, replaced_by, expired_at)',
    // Only the deletion of old rows reads expired_at.
    worker: 'select (refresh_token_id, superseded_at, expired_at), update (expired_at), delete',
  },

  totp_factors: {
    auth: 'select, insert, update, delete',
    admin: 'select (user_id, enabled_at), delete',
    worker: 'select (user_id, enabled_at, created_at), delete',
  },
  passkeys: { auth: 'select, insert, update, delete', admin: 'select (user_id), delete' },
  failed_guesses: { auth: 'select, insert, update, delete' },
  recovery_codes: { auth: 'select, insert, delete', admin: 'select (user_id), delete' },

  projects: {
    admin: 'select, update (title, description, category, updated_at, deleted_at, deleted_by)',
  },
  teams: { admin: 'select, insert, update (status, verified_at, updated_at)' },
  team_members: { admin: 'select, update (status, removed_at)' },

  lead_requests: { admin: 'insert', worker: 'select (id, created_at), delete' },
  support_requests: { admin: 'insert', worker: 'select (id, created_at), delete' },
  mail_outbox: {
    auth: ADD_MAIL,
    admin: ADD_MAIL,
    worker: 'select, update (enqueued_at, failed_at, failure), delete',
  },
  // Append-only; only the retention job deletes.
  audit_records: {
    // Limits count recent records.
    auth: `select (id, target_id, action, created_at), ${ADD_AUDIT_RECORD}`,
    admin: `select, ${ADD_AUDIT_RECORD}`,
    worker: 'select (id, created_at), delete',
  },

  // Written by `security definer` triggers and functions.
  user_totals: { admin: 'select' },
  project_totals: { admin: 'select' },
  team_totals: { admin: 'select' },
  audit_totals: { admin: 'select' },
  audit_days: {},
  audit_day_totals: { admin: 'select' },

  knex_migrations: { auth: 'select', admin: 'select', worker: 'select' },
  knex_migrations_lock: {},
};

/** The processes that may call a function which runs with the rights of the owner. Triggers need no such right. */
export const FUNCTION_RIGHTS: Record<string, readonly DatabaseProcess[]> = {
  'add_next_partition(text)': ['worker'],
  'drop_expired_audit_partition(integer)': ['worker'],
  'drop_expired_token_partition()': ['worker'],
  'repair_totals(text)': ['worker'],
  'store_next_audit_day_totals()': ['worker'],
  'repair_audit_day_totals()': ['worker'],
  'delete_account(uuid)': ['auth'],
  'export_account(uuid)': ['auth'],
};
