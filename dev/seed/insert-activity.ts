import type pg from 'pg';
import { ANNA, BLOCK_REASONS, MARIA } from './demo-desk.ts';
import { demoAccounts, demoPeople } from './demo-people.ts';
import { type DemoRecord, listSignIns, type SigningIn } from './demo-sign-ins.ts';
import { insertDeskWork } from './insert-desk-work.ts';
import { insertRequests } from './insert-requests.ts';

// What has happened in the back office, by the same tables and with the same records as in life. Statements skip
// what they do not find: an account may have existed before.

const REQUEST = 'gen_random_uuid()::text';

/** The user's own records, in the order of their times, so that the ids sort as the times do. */
const INSERT_RECORDS = `
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
  select r.action, actor.id, case when target.id is not null then 'USER' end, target.id::text, ${REQUEST}, r.address,
    r.details, r.at
  from jsonb_to_recordset($1) as r(action text, actor text, target text, address text, details jsonb, at timestamptz)
    left join users actor on actor.email = r.actor
    left join users target on target.email = r.target
  where r.target is null or target.id is not null
  order by r.at`;

const UPDATE_LAST_SIGN_INS = `
  update users set last_sign_in_at = latest.at
  from (select target_id, max(created_at) as at from audit_records where action = 'SIGNED_IN' group by 1) latest
  where users.id::text = latest.target_id`;

// Customers and employees who stay signed in on the device of their last sign-in.
const INSERT_SESSIONS = `
  with latest as (
    select distinct on (target_id) target_id::uuid as user_id, created_at, address, details ->> 'userAgent' as user_agent
    from audit_records where action = 'SIGNED_IN' and details ->> 'kind' <> 'administrator'
      and created_at > now() - interval '12 days'
    order by target_id, created_at desc
  ), token as (
    insert into token_records (user_id, access_token_id, access_token_expired_at, refresh_token_id,
      refresh_token_expired_at, methods, user_agent, created_at, stays_signed_in)
    select user_id, gen_random_uuid(), latest.created_at + interval '15 minutes', gen_random_uuid(),
      latest.created_at + interval '30 days', '{password}', user_agent, latest.created_at, true
    from latest join users on users.id = user_id and not is_blocked
    returning id, user_id
  )
  insert into sessions (user_id, token_id, fingerprint, ip, created_at, updated_at)
  select token.user_id, token.id, token.id::text, latest.address, latest.created_at, latest.created_at
  from token join latest using (user_id)`;

const INSERT_REGISTRATIONS = `
  with registered as (
    select u.id, u.created_at, u.is_email_verified, r.role, lower(r.role) as kind
    from users u join user_roles r on r.user_id = u.id where r.role in ('CUSTOMER', 'EMPLOYEE')
  )
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
  select action, actor_id, 'USER', id::text, ${REQUEST}, '203.0.113.9', details, at
  from registered cross join lateral (
    values ('ACCOUNT_REGISTERED', null::uuid, jsonb_build_object('kind', kind, 'role', role, 'isEmailVerified', false),
        created_at),
      ('EMAIL_VERIFIED', id, jsonb_build_object('kind', kind), created_at + interval '3 minutes')
  ) as record (action, actor_id, details, at)
  where action = 'ACCOUNT_REGISTERED' or is_email_verified
  order by at`;

/** The projects and teams came from a service, and administrators verified and deleted some. */
const INSERT_OBJECT_RECORDS = `
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
  select action, actor_id, target_type, id::text, ${REQUEST}, address, details, at from (
    select 'TEAM_CREATED' as action, null::uuid as actor_id, 'TEAM' as target_type, id, '10.0.0.12' as address,
      '{"service": "projects"}'::jsonb as details, created_at as at from teams
    union all select 'TEAM_VERIFIED', admin.id, 'TEAM', teams.id, '198.51.100.4', '{}', verified_at
      from teams join users admin on admin.email = case when length(slug) % 2 = 0 then $1 else $2 end
      where verified_at is not null
    union all select 'PROJECT_CREATED', null, 'PROJECT', id, '10.0.0.12', jsonb_build_object('service', 'projects',
      'ownerId', owner_id, 'status', 'DRAFT', 'contractingStage', null), created_at from projects
    union all select 'PROJECT_STATUS_CHANGED', null, 'PROJECT', id, '10.0.0.12', jsonb_build_object('service', 'projects',
      'status', status, 'contractingStage', contracting_stage, 'from',
      '{"status": "DRAFT", "contractingStage": null}'::jsonb), updated_at from projects where status <> 'DRAFT'
    union all select 'PROJECT_DELETED', deleted_by, 'PROJECT', id, '198.51.100.4', '{}', deleted_at
      from projects where deleted_at is not null
  ) records order by at`;

/** The mails of the last 30 days: codes after a sign-up, notices of new devices. */
const INSERT_SENT_MAILS = `
  insert into sent_mails (user_id, mail, recipient, state, recorded_at)
  select u.id, case r.action when 'ACCOUNT_REGISTERED' then 'verification-code' else 'new-device' end, u.email, 'sent',
    r.created_at + interval '4 seconds'
  from audit_records r join users u on u.id::text = r.target_id
  where r.created_at > now() - interval '30 days' and (r.action = 'ACCOUNT_REGISTERED'
    or (r.action = 'SIGNED_IN' and (r.details ->> 'isNewDevice')::boolean and u.created_at < r.created_at - interval '1 day'))
  order by r.created_at`;

const KINDS = { CUSTOMER: 'customer', EMPLOYEE: 'employee' } as const;

const blockedPeople = demoPeople.filter(({ isBlocked }) => isBlocked);
const blocks = blockedPeople.flatMap(({ email }, index) => {
  const reason = BLOCK_REASONS[index % BLOCK_REASONS.length];
  return reason ? [{ email, ...reason }] : [];
});

const listPeople = (): SigningIn[] => [
  ...demoAccounts.map(({ email, role, totpSecret }) => ({
    email,
    kind: role === 'CUSTOMER' || role === 'EMPLOYEE' ? KINDS[role] : ('administrator' as const),
    methods: totpSecret ? ['password', 'totp'] : ['password'],
    daysAgo: 365,
    blockedDaysAgo: undefined,
  })),
  ...demoPeople.map(({ email, role, daysAgo }) => ({
    email,
    kind: KINDS[role],
    methods: ['password'],
    daysAgo,
    blockedDaysAgo: blocks.find((block) => block.email === email)?.daysAgo,
  })),
];

/** Inserts ninety days of sign-ins, and what the administrators have done since. */
export const insertActivity = async (client: pg.Client): Promise<void> => {
  await client.query(INSERT_REGISTRATIONS);
  const signIns: DemoRecord[] = listSignIns(listPeople(), Date.now());
  await client.query(INSERT_RECORDS, [JSON.stringify(signIns)]);
  await client.query(UPDATE_LAST_SIGN_INS);
  await client.query(INSERT_SESSIONS);
  await client.query(INSERT_OBJECT_RECORDS, [ANNA, MARIA]);
  await insertDeskWork(client, blocks);
  await client.query(INSERT_SENT_MAILS);
  await insertRequests(client, ANNA);
};
