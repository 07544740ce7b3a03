import type { AuditPosition } from '@platform/shared/platform/audit/audit-position';
import type { Read } from '../lists/lists.ts';
import { toUserName } from '../lists/user-name-scripts.ts';
import type { AuditEntry, AuditFilter } from './audit-log.ts';

/** Each filter has an index in the order of the log. */
const FILTERS = {
  actorId: 'actor_id =',
  action: 'action =',
  targetId: 'target_id =',
  from: 'created_at >=',
  until: 'created_at <',
};

const NEWEST_FIRST = 'order by created_at desc, id desc limit $1';
const toKeys = (conditions: string): string =>
  `select id, created_at from audit_records where (created_at, id) < ($2::timestamptz, $3::uuid) ${conditions} ${NEWEST_FIRST}`;

/** Each half has an index in the order of the log. A record of a user's own account is in both. */
const toKeysOfUser = (conditions: string, user: string): string => `
  select id, created_at from (
    (${toKeys(`${conditions} and actor_id = ${user}::uuid`)})
    union
    (${toKeys(`${conditions} and target_id = ${user}::uuid::text`)})
  ) records ${NEWEST_FIRST}`;

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
/** Null for another type of target, and for an id that is not a UUID, which would be an error otherwise. */
const targetOf = (type: string): string =>
  `case when r.target_type = '${type}' and r.target_id ~ '${UUID}' then r.target_id::uuid end`;

/** The user whom a record names in its details, unless that is its target. */
const CONCERNED = `case when r.details ->> 'userId' ~ '${UUID}' and r.details ->> 'userId' is distinct from r.target_id
    then (r.details ->> 'userId')::uuid end`;

/** The user with the names of both profiles, each in a separate alias. */
const joinUser = (alias: string, id: string): string => `
  left join users ${alias} on ${alias}.id = ${id}
  left join customer_profiles ${alias}_c on ${alias}_c.user_id = ${alias}.id
  left join employee_profiles ${alias}_e on ${alias}_e.user_id = ${alias}.id`;
const toShownName = (alias: string): string =>
  `coalesce(${toUserName(`${alias}_c`, `${alias}_e`, `${alias}.id`)}, ${alias}.email)`;

/** Names are not stored in the records, because they would outlive the account. */
const toPage = (keys: string): string => `
  select r.id, r.action, r.actor_id, actor.email as actor_email, r.target_type, r.target_id,
    coalesce(${toShownName('target')}, project.title, team.name, invitation.email, lead.email, support.email)
      as target_name,
    case when concerned.id is not null
      then json_build_object('id', concerned.id, 'name', ${toShownName('concerned')}) end as "user",
    r.request_id, r.address, r.details, r.created_at,
    to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USZ') as at
  from (${keys}) page
  join audit_records r on r.id = page.id
  left join users actor on actor.id = r.actor_id
  ${joinUser('target', targetOf('USER'))}
  ${joinUser('concerned', CONCERNED)}
  left join projects project on project.id = ${targetOf('PROJECT')}
  left join teams team on team.id = ${targetOf('TEAM')}
  left join invitations invitation on invitation.id = ${targetOf('INVITATION')}
  left join lead_requests lead on lead.id = ${targetOf('CONTACT_REQUEST')}
  left join support_requests support on support.id = ${targetOf('CONTACT_REQUEST')}
  order by r.created_at desc, r.id desc`;

export const createAuditLogStore = (read: Read) => ({
  /** Returns the records before `after`, newest first. */
  list: ({ userId, ...filter }: AuditFilter, after: AuditPosition | undefined, limit: number) => {
    const defined = Object.entries(FILTERS).flatMap(([name, condition]) => {
      const value = filter[name as keyof typeof filter];
      return value === undefined ? [] : { condition, value };
    });
    const values = [limit, after?.at ?? 'infinity', after?.id ?? null, ...defined.map(({ value }) => value)];
    const conditions = defined.map(({ condition }, index) => `and ${condition} $${index + 4}`).join(' ');
    // Not a prepared statement, so that Postgres plans each filter for its values.
    return userId === undefined
      ? read<AuditEntry & AuditPosition>({ text: toPage(toKeys(conditions)), values })
      : read<AuditEntry & AuditPosition>({
          text: toPage(toKeysOfUser(conditions, `$${values.length + 1}`)),
          values: [...values, userId],
        });
  },
});

export type AuditLogStore = ReturnType<typeof createAuditLogStore>;
