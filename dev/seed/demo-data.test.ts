import { createCipher } from '@platform/shared/encryption/cipher';
import { useDatabase } from '@platform/shared/testing/use-database';
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
  'audit_records',
  'user_notes',
  'sessions',
  'lead_requests',
  'support_requests',
  'contact_entries',
  'invitations',
  'mail_outbox',
  'sent_mails',
];
const SECOND_FACTOR_KEY = { current: 'second-factor-key-of-the-tests-00000000008', previous: [] };

describe('demo data', () => {
  const { url, records } = useDatabase();
  const seed = () =>
    seedDemoData({
      databaseUrl: url(),
      password: 'Password123!',
      bcryptCost: 4,
      secondFactorKey: SECOND_FACTOR_KEY,
    });
  const column = async (text: string) =>
    (await records().query<{ value: string }>(text)).map(({ value }) => value);
  const dump = async () => {
    const rows = [];
    for (const table of TABLES) rows.push(await records().query(`select * from ${table} t order by t::text`));
    return rows;
  };

  it('creates an account for each role with the password and their roles', async () => {
    expect(await seed()).to.have.members(demoAccounts.map(({ email }) => email));
    for (const { email, role } of demoAccounts) {
      const [user] = await records().query<{ id: string; password_hash: string; is_blocked: boolean }>(
        'select id, password_hash, is_blocked from users where email = $1',
        [email],
      );
      expect(compareSync('Password123!', user?.password_hash ?? '')).to.equal(true);
      expect(user?.is_blocked).to.equal(false);
      expect(
        await records().query('select role from user_roles where user_id = $1', [user?.id]),
      ).to.deep.equal([{ role }]);
    }
  });

  it('enables the authenticator apps of a customer and an administrator, encrypted with the key of the stack', async () => {
    await seed();
    const factors = await records().query<{ email: string; sealed_secret: string }>(
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

  it('records sign-ins and failed ones on nearly each of the last ninety days', async () => {
    await seed();
    const days = `select (now() at time zone 'UTC')::date - (created_at at time zone 'UTC')::date as value from audit_records`;
    const signedIn = new Set((await column(`${days} where action = 'SIGNED_IN'`)).map(Number));
    // Few people come at weekends, and on some of them nobody does.
    expect(signedIn.size).to.be.within(80, 91);
    const reasons = await column(`select distinct details ->> 'reason' as value from audit_records
      where action = 'SIGN_IN_FAILED'`);
    expect(reasons).to.have.members(['BLOCKED', 'WRONG_PASSWORD']);
    const wrong = `select email as value from users u where
      exists (select from audit_records r where r.target_id = u.id::text and r.created_at < u.created_at)
      or last_sign_in_at is distinct from (select max(created_at) from audit_records r
        where r.target_id = u.id::text and r.action = 'SIGNED_IN')
      or is_blocked and last_sign_in_at > (select max(created_at) from audit_records r
        where r.target_id = u.id::text and r.action = 'USER_BLOCKED')`;
    expect(await column(wrong)).to.deep.equal([]);
    expect(
      await column('select id::text as value from audit_records where created_at > now()'),
    ).to.deep.equal([]);
  });

  it('has no record, note or mail from before its subject, and no edit after the last change', async () => {
    await seed();
    const subjects = ['users', 'projects', 'teams', 'lead_requests', 'support_requests', 'invitations'];
    const created = subjects.map((table) => `select id::text, created_at from ${table}`).join(' union all ');
    const early = `select what || ' ' || id as value from (
        select 'target of ' || action as what, target_id as id, created_at as at from audit_records
        union all select 'actor of ' || action, actor_id::text, created_at from audit_records
        union all select 'note', user_id::text, created_at from user_notes
        union all select 'mail', user_id::text, created_at from mail_outbox
        union all select 'sent mail', user_id::text, recorded_at from sent_mails
        union all select 'request of', u.id::text, r.created_at from users u
          join (select email, created_at from lead_requests union all select email, created_at from support_requests) r
          using (email)
      ) happened join (${created}) subject using (id) where happened.at < subject.created_at`;
    expect(await column(early)).to.deep.equal([]);
    const edits = `select p.title as value from audit_records r join projects p on p.id::text = r.target_id
      where r.created_at > p.updated_at and r.action in ('PROJECT_EDITED', 'PROJECT_STATUS_CHANGED')`;
    expect(await column(edits)).to.deep.equal([]);
  });

  it('has sign-ups of the last days', async () => {
    await seed();
    const latest = `select email as value from users where created_at > now() - interval '7 days'`;
    expect((await column(latest)).length).to.be.at.least(8);
  });

  it('names who blocked whom, when and why', async () => {
    await seed();
    const reasons = `select n.text as value from users u
      join audit_records b on b.target_id = u.id::text and b.action = 'USER_BLOCKED'
      join user_notes n on n.user_id = u.id and n.author_id = b.actor_id
        and n.created_at between b.created_at and b.created_at + interval '1 minute'
      where u.is_blocked`;
    const blocked = await column('select email as value from users where is_blocked');
    expect(await column(reasons)).to.have.lengthOf(blocked.length);
  });

  it('has work for the administrators, who have names', async () => {
    await seed();
    const names = await column(`select name as value from user_roles where role = 'ADMIN' order by name`);
    expect(names).to.deep.equal(['Anna Berg', 'Maria Okafor']);
    const counts = await records().query<Record<string, number>>(`select
      (select count(*) from support_requests where done_at is null)::int as open,
      (select count(*) from support_requests where done_by is not null)::int as done,
      (select count(*) from lead_requests where done_at is null)::int as leads,
      (select count(*) from support_requests where assignee_id is not null and done_at is null)::int as in_work,
      (select count(*) from contact_entries where kind = 'reply')::int as replies,
      (select count(*) from contact_entries where kind = 'note')::int as notes,
      (select count(*) from invitations where expires_at > now())::int as invitations,
      (select count(*) from mail_outbox where failed_at is not null)::int as failed_mails,
      (select count(*) from mail_outbox where failed_at is null)::int as waiting_mails`);
    expect(counts).to.deep.equal([
      {
        open: 3,
        done: 4,
        leads: 2,
        in_work: 1,
        replies: 4,
        notes: 3,
        invitations: 2,
        failed_mails: 2,
        waiting_mails: 0,
      },
    ]);
    expect((await column('select mail as value from sent_mails')).length).to.be.at.least(20);
    const sessions = `select s.id::text as value from sessions s join token_records t on t.id = s.token_id
      where t.refresh_token_expired_at > now()`;
    expect((await column(sessions)).length).to.be.at.least(10);
  });

  it('changes nothing if it is seeded again', async () => {
    await seed();
    const before = await dump();
    expect(await seed()).to.deep.equal([]);
    expect(await dump()).to.deep.equal(before);
  });
});
