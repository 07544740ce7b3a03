import { createCipher } from '@platform/shared/encryption/cipher';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { compareSync } from 'bcryptjs';
import { expect } from 'chai';
import { demoProjects, demoTeams } from './demo-content.ts';
import { demoAccounts } from './demo-people.ts';
import { seedDemoData } from './seed-demo-data.ts';

const STATUSES =
  'DRAFT MODERATION PUBLISHED TEAM_SELECTION CONTRACTING IN_PROGRESS ON_REVIEW DISPUTED COMPLETED CANCELLED'.split(
    ' ',
  );
const CATEGORIES = 'WEB MOBILE DESIGN MARKETING DATA DEVOPS CONSULTING OTHER'.split(' ');
const TABLES = [
  'users',
  'user_roles',
  'customer_profiles',
  'employee_profiles',
  'projects',
  'teams',
  'team_members',
  'totp_factors',
];
const SECOND_FACTOR_KEY = { current: 'second-factor-key-of-the-tests-00000000008', previous: [] };

describe('demo data', () => {
  let database: TestDatabase;
  let records: Records;
  beforeEach('create a database', async () => {
    database = await createTestDatabase();
    records = createRecords(database.url);
  });
  afterEach('drop it', async () => {
    await records?.close();
    await database?.drop();
  });
  const seed = () =>
    seedDemoData({
      databaseUrl: database.url,
      password: 'Password123!',
      bcryptCost: 4,
      secondFactorKey: SECOND_FACTOR_KEY,
    });
  const column = async (text: string) =>
    (await records.query<{ value: string }>(text)).map(({ value }) => value);
  const dump = async () => {
    const rows = [];
    for (const table of TABLES) rows.push(await records.query(`select * from ${table} t order by t::text`));
    return rows;
  };
  const countAll = async () => (await dump()).map(({ length }) => length);

  it('creates six accounts with the password and their roles', async () => {
    expect(await seed()).to.have.members(demoAccounts.map(({ email }) => email));
    for (const { email, role } of demoAccounts) {
      const [user] = await records.query<{ id: string; password_hash: string; is_blocked: boolean }>(
        'select id, password_hash, is_blocked from users where email = $1',
        [email],
      );
      expect(compareSync('Password123!', user?.password_hash ?? '')).to.equal(true);
      expect(user?.is_blocked).to.equal(false);
      expect(await records.query('select role from user_roles where user_id = $1', [user?.id])).to.deep.equal(
        [{ role }],
      );
    }
  });

  it('enables the authenticator app of one account, under the key of the stack', async () => {
    await seed();
    const factors = await records.query<{ email: string; sealed_secret: string; factor_version: number }>(
      `select email, sealed_secret, factor_version from totp_factors f join users u on u.id = f.user_id
       where enabled_at is not null`,
    );
    const { decrypt } = createCipher(SECOND_FACTOR_KEY, 'TOTP secret');
    expect(
      factors.map((factor) => [factor.email, decrypt(factor.sealed_secret), factor.factor_version]),
    ).to.deep.equal(
      demoAccounts.flatMap(({ email, totpSecret }) => (totpSecret ? [[email, totpSecret, 1]] : [])),
    );
    expect(factors).to.have.lengthOf(1);
  });

  it('creates projects in every status and category, and some deleted ones', async () => {
    await seed();
    const live = 'from projects where deleted_at is null';
    expect(await column(`select distinct status as value ${live}`)).to.have.members(STATUSES);
    expect(await column(`select distinct category as value ${live}`)).to.have.members(CATEGORIES);
    const stages = await column(
      `select distinct contracting_stage as value ${live} and status = 'CONTRACTING'`,
    );
    expect(stages).to.have.lengthOf(5);
    const deleted = await column('select title as value from projects where deleted_at is not null');
    expect(deleted.length).to.be.within(3, 15);
    expect(await column('select title as value from projects')).to.have.lengthOf(demoProjects.length);
  });

  it('creates teams with members in all four statuses, at least three in onboarding', async () => {
    await seed();
    const statuses = await column('select status as value from teams');
    expect(new Set(statuses)).to.deep.equal(new Set(['ONBOARDING', 'ACTIVE', 'SUSPENDED', 'ARCHIVED']));
    expect(statuses.filter((status) => status === 'ONBOARDING').length).to.be.at.least(3);
    const led = `select t.slug as value from teams t where exists (select from team_members m
      where m.team_id = t.id and m.role = 'ADMINISTRATOR' and m.status = 'ACTIVE')
      and (select count(*) from team_members m where m.team_id = t.id) > 1`;
    expect(await column(led)).to.have.members(demoTeams.map(({ slug }) => slug));
    expect(await column('select distinct status as value from team_members')).to.have.lengthOf(3);
  });

  it('spreads consistent dates over the last year', async () => {
    await seed();
    const wrong = await records.query(`
      select p.title from projects p join users u on u.id = p.owner_id
      where p.created_at not between now() - interval '366 days' and now() or p.created_at < u.created_at
        or p.updated_at not between p.created_at and now() or p.deleted_at not between p.updated_at and now()
      union all select slug from teams
      where created_at not between now() - interval '366 days' and now() or verified_at not between created_at and now()
      union all select email from users where created_at not between now() - interval '366 days' and now()
      union all select 'member' from team_members m join teams t on t.id = m.team_id
        join employee_profiles e on e.id = m.employee_id
      where m.created_at not between greatest(t.created_at, e.created_at) and now()
        or m.removed_at not between m.created_at and now()`);
    expect(wrong).to.deep.equal([]);
    const months = await column(
      `select distinct date_trunc('month', created_at)::text as value from projects`,
    );
    expect(months.length).to.be.at.least(11);
  });

  it('gives projects and teams to the demo accounts', async () => {
    await seed();
    const owned = `select title as value from projects p join users u on u.id = p.owner_id
      where u.email = 'customer@example.com' and p.deleted_at is null`;
    expect((await column(owned)).length).to.be.at.least(1);
    const joined = `select t.slug as value from team_members m join teams t on t.id = m.team_id
      join employee_profiles e on e.id = m.employee_id join users u on u.id = e.user_id
      where u.email = 'employee@example.com'`;
    expect((await column(joined)).length).to.be.at.least(1);
  });

  it('changes nothing when it is seeded again', async () => {
    await seed();
    const before = await dump();
    expect(await seed()).to.deep.equal([]);
    expect(await dump()).to.deep.equal(before);
  });

  it('does not restore changed or deleted records', async () => {
    await seed();
    await records.query("update users set password_hash = 'mine' where email = 'admin@example.com'");
    await records.query('delete from team_members');
    await records.query('delete from teams');
    await records.query('delete from projects');
    const before = await dump();
    expect(await seed()).to.deep.equal([]);
    expect(await dump()).to.deep.equal(before);
  });

  it('adds only the missing accounts to a database with projects', async () => {
    await records.project();
    const before = await countAll();
    expect(await seed()).to.have.lengthOf(6);
    const after = await countAll();
    const added = after.map((count, index) => count - (before[index] ?? 0));
    expect(added).to.deep.equal([6, 6, 1, 1, 0, 0, 0, 1]);
  });

  it('does not change registered accounts with the address of a demo account', async () => {
    const customer = await records.user(['CUSTOMER'], { email: 'customer@example.com' });
    const employee = await records.user(['EMPLOYEE'], { email: 'employee@example.com' });
    const admin = await records.user(['CUSTOMER'], { email: 'admin@example.com' });
    const read = () =>
      records.query('select * from users where id = any($1) order by id', [
        [customer.id, employee.id, admin.id],
      ]);
    const before = await read();
    expect(await seed()).to.have.members([
      'secured@example.com',
      'operator@example.com',
      'arbiter@example.com',
    ]);
    expect(await read()).to.deep.equal(before);
    const projects = 'select 1 from projects where owner_id = $1 or deleted_by = $1';
    for (const { id } of [customer, employee, admin])
      expect(await records.query(projects, [id])).to.deep.equal([]);
    const members = 'select 1 from team_members where employee_id = $1';
    expect(await records.query(members, [employee.employeeId])).to.deep.equal([]);
    expect(await column('select distinct status as value from projects')).to.have.lengthOf(10);
  });

  it('rolls back when an insert fails', async () => {
    await records.query(
      `create function reject_insert() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    );
    await records.query(
      'create trigger rejection before insert on team_members for each row execute function reject_insert()',
    );
    const outcome = await seed().then(
      () => 'seeded',
      () => 'failed',
    );
    expect(outcome).to.equal('failed');
    expect(await countAll()).to.deep.equal([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});
