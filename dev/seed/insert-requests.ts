import type pg from 'pg';
import { DEMO_REQUESTS } from './demo-requests.ts';

const ROWS = `jsonb_to_recordset($1) as r(id uuid, kind text, email text, name text, phone text, company text, subject text,
  message text, "daysAgo" float8, assignee text, "doneDaysAgo" float8, notes jsonb, replies jsonb)`;
const AT = `now() - r."daysAgo" * interval '1 day'`;
const DONE_AT = `now() - r."doneDaysAgo" * interval '1 day'`;
const DONE_BY = `(select id from users where email = coalesce(r.assignee, $2) and r."doneDaysAgo" is not null)`;

const ASSIGNEE = '(select id from users where email = r.assignee)';
const ENTERED_AT = `(${AT} + interval '1 hour')`;
const REPLIED_AT = `case when jsonb_array_length(r.replies) > 0 then ${ENTERED_AT} + interval '4 minutes' end`;

const INSERT_LEADS = `
  insert into lead_requests (id, name, email, phone, company, message, created_at, done_at, done_by, assignee_id,
    replied_at)
  select r.id, r.name, r.email, r.phone, r.company, r.message, ${AT}, ${DONE_AT}, ${DONE_BY}, ${ASSIGNEE}, ${REPLIED_AT}
  from ${ROWS} where r.kind = 'lead' order by r."daysAgo" desc`;

const INSERT_SUPPORT = `
  insert into support_requests (id, name, email, subject, message, created_at, done_at, done_by, assignee_id, replied_at)
  select r.id, r.name, r.email, r.subject, r.message, ${AT}, ${DONE_AT}, ${DONE_BY}, ${ASSIGNEE}, ${REPLIED_AT}
  from ${ROWS} where r.kind = 'support' order by r."daysAgo" desc`;

// Notes and replies are written an hour after the form, and a little later each, by who has it.
const INSERT_ENTRIES = `
  insert into contact_entries (kind, lead_request_id, support_request_id, author_id, text, created_at)
  select entry.kind, case r.kind when 'lead' then r.id end, case r.kind when 'support' then r.id end, ${ASSIGNEE},
    entry.text, ${ENTERED_AT} + (entry.place - 1) * interval '4 minutes'
  from ${ROWS} cross join lateral (
    select 'note' as kind, value as text, ordinality as place from jsonb_array_elements_text(r.notes) with ordinality
    union all select 'reply', value, ordinality + 1 from jsonb_array_elements_text(r.replies) with ordinality
  ) as entry`;

const INSERT_RECORDS = `
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
  select action, actor_id, 'CONTACT_REQUEST', id::text, gen_random_uuid()::text, '198.51.100.4', details, at from (
    select 'CONTACT_REQUEST_DONE' as action, ${DONE_BY} as actor_id, r.id, '{}'::jsonb as details, ${DONE_AT} as at
      from ${ROWS} where r."doneDaysAgo" is not null
    union all select 'CONTACT_REQUEST_ASSIGNED', ${ASSIGNEE}, r.id, jsonb_build_object('userId', ${ASSIGNEE}),
      ${ENTERED_AT} - interval '2 minutes' from ${ROWS} where r.assignee is not null
    union all select case kind when 'note' then 'CONTACT_REQUEST_NOTE_ADDED' else 'CONTACT_REQUEST_REPLIED' end, author_id,
      coalesce(lead_request_id, support_request_id), jsonb_build_object(kind || 'Id', id), created_at from contact_entries
  ) records order by at`;

/** @param administrator who has done the requests that were nobody's */
export const insertRequests = async (client: pg.Client, administrator: string): Promise<void> => {
  const { rows } = await client.query<{ id: string }>(
    'select new_row_id() as id from generate_series(1, $1)',
    [DEMO_REQUESTS.length],
  );
  const requests = JSON.stringify(
    DEMO_REQUESTS.map((request, index) => ({ ...request, id: rows[index]?.id })),
  );
  await client.query(INSERT_LEADS, [requests, administrator]);
  await client.query(INSERT_SUPPORT, [requests, administrator]);
  await client.query(INSERT_ENTRIES, [requests]);
  await client.query(INSERT_RECORDS, [requests, administrator]);
};
