import type { Secret } from '@platform/shared/config/secrets';
import { connectClient } from '@platform/shared/db/connect';
import { createCipher } from '@platform/shared/encryption/cipher';
import { hash } from 'bcryptjs';
import type pg from 'pg';
import { demoProjects, demoTeams } from './demo-content.ts';
import { type DemoAccount, type DemoPerson, demoAccounts, demoPeople } from './demo-people.ts';
import { insertActivity } from './insert-activity.ts';

// Moves the registration back by a year, so that the demo accounts can own content of the whole year.
const BACKDATE_ACCOUNTS = `
  with u as (
    update users set created_at = now() - interval '1 year', updated_at = now() - interval '1 year'
    where email = any($1) returning id, created_at
  ), r as (
    update user_roles r set user_created_at = u.created_at from u where r.user_id = u.id
  ), c as (
    update customer_profiles p set created_at = u.created_at, updated_at = u.created_at from u where p.user_id = u.id
  )
  update employee_profiles p set created_at = u.created_at, updated_at = u.created_at from u where p.user_id = u.id`;

const INSERT_PEOPLE = `
  with person as (
    select *, now() - "daysAgo" * interval '1 day' as at from jsonb_to_recordset($1) as p(email text, role text,
      "firstName" text, "lastName" text, phone text, "isEmailVerified" boolean, "isBlocked" boolean, "daysAgo" float8)
  ), u as (
    insert into users (email, password_hash, is_email_verified, is_blocked, created_at, updated_at)
    select email, $2, "isEmailVerified", "isBlocked", at, at from person on conflict do nothing returning id, email
  ), found as (
    select u.id, person.* from u join person using (email)
  ), r as (
    insert into user_roles (user_id, role, user_created_at) select id, role, at from found
  ), c as (
    insert into customer_profiles (user_id, first_name, last_name, phone, created_at, updated_at)
    select id, "firstName", "lastName", phone, at, at from found where role = 'CUSTOMER'
  )
  insert into employee_profiles (user_id, first_name, last_name, phone, created_at, updated_at)
  select id, "firstName", "lastName", phone, at, at from found where role = 'EMPLOYEE'`;

// No project is older than its owner or was deleted before its last change. No member joined before
// registering.
const INSERT_PROJECTS = `
  insert into projects (owner_id, title, description, category, status, contracting_stage, created_at, updated_at,
    deleted_at, deleted_by)
  select owner.id, title, description, category, status, "contractingStage", at, at + (now() - at) / 3,
    case when "isDeleted" then at + (now() - at) / 2 end, case when "isDeleted" then coalesce(admin.id, owner.id) end
  from jsonb_to_recordset($1) as p("ownerEmail" text, title text, description text, category text, status text,
      "contractingStage" text, "isDeleted" boolean, "daysAgo" float8)
    join users owner on owner.email = "ownerEmail"
    left join users admin on admin.email = $2
    cross join lateral (select greatest(now() - "daysAgo" * interval '1 day', owner.created_at) as at) as t`;

const INSERT_TEAMS = `
  insert into teams (name, slug, status, bio, external_experience, verified_at, created_at, updated_at)
  select name, slug, status, bio, "externalExperience", verified, at, coalesce(verified, at)
  from jsonb_to_recordset($1) as t(name text, slug text, status text, bio text, "externalExperience" text,
      "daysAgo" float8)
    cross join lateral (select now() - "daysAgo" * interval '1 day' as at) as created
    cross join lateral (select case when status <> 'ONBOARDING' then at + interval '6 days' end as verified) as v
  on conflict do nothing`;

const INSERT_MEMBERS = `
  insert into team_members (team_id, employee_id, role, status, can_sign, can_submit, created_at, removed_at)
  select t.id, e.id, m.role, m.status, "canSign", "canSubmit", joined,
    case when m.status = 'REMOVED' then joined + (now() - joined) / 2 end
  from jsonb_to_recordset($1) as m(slug text, email text, role text, status text, "canSign" boolean,
      "canSubmit" boolean, place int)
    join teams t using (slug)
    join users u using (email)
    join employee_profiles e on e.user_id = u.id
    cross join lateral (select greatest(t.created_at + place * interval '1 hour', u.created_at) as joined) as j`;

/** The active users with a role: first the demo accounts, then the demo people. */
const listActive = (role: DemoPerson['role'], accounts: readonly string[]) => [
  ...accounts.map((email) => ({ email, daysAgo: 365 })),
  ...demoPeople.filter((person) => person.role === role && !person.isBlocked),
];

const cycle = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];

/** The fourth member is invited. In every third team, the third member was removed. */
const getMemberStatus = (place: number, team: number): string => {
  if (place === 3) return 'INVITED';
  return place === 2 && team % 3 === 0 ? 'REMOVED' : 'ACTIVE';
};

/** The first member leads the team. */
const toMembers = (employees: readonly { email: string }[]) => {
  let next = 0;
  return demoTeams.flatMap(({ slug, size }, team) =>
    Array.from({ length: size }, (_, place) => {
      const email = cycle(employees, next)?.email;
      next += 1;
      const isLeading = place === 0;
      const role = isLeading ? 'ADMINISTRATOR' : 'MEMBER';
      const rights = { canSign: isLeading, canSubmit: place < 2 };
      return { slug, email, role, status: getMemberStatus(place, team), ...rights, place };
    }),
  );
};

/** Demo content is inserted only once, and never into a database with other projects or teams. */
const hasNoContent = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query(
    `select 1 from projects union all select 1 from teams union all select 1 from users where email = any($1) limit 1`,
    [demoPeople.map(({ email }) => email)],
  );
  return rows.length === 0;
};

/**
 * Inserts the customers, employees, projects and teams of one year, and what happened to them. `accounts` are the new demo accounts; the
 * customer gets projects and the employee a team.
 */
const insertDemoContent = async (
  client: pg.Client,
  passwordHash: string,
  accounts: readonly string[],
): Promise<void> => {
  const findAccount = (name: string) => accounts.filter((email) => email.startsWith(`${name}@`));
  const owners = listActive('CUSTOMER', findAccount('customer'));
  const projects = demoProjects.map((project, index) => {
    const present = owners.filter(({ daysAgo }) => daysAgo > project.daysAgo);
    return { ...project, ownerEmail: cycle(present, index)?.email };
  });
  await client.query(BACKDATE_ACCOUNTS, [accounts]);
  await client.query(INSERT_PEOPLE, [JSON.stringify(demoPeople), passwordHash]);
  await client.query(INSERT_PROJECTS, [JSON.stringify(projects), findAccount('admin')[0] ?? '']);
  await client.query(INSERT_TEAMS, [JSON.stringify(demoTeams)]);
  const members = toMembers(listActive('EMPLOYEE', findAccount('employee')));
  await client.query(INSERT_MEMBERS, [JSON.stringify(members)]);
  await insertActivity(client);
};

type SeedOptions = { databaseUrl: string; password: string; bcryptCost: number; secondFactorKey: Secret };

const profileTables: Partial<Record<DemoAccount['role'], string>> = {
  CUSTOMER: 'customer_profiles',
  EMPLOYEE: 'employee_profiles',
};

const findMissing = async (client: pg.Client): Promise<DemoAccount[]> => {
  const emails = demoAccounts.map((account) => account.email);
  const { rows } = await client.query<{ email: string }>('select email from users where email = any($1)', [
    emails,
  ]);
  const existing = new Set(rows.map((row) => row.email));
  return demoAccounts.filter((account) => !existing.has(account.email));
};

// The state after the confirmation of the first code.
const INSERT_TOTP = 'insert into totp_factors (user_id, sealed_secret, enabled_at) values ($1, $2, now())';

type Credentials = { passwordHash: string; secondFactorKey: Secret };

/** Returns false if the address was registered concurrently; that account is not changed. */
const insertAccount = async (
  client: pg.Client,
  account: DemoAccount,
  { passwordHash, secondFactorKey }: Credentials,
): Promise<boolean> => {
  const { rows } = await client.query<{ id: string }>(
    `insert into users (email, password_hash, is_email_verified) values ($1, $2, true)
     on conflict do nothing returning id`,
    [account.email, passwordHash],
  );
  const [user] = rows;
  if (!user) return false;
  await client.query(
    'insert into user_roles (user_id, role, user_created_at, name) select id, $2, created_at, $3 from users where id = $1',
    [user.id, account.role, account.name],
  );
  const table = profileTables[account.role];
  if (table && account.profile) {
    const { firstName, lastName, phone } = account.profile;
    await client.query(
      `insert into ${table} (user_id, first_name, last_name, phone) values ($1, $2, $3, $4)`,
      [user.id, firstName, lastName, phone],
    );
  }
  if (account.totpSecret) {
    const { encrypt } = createCipher(secondFactorKey, 'TOTP secret');
    await client.query(INSERT_TOTP, [user.id, encrypt(account.totpSecret)]);
  }
  return true;
};

/**
 * Creates the missing demo accounts, and the demo content if there are no projects, teams or demo people, in
 * one transaction.
 * @returns the addresses of the created accounts
 */
export const seedDemoData = async (options: SeedOptions): Promise<string[]> => {
  const { databaseUrl, password, bcryptCost, secondFactorKey } = options;
  const client = await connectClient(databaseUrl);
  try {
    const missing = await findMissing(client);
    const isEmpty = await hasNoContent(client);
    if (missing.length === 0 && !isEmpty) return [];
    const passwordHash = await hash(password, bcryptCost); // the same for all accounts
    const created: string[] = [];
    await client.query('begin');
    for (const account of missing) {
      if (await insertAccount(client, account, { passwordHash, secondFactorKey }))
        created.push(account.email);
    }
    if (isEmpty) await insertDemoContent(client, passwordHash, created);
    await client.query('commit');
    return created;
  } finally {
    await client.end(); // rolls back an open transaction
  }
};
