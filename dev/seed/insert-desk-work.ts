import type pg from 'pg';
import { DEMO_EDITS, DEMO_FAILED_MAILS, DEMO_INVITATIONS, DEMO_NOTES } from './demo-desk.ts';

const REQUEST = 'gen_random_uuid()::text';
const DAYS = `"daysAgo" * interval '1 day'`;

const INSERT_BLOCKS = `
  with block as (
    select u.id as user_id, author.id as author_id, b.text, greatest(now() - ${DAYS}, u.created_at + interval '1 day') as at
    from jsonb_to_recordset($1) as b(email text, text text, author text, "daysAgo" float8)
      join users u on u.email = b.email and u.is_blocked
      join users author on author.email = b.author
  ), note as (
    insert into user_notes (user_id, author_id, text, created_at)
    select user_id, author_id, text, at + interval '1 second' from block returning id, user_id, author_id, created_at
  )
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
  select 'USER_BLOCKED', author_id, 'USER', user_id::text, ${REQUEST}, '198.51.100.4', '{}'::jsonb, at from block
  union all select 'USER_NOTE_ADDED', author_id, 'USER', user_id::text, ${REQUEST}, '198.51.100.4',
    jsonb_build_object('noteId', id), created_at from note`;

const INSERT_NOTES = `
  with note as (
    insert into user_notes (user_id, author_id, text, created_at)
    select u.id, author.id, n.text, now() - ${DAYS}
    from jsonb_to_recordset($1) as n(email text, text text, author text, "daysAgo" float8)
      join users u on u.email = n.email join users author on author.email = n.author
    returning id, user_id, author_id, created_at
  )
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
  select 'USER_NOTE_ADDED', author_id, 'USER', user_id::text, ${REQUEST}, '198.51.100.4',
    jsonb_build_object('noteId', id), created_at from note`;

const INSERT_EDITS = `
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
  select 'PROJECT_EDITED', author.id, 'PROJECT', p.id::text, ${REQUEST}, '198.51.100.4', jsonb_build_object(
      'fields', jsonb_build_array(e.field), 'changes', jsonb_build_object(e.field, jsonb_build_object('from', e."from",
      'to', case e.field when 'title' then p.title else p.category end))), now() - ${DAYS}
  from jsonb_to_recordset($1) as e(title text, field text, "from" text, author text, "daysAgo" float8)
    join projects p on p.title = e.title join users author on author.email = e.author`;

const INSERT_INVITATIONS = `
  with invitation as (
    insert into invitations (email, role, language, code_hash, invited_by, created_at, expires_at)
    select i.email, i.role, i.language, gen_random_uuid()::text, author.id, now() - ${DAYS},
      now() - ${DAYS} + interval '7 days'
    from jsonb_to_recordset($1) as i(email text, role text, language text, author text, "daysAgo" float8)
      join users author on author.email = i.author
    on conflict do nothing returning id, role, invited_by, created_at
  ), sent as (
    insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
    select 'INVITATION_SENT', invited_by, 'INVITATION', id::text, ${REQUEST}, '198.51.100.4',
      jsonb_build_object('role', role), created_at from invitation
  )
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
  select 'INVITATION_ACCEPTED', accepted.id, 'INVITATION', gen_random_uuid()::text, ${REQUEST}, '198.51.100.31',
    jsonb_build_object('role', r.role, 'invitedBy', admin.id), now() - interval '58 days'
  from users accepted join user_roles r on r.user_id = accepted.id and r.role = 'OPERATOR'
    join users admin on admin.email = $2`;

/** Two mails that the mail server has refused. Notices about devices and passwords can be sent once more. */
const INSERT_FAILED_MAILS = `
  insert into mail_outbox (mail, request_id, created_at, enqueued_at, failed_at, failure, attempts, user_id)
  select jsonb_build_object('template', m.template, 'to', u.email, 'language', 'en', 'isEmailVerified', true) ||
      case m.template when 'new-device' then jsonb_build_object('signedInAt', at, 'address', '203.0.113.7',
        'userAgent', null, 'methods', '["password"]'::jsonb) else jsonb_build_object('changedAt', at) end,
    ${REQUEST}, at, at, at + interval '2 minutes', m.failure, m.attempts, u.id
  from jsonb_to_recordset($1) as m(email text, template text, failure text, attempts int, "daysAgo" float8)
    join users u on u.email = m.email
    cross join lateral (select now() - ${DAYS} as at) as t`;

type Block = { email: string; text: string; author: string; daysAgo: number };

/** Inserts what administrators have done to people and projects, and what waits for them. */
export const insertDeskWork = async (
  client: pg.Client,
  blocks: readonly Block[],
  administrator: string,
): Promise<void> => {
  const insert = (text: string, rows: readonly object[], ...others: unknown[]) =>
    client.query(text, [JSON.stringify(rows), ...others]);
  await insert(INSERT_BLOCKS, blocks);
  await insert(INSERT_NOTES, DEMO_NOTES);
  await insert(INSERT_EDITS, DEMO_EDITS);
  await insert(INSERT_INVITATIONS, DEMO_INVITATIONS, administrator);
  await insert(INSERT_FAILED_MAILS, DEMO_FAILED_MAILS);
};
