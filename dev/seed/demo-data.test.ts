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

  it('creates an account for each role with the password and their roles', async () => {
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

  it('enables the authenticator apps of a customer and an administrator, encrypted with the key of the stack', async () => {
    await seed();
    const factors = await records.query<{ email: string; sealed_secret: string }>(
      `select email, sealed_secret from totp_factors f join users u on u.id = f.user_id
       where enabled_at is not null order by email`,
    );
    const { decrypt } = createCipher(SECOND_FACTOR_KEY, 'TOTP secret');
    expect(factors.map((factor) => [factor.email, decrypt(factor.sealed_secret)])).to.deep.equal(
      demoAccounts.flatMap(({ email, totpSecret }) => (totpSecret ? [[email, totpSecret]] : [])).toSorted(),
    );
    expect(factors).to.have.lengthOf(2);
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

  it('changes nothing if it is seeded again', async () => {
    await seed();
    const before = await dump();
    expect(await seed()).to.deep.equal([]);
    expect(await dump()).to.deep.equal(before);
  });
});
