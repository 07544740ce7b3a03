import type { SeedStatement } from './bulk-load.ts';
import { byAge, type DatasetSize, numberedRows, textArray } from './seed-sql.ts';

const MESSAGES = textArray(
  'We need a shop for 300 products|Our booking system is slow on Mondays|Can somebody call us back|I did not get the code|How do I change my address|The invoice has the wrong name|We would like to see your work|When can the project begin',
);
/** Four in five are done. */
const DONE_AT = "case when pick(n, 'done', 5) > 0 then at + interval '1 day' end";
const SENDER = "'sender' || pick(n, 'sender', $1::int) || '@mail.example'";
/** The oldest and the newest 2 % have names that no other form has. */
const NAME = byAge({
  oldest: "'Ada Elderberry'",
  newest: "'Ada Youngblood'",
  otherwise: "'Ada Smith ' || n",
});

const LEADS = `
  insert into lead_requests (name, email, company, message, created_at, done_at)
  select ${NAME}, ${SENDER}, 'Company ' || n, choose(n, 'message', ${MESSAGES}), at, ${DONE_AT}
  from ${numberedRows('lead')}`;
const SUPPORT = `
  insert into support_requests (name, email, subject, message, created_at, done_at)
  select ${NAME}, ${SENDER}, 'Question ' || n, choose(n, 'message', ${MESSAGES}), at, ${DONE_AT}
  from ${numberedRows('support')}`;

/** The statement adds what people did in the last 30 days, most of it sign-ins. */
const RECENT_RECORDS = `
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
  select case action when 'SIGNED_IN' then action when 'SIGN_IN_FAILED' then action else 'ACCOUNT_REGISTERED' end,
    case when action <> 'SIGN_IN_FAILED' then user_id end, 'USER', user_id::text, 'recent-' || n, '127.0.0.1',
    case when action in ('CUSTOMER', 'EMPLOYEE') then jsonb_build_object('role', action) else '{"methods": ["password"]}' end,
    now() - pick(n, 'recent', 2592000) * interval '1 second'
  from (select n, md5('user' || (1 + pick(n, 'recent actor', $2::int)))::uuid as user_id,
      choose(n, 'recent action', array['SIGNED_IN', 'SIGNED_IN', 'SIGNED_IN', 'SIGNED_IN', 'SIGNED_IN', 'SIGNED_IN',
        'SIGN_IN_FAILED', 'SIGN_IN_FAILED', 'CUSTOMER', 'EMPLOYEE']) as action
    from generate_series(1, $1::bigint) n offset 0) recent`;

/** One in this many audit records is of the last 30 days. */
const RECENT = 20;

export const BACK_OFFICE_TABLES = ['lead_requests', 'support_requests'];

/** The overview counts these records. The older ones are in seed-projects.ts. */
export const seedRecentRecords = ({ auditRecords, users }: DatasetSize): SeedStatement => [
  RECENT_RECORDS,
  [Math.ceil(auditRecords / RECENT), users],
];

export const seedBackOffice = ({ contactRequests }: DatasetSize): SeedStatement[] => [
  [LEADS, [contactRequests / 2]],
  [SUPPORT, [contactRequests / 2]],
];
