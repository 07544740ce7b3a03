/** How a table moves: the rows of the account, and an expression for each of their columns. */
type MovedTable = { where: string; set: Readonly<Record<string, string>> };

/** `:seconds` is the duration. */
const earlier = (...columns: string[]): Record<string, string> =>
  Object.fromEntries(columns.map((column) => [column, `${column} - make_interval(secs => :seconds)`]));

/**
 * The signature of a token cannot change, so a token that is due loses its id: no record knows it any more. An exchanged
 * refresh token counts as reused until the current one is due, because no record says when it was issued.
 */
const endToken = (token: 'access' | 'refresh'): Record<string, string> => ({
  [`${token}_token_id`]: `case when ${token}_token_expired_at - make_interval(secs => :seconds) <= now()
    then gen_random_uuid() else ${token}_token_id end`,
});

/**
 * An authenticator app reads the real clock, so the step of the last code moves instead, by as many steps as the clock
 * would have passed.
 */
const EARLIER_STEP = `last_used_step
  - (floor((extract(epoch from now()) + :seconds) / 30) - floor(extract(epoch from now()) / 30))::bigint`;

/** While a pause lasts, a sign-in is recorded once for each network. */
const EARLIER_PAUSE = `case when details -> 'pausedUntil' is not null then details || jsonb_build_object('pausedUntil',
  (details ->> 'pausedUntil')::timestamptz - make_interval(secs => :seconds)) else details end`;

const OWN_PROFILES = '(select id from employee_profiles where user_id = :id)';
const OWN_FORMS = (table: string): string => `(select id from ${table} where user_id = :id)`;

/**
 * The limit of platform roles counts by the ADMIN who gives them. All other records about a user are counted and shown
 * for that user.
 */
const OWN_RECORDS = `(actor_id = :id or target_id = :id::text) and case
  when action in ('ADMINISTRATOR_REGISTERED', 'INVITATION_SENT', 'ROLE_ASSIGNED') then coalesce(actor_id, :id) = :id
  when target_type = 'USER' then target_id = :id::text
  else actor_id = :id end`;

/**
 * `:id` is the account, or an invitation whose person has no account yet; `:emails` are its addresses, and `:subjects`
 * the id and the keyed hashes of the addresses. The order is that of all locks.
 */
export const MOVED: Readonly<Record<string, MovedTable>> = {
  users: { where: 'id = :id', set: earlier('created_at', 'updated_at', 'deleted_at', 'last_sign_in_at') },
  user_roles: { where: 'user_id = :id', set: earlier('user_created_at') },
  customer_profiles: { where: 'user_id = :id', set: earlier('created_at', 'updated_at') },
  employee_profiles: { where: 'user_id = :id', set: earlier('created_at', 'updated_at') },
  user_notes: { where: 'user_id = :id', set: earlier('created_at') },
  invitations: { where: 'id = :id or email = any(:emails)', set: earlier('created_at', 'expires_at') },
  sessions: { where: 'user_id = :id', set: earlier('created_at', 'updated_at') },
  session_networks: {
    where: 'session_id in (select id from sessions where user_id = :id)',
    set: earlier('last_seen'),
  },
  token_records: {
    where: 'user_id = :id',
    set: {
      ...earlier('access_token_expired_at', 'refresh_token_expired_at', 'created_at'),
      ...earlier('refreshed_at', 'authenticated_at', 'proved_at'),
      ...endToken('access'),
      ...endToken('refresh'),
    },
  },
  failed_guesses: {
    // The failures of a network at an account begin with the hash of the address.
    where: `split_part(subject, ' ', 1) = any(:subjects)`,
    set: earlier('attempted_at', 'waits_until', 'expires_at'),
  },
  identities: { where: 'user_id = :id', set: earlier('linked_at', 'last_used_at') },
  totp_factors: {
    where: 'user_id = :id',
    set: { ...earlier('enabled_at', 'created_at'), last_used_step: EARLIER_STEP },
  },
  passkeys: { where: 'user_id = :id', set: earlier('created_at', 'last_used_at') },
  projects: { where: 'owner_id = :id', set: earlier('created_at', 'updated_at', 'deleted_at') },
  team_members: { where: `employee_id in ${OWN_PROFILES}`, set: earlier('created_at', 'removed_at') },
  lead_requests: { where: 'user_id = :id', set: earlier('created_at', 'done_at', 'replied_at') },
  support_requests: { where: 'user_id = :id', set: earlier('created_at', 'done_at', 'replied_at') },
  contact_entries: {
    // Replies are limited by author, and notes by form.
    where: `case kind when 'reply' then author_id = :id
      else lead_request_id in ${OWN_FORMS('lead_requests')} or support_request_id in ${OWN_FORMS('support_requests')} end`,
    set: earlier('created_at'),
  },
  mail_outbox: {
    where: 'user_id = :id or invitation_id = :id',
    set: earlier('created_at', 'enqueued_at', 'failed_at'),
  },
  sent_mails: { where: 'user_id = :id', set: earlier('recorded_at') },
  service_mails: { where: 'user_id = :id', set: earlier('created_at') },
  audit_records: { where: OWN_RECORDS, set: { ...earlier('created_at'), details: EARLIER_PAUSE } },
};

const OF_SEVERAL = 'a team belongs to several accounts';
const OF_FEED = 'services read the feed in its order, and it is not deleted by the time of one subject';

/** Columns with a time, or of a type that could have one, that no account's time moves, and why. */
export const KEPT: Readonly<Record<string, string>> = {
  'teams.created_at': OF_SEVERAL,
  'teams.updated_at': OF_SEVERAL,
  'teams.verified_at': OF_SEVERAL,
  'events.occurred_at': OF_FEED,
  'events.recorded_at': OF_FEED,
  'events.data': OF_FEED,
  'events.sequence': 'a number',
  'events.position': 'a number',
  'passkeys.counter': 'a number',
  'mail_outbox.mail': 'a waiting mail says when it was caused, however late it is sent',
  'hourly_counts.hour': 'of all accounts',
  'releases.migrated_at': 'of the platform',
  'knex_migrations.migration_time': 'of the platform',
};
