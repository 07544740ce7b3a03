import { queryDatabase } from '@platform/shared/testing/query-database';

type Recreated = { name: string; removal: string; definition: string };

/** Foreign keys before the unique constraints that they may depend on; recreated in the reverse order. */
const CONSTRAINTS = `
  select c.conname as name, format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as removal,
    format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as definition
  from pg_constraint c
  where c.contype in ('f', 'u') and c.conrelid in (select to_regclass(name) from unnest($1::text[]) name)
  order by c.contype, c.conname`;

const INDEXES = `
  select i.indexname as name, format('drop index %I', i.indexname) as removal, i.indexdef as definition
  from pg_indexes i left join pg_constraint c on c.conname = i.indexname
  where i.schemaname = 'public' and c.oid is null and i.tablename = any ($1::text[])
  order by i.indexname`;

const SETTINGS = "set maintenance_work_mem = '512MB'; set synchronous_commit = off; ";

/** Fills tables without their indexes and constraints, then creates these: updating them row by row takes many times as long. */
export const bulkLoad = async (
  url: string,
  tables: readonly string[],
  statements: readonly (readonly [text: string, values: readonly unknown[]])[],
): Promise<void> => {
  const recreated = [
    ...(await queryDatabase<Recreated>(url, CONSTRAINTS, [tables])),
    ...(await queryDatabase<Recreated>(url, INDEXES, [tables])),
  ];
  for (const { removal } of recreated) await queryDatabase(url, removal);
  for (const [text, values] of statements) await queryDatabase(url, text, values);
  for (const { definition } of recreated.reverse()) await queryDatabase(url, SETTINGS + definition);
  await queryDatabase(url, 'vacuum analyze');
};

/** The number of rows of the generated data. */
export type DatasetSize = { users: number; projects: number; teams: number };

/** Pseudo-random, the same in every run: a hash of the row number and of the column. */
const FUNCTIONS = `
  create function pick(number bigint, purpose text, count int) returns int language sql immutable parallel safe
    return ((hashtextextended(purpose || number, 7) & 9007199254740991) % count)::int;
  create function choose(number bigint, purpose text, choices text[]) returns text language sql immutable parallel safe
    return choices[1 + pick(number, purpose, cardinality(choices))];
  create function some_time(number bigint, purpose text) returns timestamptz language sql stable parallel safe
    return timestamptz '2026-01-01 00:00Z' - make_interval(secs => pick(number, purpose, 94608000));`;

const textArray = (words: string): string =>
  `array['${words
    .trim()
    .split(/\s*\|\s*/)
    .join("', '")}']`;

const FIRST_NAMES = textArray(
  'anna|peter|maria|john|elena|david|sofia|lucas|emma|noah|olga|ivan|julia|marco|nina|oscar|paula|quentin|rosa|simon|tina|umar|vera|walter|xenia|yusuf|zoe|bruno|clara|dmitri|eva|felix|greta|hugo|irina|jonas|karla|leo|mila|nadia',
);
const LAST_NAMES = textArray(
  'smith|mueller|garcia|rossi|novak|kim|silva|ivanova|hansen|kowalski|dubois|costa|schmidt|petrov|larsen|weber|moreau|santos|bauer|nguyen|popescu|fischer|lopez|martin|keller|horvat|nagy|virtanen|berg|olsen|tanaka|singh|patel|okafor|mensah|cohen|levi|haddad|demir|yilmaz',
);
const DOMAINS = textArray('mail.example|post.example|inbox.example|web.example|corp.example');
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

const usersSql = `
  insert into users (id, email, password_hash, is_email_verified, is_blocked, created_at, updated_at)
  select md5('user' || n)::uuid,
    choose(n, 'first', ${FIRST_NAMES}) || '.' || choose(n, 'last', ${LAST_NAMES}) || n || '@' || choose(n, 'domain', ${DOMAINS}),
    '-', pick(n, 'verified', 3) > 0, pick(n, 'blocked', 100) = 0, at, at
  from (select n, some_time(n, 'user') as at from generate_series(1, $1::bigint) n) as numbered`;

/** Three of five users are customers; one of a thousand has a platform role. */
const rolesSql = `
  insert into user_roles (user_id, role)
  select md5('user' || n)::uuid, case when n % 1000 = 0 then choose(n, 'platform', array['ADMIN', 'OPERATOR', 'ARBITER'])
    when n % 5 < 3 then 'CUSTOMER' else 'EMPLOYEE' end
  from generate_series(1, $1::bigint) n`;

const profilesSql = (table: string, remainder: string) => `
  insert into ${table} (user_id, first_name, last_name)
  select md5('user' || n)::uuid, initcap(choose(n, 'first', ${FIRST_NAMES})), initcap(choose(n, 'last', ${LAST_NAMES}))
  from generate_series(1, $1::bigint) n where n % 5 ${remainder} and n % 1000 <> 0`;

const projectsSql = `
  insert into projects (id, owner_id, title, description, category, status, contracting_stage, created_at, updated_at,
    deleted_at, deleted_by)
  select md5('project' || n)::uuid, owner, choose(n, 'kind', ${KINDS}) || ' for ' || choose(n, 'client', ${CLIENTS}) || ' #' || n,
    concat_ws('. ', choose(n, 's1', ${SENTENCES}), choose(n, 's2', ${SENTENCES}), choose(n, 's3', ${SENTENCES}),
      nullif(choose(n, 'extra', ${EXTRAS}), '')),
    choose(n, 'category', array['WEB', 'MOBILE', 'DESIGN', 'MARKETING', 'DATA', 'DEVOPS', 'CONSULTING', 'OTHER']),
    status, case status when 'CONTRACTING' then choose(n, 'stage', array['NEGOTIATION', 'DRAFTING', 'SIGNED']) end, at, at,
    case when n % 20 = 0 then at end, case when n % 20 = 0 then owner end
  from (select n, md5('user' || (1 + pick(n, 'owner', $2::int)))::uuid as owner, some_time(n, 'project') as at,
      choose(n, 'status', array['DRAFT', 'MODERATION', 'PUBLISHED', 'TEAM_SELECTION', 'CONTRACTING', 'IN_PROGRESS',
        'ON_REVIEW', 'DISPUTED', 'COMPLETED', 'CANCELLED']) as status
    from generate_series(1, $1::bigint) n) as numbered`;

const teamsSql = `
  insert into teams (name, slug, status, verified_at, created_at, updated_at)
  select initcap(choose(n, 'team', ${LAST_NAMES})) || ' Studio ' || n, 'team-' || n, status,
    case status when 'ONBOARDING' then null else at end, at, at
  from (select n, some_time(n, 'team') as at, choose(n, 'team status', array['ONBOARDING', 'ACTIVE', 'ACTIVE', 'SUSPENDED',
      'ARCHIVED']) as status from generate_series(1, $1::bigint) n) as numbered`;

const TABLES = [
  ...['users', 'user_roles', 'customer_profiles', 'employee_profiles'],
  ...['projects', 'teams', 'team_members'],
];

/** Fills a migrated database with users, projects and teams. */
export const seedDatabase = async (url: string, { users, projects, teams }: DatasetSize): Promise<void> => {
  await queryDatabase(url, FUNCTIONS);
  await bulkLoad(url, TABLES, [
    [usersSql, [users]],
    [rolesSql, [users]],
    [profilesSql('customer_profiles', '< 3'), [users]],
    [profilesSql('employee_profiles', '>= 3'), [users]],
    [projectsSql, [projects, users]],
    [teamsSql, [teams]],
  ]);
};
