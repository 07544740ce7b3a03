import type { AuditPosition } from '@platform/shared/platform/audit/audit-position';
import type { Read } from '../lists/lists.ts';
import { toUserName } from '../lists/user-name-scripts.ts';
import type { AuditEntry, AuditFilter } from './audit-log.ts';

/** The condition of each filter with its value; those of a person or thing have an index in the order of the log. */
const FILTERS = {
  actorId: (value: string) => `actor_id = ${value}`,
  action: (value: string) => `action = any(${value}::text[])`,
  targetId: (value: string) => `target_id = ${value}`,
  from: (value: string) => `created_at >= ${value}`,
};
/** A partial index has this condition. */
const NO_SIGN_INS = "and action not in ('SIGNED_IN', 'SIGN_IN_FAILED', 'PAUSED')";

/**
 * The earlier of the position $2, $3 and the end $4. With an end as another condition, Postgres would read all
 * newer records. No id is before null, so only earlier times are before the end.
 */
const START = '(least($2::timestamptz, $4::timestamptz), case when $2 < $4 then $3::uuid end)';
const NEWEST_FIRST = 'order by created_at desc, id desc limit $1';
const toKeys = (conditions: string): string =>
  `select id, created_at from audit_records where (created_at, id) < ${START} ${conditions} ${NEWEST_FIRST}`;

/** The newest of each action, by the index of actions: of a rare one, the newest may be a million records back. */
const toKeysOfActions = (conditions: string, actions: string): string => `
  select found.id, found.created_at from unnest(${actions}::text[]) as wanted (action)
  cross join lateral (${toKeys(`${conditions} and audit_records.action = wanted.action`)}) found ${NEWEST_FIRST}`;

/** Each part has an index in the order of the log. A record of a user's own account is in two of them. */
const toKeysOfUser = (conditions: string, user: string): string => `
  select id, created_at from (
    (${toKeys(`${conditions} and actor_id = ${user}::uuid`)})
    union
    (${toKeys(`${conditions} and target_id = ${user}::uuid::text`)})
    union
    (${toKeys(`${conditions} and details ->> 'userId' = ${user}::uuid::text`)})
  ) records ${NEWEST_FIRST}`;

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
/** Null for another type of target, and for an id that is not a UUID, which would be an error otherwise. */
const targetOf = (type: string): string =>
  `case when r.target_type = '${type}' and r.target_id ~ '${UUID}' then r.target_id::uuid end`;

/** The user whom a record names in its details, unless that is its target. */
const toConcerned = (id: string): string =>
  `case when ${id} ~ '${UUID}' and ${id} is distinct from r.target_id then (${id})::uuid end`;
const CONCERNED = toConcerned("coalesce(r.details ->> 'userId', r.details ->> 'invitedBy')");

/** The user with the names of both profiles, each in a separate alias. */
const joinUser = (alias: string, id: string): string => `
  left join users ${alias} on ${alias}.id = ${id}
  left join customer_profiles ${alias}_c on ${alias}_c.user_id = ${alias}.id
  left join employee_profiles ${alias}_e on ${alias}_e.user_id = ${alias}.id`;
const toShownName = (alias: string): string =>
  `coalesce(${toUserName(`${alias}_c`, `${alias}_e`, `${alias}.id`)}, ${alias}.email)`;

/**
 * The name of a mail and its recipient, masked like `maskAddress` does. The outbox has the mail until it is sent;
 * afterwards, the user has the present address.
 */
const MAIL_NAME = `case when r.target_type = 'MAIL' then nullif(concat_ws(' ', r.details ->> 'mail',
    regexp_replace(coalesce(mail.mail ->> 'to', concerned.email), '^(.{0,1}).*@', '\\1…@')), '') end`;

/** Names are not stored in the records, because they would outlive the account. */
const toPage = (keys: string): string => `
  select r.id, r.action, r.actor_id, actor.email as actor_email,
    ${toUserName('actor_c', 'actor_e', 'actor.id')} as actor_name,
    (select min(role) from user_roles where user_id = r.actor_id and role in ('ADMIN', 'OPERATOR', 'ARBITER'))
      as actor_platform_role, r.target_type, r.target_id,
    coalesce(${toShownName('target')}, project.title, team.name, invitation.email,
      case when r.target_type = 'INVITATION' then r.details ->> 'recipient' end, lead.email, support.email, ${MAIL_NAME})
      as target_name,
    case when concerned.id is not null
      then json_build_object('id', concerned.id, 'name', ${toShownName('concerned')}) end as "user",
    r.request_id, r.address, r.details, r.created_at,
    to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USZ') as at
  from (${keys}) page
  join audit_records r on r.id = page.id
  ${joinUser('actor', 'r.actor_id')}
  ${joinUser('target', targetOf('USER'))}
  ${joinUser('concerned', CONCERNED)}
  left join projects project on project.id = ${targetOf('PROJECT')}
  left join teams team on team.id = ${targetOf('TEAM')}
  left join invitations invitation on invitation.id = ${targetOf('INVITATION')}
  left join mail_outbox mail on mail.id = ${targetOf('MAIL')}
  left join lead_requests lead on lead.id = ${targetOf('CONTACT_REQUEST')}
  left join support_requests support on support.id = ${targetOf('CONTACT_REQUEST')}
  order by r.created_at desc, r.id desc`;

export const createAuditLogStore = (read: Read) => ({
  /** Returns the records before `after`, newest first. */
  list: (query: AuditFilter, after: AuditPosition | undefined, limit: number) => {
    const { userId, hideSignIns, until, ...others } = query;
    // A person or thing has few records; without one, each action is looked up.
    const isOfActions = others.action !== undefined && !(userId ?? others.actorId ?? others.targetId);
    const { action, ...rest } = others;
    const filter: Partial<Record<keyof typeof FILTERS, unknown>> = isOfActions ? rest : others;
    const defined = Object.entries(FILTERS).flatMap(([name, condition]) => {
      const value = filter[name as keyof typeof FILTERS];
      return value === undefined ? [] : { condition, value };
    });
    const start = [after?.at ?? 'infinity', after?.id ?? null, until ?? 'infinity'];
    const values = [limit, ...start, ...defined.map(({ value }) => value)];
    const conditions = [
      ...(hideSignIns ? [NO_SIGN_INS] : []),
      ...defined.map(({ condition }, index) => `and ${condition(`$${index + 5}`)}`),
    ].join(' ');
    const last = `$${values.length + 1}`;
    // Not a prepared statement, so that Postgres plans each filter for its values.
    const readPage = (keys: string, ...more: unknown[]) =>
      read<AuditEntry & AuditPosition>({ text: toPage(keys), values: [...values, ...more] });
    if (userId !== undefined) return readPage(toKeysOfUser(conditions, last), userId);
    return isOfActions
      ? readPage(toKeysOfActions(conditions, last), [...new Set(action)])
      : readPage(toKeys(conditions));
  },

  find: async (id: string) => {
    const text = toPage('select id from audit_records where id = $1');
    return (await read<AuditEntry & AuditPosition>({ name: 'audit-record', text, values: [id] }))[0];
  },
});

export type AuditLogStore = ReturnType<typeof createAuditLogStore>;
