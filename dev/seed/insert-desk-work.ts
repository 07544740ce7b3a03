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

/** Notes, some of which are about an action. */
const INSERT_NOTES = `
  with described as (
    select u.id as user_id, author.id as author_id, n.text, n.action, now() - ${DAYS} as at
    from jsonb_to_recordset($1) as n(email text, text text, action text, author text, "daysAgo" float8)
      join users u on u.email = n.email join users author on author.email = n.author
  ), note as (
    insert into user_notes (user_id, author_id, text, created_at)
    select user_id, author_id, text, at from described returning id, user_id, author_id, created_at
  )
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
  select action, author_id, 'USER', user_id::text, ${REQUEST}, '198.51.100.4', '{}'::jsonb, at - interval '2 minutes'
    from described where action is not null
  union all select 'USER_NOTE_ADDED', author_id, 'USER', user_id::text, ${REQUEST}, '198.51.100.4',
    jsonb_build_object('noteId', id), created_at from note`;

const INSERT_EDITS = `
  with edit as (
    select p.id, author.id as author_id, e.*, case e.field when 'title' then p.title else p.category end as "to",
      greatest(now() - ${DAYS}, p.created_at + interval '2 hours') as at
    from jsonb_to_recordset($1) as e("ofTitle" text, field text, "from" text, author text, "daysAgo" float8)
      join projects p on p.title = e."ofTitle" join users author on author.email = e.author
  ), changed as (
    update projects set updated_at = greatest(updated_at, edit.at) from edit where projects.id = edit.id
  )
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
  select 'PROJECT_EDITED', author_id, 'PROJECT', id::text, ${REQUEST}, '198.51.100.4', jsonb_build_object(
      'fields', jsonb_build_array(field), 'changes', jsonb_build_object(field, jsonb_build_object('from', "from",
      'to', "to"))), at
  from edit`;

const INSERT_INVITATIONS = `
  with invitation as (
    insert into invitations (email, role, language, code_hash, invited_by, created_at, expires_at)
    select i.email, i.role, i.language, gen_random_uuid()::text, author.id, now() - ${DAYS},
      now() - ${DAYS} + interval '7 days'
    from jsonb_to_recordset($1) as i(email text, role text, language text, author text, "daysAgo" float8)
      join users author on author.email = i.author
    on conflict do nothing returning id, email, role, invited_by, created_at
  )
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
  select 'INVITATION_SENT', invited_by, 'INVITATION', id::text, ${REQUEST}, '198.51.100.4',
    jsonb_build_object('role', role, 'recipient', regexp_replace(email, '^(.).*@', '\\1…@')), created_at from invitation`;

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
export const insertDeskWork = async (client: pg.Client, blocks: readonly Block[]): Promise<void> => {
  const insert = (text: string, rows: readonly object[]) => client.query(text, [JSON.stringify(rows)]);
  await insert(INSERT_BLOCKS, blocks);
  await insert(INSERT_NOTES, DEMO_NOTES);
  await insert(INSERT_EDITS, DEMO_EDITS);
  await insert(INSERT_INVITATIONS, DEMO_INVITATIONS);
  await insert(INSERT_FAILED_MAILS, DEMO_FAILED_MAILS);
};
