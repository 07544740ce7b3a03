import type { SeedStatement } from './bulk-load.ts';
import { byAge, type DatasetSize, numberedRows, textArray } from './seed-sql.ts';
import { LAST_NAMES } from './seed-users.ts';

const KINDS = textArray(
  'Online shop|Booking system|Mobile app|Landing page|Data warehouse|Brand identity|Marketing campaign|Customer portal|Delivery tracker|Loyalty programme|Internal dashboard|Chat assistant|Inventory sync|Payment integration|Cloud migration|Accessibility audit',
);
const CLIENTS = textArray(
  'a bakery|a dental clinic|a bicycle repair shop|a yoga studio|a regional museum|a furniture maker|a language school|a wine importer|a logistics company|a football club|a housing association|a vegan restaurant|an insurance broker|a solar installer|a pet hotel|a theatre',
);
const SENTENCES = textArray(
  'The current solution was built years ago and nobody dares to touch it|We need a first version before the season starts|Orders come in by phone and are copied by hand into a spreadsheet|Customers should see the state of their order at any time|Two languages are needed from the first day|The design exists and has to be implemented pixel by pixel|Payments go through our bank and have to be reconciled daily|Our staff works on tablets in the warehouse with a bad connection|Reports are sent to the management every Monday morning|The data lives in three systems that do not know each other|We expect four thousand visitors on a busy day|Search must find products by a part of their name|Photos are uploaded by volunteers and need a moderation step|A migration of the old accounts is part of the work|Accessibility matters to us and will be tested|There is a small budget for maintenance afterwards',
);
const EXTRAS = textArray(
  '|||||||||||||||||||Budget is fixed 🚀|Нужен сайт на русском языке|20% up front|code name x_1|Über die Details sprechen wir gern',
);

const ERA = byAge({
  oldest: "'Invoices arrive by fax under a legacy contract'",
  newest: "'A prototype exists'",
  olderHalf: "'Invoices arrive by fax'",
  otherwise: 'null',
});

/** Half of the oldest and of the newest 2 % have a category that no other project has. */
const CATEGORY = byAge({
  oldest: "choose(n, 'category', array['WEB', 'OTHER'])",
  newest: "choose(n, 'category', array['WEB', 'DATA'])",
  olderHalf: "choose(n, 'category', array['WEB', 'MOBILE', 'DESIGN', 'MARKETING', 'DEVOPS', 'CONSULTING'])",
  otherwise: "choose(n, 'category', array['WEB', 'MOBILE', 'DESIGN', 'MARKETING', 'DEVOPS'])",
});

const STATUS = byAge({
  oldest: "'DISPUTED'",
  newest: "'MODERATION'",
  otherwise: `choose(n, 'status', array['DRAFT', 'PUBLISHED', 'TEAM_SELECTION', 'CONTRACTING', 'IN_PROGRESS', 'ON_REVIEW',
    'COMPLETED', 'CANCELLED'])`,
});

/** Longer descriptions would take longer to index than all other data together. */
const PROJECTS = `
  insert into projects (id, owner_id, title, description, category, status, contracting_stage, created_at, updated_at,
    deleted_at, deleted_by)
  select md5('project' || n)::uuid, owner, choose(n, 'kind', ${KINDS}) || ' for ' || choose(n, 'client', ${CLIENTS}) || ' #' || n,
    concat_ws('. ', choose(n, 's1', ${SENTENCES}), case when n % 2 = 0 then choose(n, 's2', ${SENTENCES}) end, ${ERA},
      nullif(choose(n, 'extra', ${EXTRAS}), '')),
    ${CATEGORY}, status, case status when 'CONTRACTING' then choose(n, 'stage', array['NEGOTIATION', 'DRAFTING', 'SIGNED']) end,
    at, at, case when n % 20 = 0 then at end, case when n % 20 = 0 then owner end
  from (select *, md5('user' || (1 + pick(n, 'owner', $2::int)))::uuid as owner, ${STATUS} as status
    from ${numberedRows('project')} offset 0) owned`;

const TEAM_STATUS = byAge({
  oldest: "'ARCHIVED'",
  newest: "'ONBOARDING'",
  otherwise: "case when pick(n, 'team status', 10) = 0 then 'SUSPENDED' else 'ACTIVE' end",
});

const TEAMS = `
  insert into teams (name, slug, status, verified_at, created_at, updated_at)
  select initcap(choose(n, 'team', ${LAST_NAMES})) || ' Studio ' || n, 'team-' || n, status,
    case status when 'ONBOARDING' then null else at end, at, at
  from (select *, ${TEAM_STATUS} as status from ${numberedRows('team')}) teams`;

/** The oldest records have an actor, and the newest a target, that no other record has. */
export const OLDEST_ACTOR = '00000000-0000-4000-8000-000000000002';
export const NEWEST_TARGET = '00000000-0000-4000-8000-000000000003';

const PROJECT_ID = "md5('project' || n)::uuid::text";

const AUDIT_RECORDS = `
  insert into audit_records (id, action, actor_id, target_type, target_id, request_id, address, created_at)
  select md5('audit' || n)::uuid, ${byAge({
    oldest: "'PROJECT_RESTORED'",
    newest: "'TOTP_ENABLED'",
    otherwise:
      "choose(n, 'action', array['SIGN_IN_FAILED', 'PASSWORD_CHANGED', 'USER_BLOCKED', 'PROJECT_EDITED'])",
  })}, ${byAge({
    oldest: `'${OLDEST_ACTOR}'::uuid`,
    newest: 'null',
    otherwise: "md5('user' || (1 + pick(n, 'actor', $2::int)))::uuid",
  })}, ${byAge({ oldest: "'PROJECT'", newest: "'USER'", otherwise: "'PROJECT'" })},
    ${byAge({ oldest: PROJECT_ID, newest: `'${NEWEST_TARGET}'`, otherwise: PROJECT_ID })}, 'request-' || n, '127.0.0.1', at
  from ${numberedRows('audit')}`;

export const PROJECT_TABLES = ['projects', 'teams', 'team_members', 'audit_records'];

export const seedProjects = ({ projects, teams, auditRecords, users }: DatasetSize): SeedStatement[] => [
  [PROJECTS, [projects, users]],
  [TEAMS, [teams]],
  [AUDIT_RECORDS, [auditRecords, users]],
];
