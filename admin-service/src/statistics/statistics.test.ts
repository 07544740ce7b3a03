import { expectError } from '@platform/shared/testing/responses';
import { UnrecoverableError } from 'bullmq';
import { expect } from 'chai';
import { minutesAgo, startAdminService, useAdminService } from '../../testing/admin-service.ts';
import { formMail, useMails } from '../../testing/mails.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);

const useStatistics = () => {
  const service = useAdminService();
  const records = () => service().records;
  const read = async (query: { days?: number; since?: string } = {}) => {
    const { status, body, text } = await service().administrator.getStatistics({ query });
    expect(status, text).to.equal(200);
    return body;
  };
  const addRecords = (action: string, createdAt: Date, count = 1, details: object = {}) =>
    records().query(
      `insert into audit_records (action, request_id, address, details, created_at)
       select $1, 'request', '203.0.113.7', $2, $3 from generate_series(1, $4)`,
      [action, details, createdAt, count],
    );
  const signUp = (role: string, createdAt: Date, count = 1) =>
    addRecords('ACCOUNT_REGISTERED', createdAt, count, { role });
  return { service, records, read, addRecords, signUp };
};

describe('statistics of stored hours', () => {
  const { records, read, addRecords, signUp } = useStatistics();
  /** The worker does the same. */
  const storeHours = async (): Promise<void> => {
    const [stored] = await records().query<{ hours: number }>('select store_hourly_counts() as hours');
    if (stored?.hours) await storeHours();
  };
  const countStored = async () => {
    const [row] = await records().query<{ hours: number; until: Date | null }>(
      `select count(*)::int as hours, max(hour) + interval '1 hour' as until from hourly_counts`,
    );
    return row;
  };

  it('stay the same when the hours are stored, and then read only the records of the last hours', async () => {
    const now = Date.now();
    const since = new Date(now - 5 * HOUR).toISOString();
    for (const hours of [0, 1, 2, 3, 4, 30, 24 * 80]) {
      await signUp('CUSTOMER', new Date(now - hours * HOUR));
      await addRecords('SIGNED_IN', new Date(now - hours * HOUR), 2);
    }
    const before = await read({ days: 90, since });
    expect(before.since.signUps).to.equal(5);
    expect((await countStored())?.hours).to.equal(0);
    await storeHours();
    expect(now - ((await countStored())?.until?.getTime() ?? 0)).to.be.below(2 * HOUR + 60_000);
    // After midnight, the last hour of yesterday is not stored yet.
    expect((await countStored())?.hours).to.be.within(90 * 24 - 1, 91 * 24);
    expect(await read({ days: 90, since })).to.deep.equal(before);
    await records().query(`delete from audit_records where created_at < now() - interval '3 hours'`);
    expect(await read({ days: 90, since })).to.deep.equal(before);
    await addRecords('SIGNED_IN', new Date());
    expect((await read({ days: 90 })).days.at(-1).signIns).to.equal(before.days.at(-1).signIns + 1);
  });
});

describe('statistics', () => {
  const { service, records, read, addRecords, signUp } = useStatistics();

  beforeEach('delete what other tests have counted', () =>
    records().query(`with a as (delete from audit_records), b as (delete from teams), c as (delete from lead_requests)
      delete from support_requests`),
  );

  it('count sign-ups and sign-ins of today and whole days before, in UTC, oldest first', async () => {
    const today = Math.floor(Date.now() / DAY) * DAY;
    await signUp('CUSTOMER', new Date(today - 1), 2);
    await signUp('EMPLOYEE', new Date(today));
    await addRecords('ACCOUNT_REGISTERED', new Date(today), 1, { kind: 'administrators' });
    await addRecords('ACCOUNT_IMPORTED', new Date(today), 1, { role: 'CUSTOMER' });
    await addRecords('SIGNED_IN', new Date(today - 2 * DAY), 3);
    await addRecords('SIGN_IN_FAILED', new Date(today - 2 * DAY - 1), 9);
    await addRecords('SIGN_IN_FAILED', new Date(), 4);
    const none = { signUps: { customers: 0, employees: 0 }, signIns: 0, failedSignIns: 0 };
    expect((await read({ days: 2 })).days).to.deep.equal([
      { ...none, day: toDay(today - 2 * DAY), signIns: 3 },
      { ...none, day: toDay(today - DAY), signUps: { customers: 2, employees: 0 } },
      { ...none, day: toDay(today), signUps: { customers: 0, employees: 1 }, failedSignIns: 4 },
    ]);
    expect((await read()).days).to.have.lengthOf(15);
    expect((await read({ days: 90 })).days).to.have.lengthOf(91);
  });

  it('have what waits, with the time since when', async () => {
    const empty = { count: 0, oldestAt: null };
    expect((await read()).waiting).to.deep.equal({
      teams: empty,
      contactRequests: empty,
      failedMails: empty,
    });
    const [oldest, later] = [minutesAgo(3_000), minutesAgo(20)];
    await records().team({ status: 'ONBOARDING', createdAt: later });
    await records().team({ status: 'ONBOARDING', createdAt: oldest });
    await records().team({ status: 'ACTIVE', createdAt: minutesAgo(9_000) });
    await records().query(
      `insert into support_requests (email, subject, message, created_at, done_at)
       values ('a@example.com', 'A', 'A', $1, null), ('a@example.com', 'A', 'A', $2, now())`,
      [oldest, minutesAgo(9_000)],
    );
    await records().query(
      `insert into lead_requests (name, email, created_at) values ('A', 'a@example.com', $1)`,
      [later],
    );
    const waiting = { count: 2, oldestAt: oldest.toISOString() };
    expect((await read()).waiting).to.deep.include({ teams: waiting, contactRequests: waiting });
  });

  it('have what came since the last visit', async () => {
    const since = minutesAgo(50).toISOString();
    expect(await read()).not.to.have.property('since');
    for (const at of [minutesAgo(40), minutesAgo(60)]) {
      await signUp('CUSTOMER', at);
      await signUp('EMPLOYEE', at);
      await addRecords('USER_BLOCKED', at);
      await addRecords('INVITATION_ACCEPTED', at);
      await records().team({ createdAt: at });
      await records().query(
        `insert into lead_requests (name, email, created_at) values ('A', 'a@example.com', $1)`,
        [at],
      );
      await records().query(
        `insert into mail_outbox (mail, request_id, failed_at, failure) values ('{"template":"lead-request"}', 'r', $1, 'x')`,
        [at],
      );
    }
    expect((await read({ since })).since).to.deep.equal({
      signUps: 2,
      contactRequests: 1,
      newTeams: 1,
      blocked: 1,
      failedMails: 1,
      acceptedInvitations: 1,
    });
    const future = await read({ since: new Date(Date.now() + HOUR).toISOString() });
    expect(Object.values(future.since)).to.deep.equal([0, 0, 0, 0, 0, 0]);
  });

  it('need 1 to 90 days, and a time within the last 90 days', async () => {
    for (const days of ['0', '91', '1.5', 'x'])
      expectError(
        await service().administrator.send('GET', `/administrator/statistics?days=${days}`),
        400,
        'VALIDATION_FAILED',
        '/query/days',
      );
    for (const since of ['yesterday', new Date(Date.now() - 91 * DAY).toISOString()])
      expectError(
        await service().administrator.getStatistics({ query: { since } }),
        400,
        'VALIDATION_FAILED',
        '/query/since',
      );
  });
});

describe('statistics of failed mails', () => {
  const mails = useMails();
  const read = (query = {}) => mails().service.administrator.getStatistics({ query });

  it('count those of the outbox and failed codes once, as the list of mails does', async () => {
    await mails().addRow(formMail('waiting'));
    await mails().queueRow(formMail('failed'), { failure: 'Rejected', attempts: 1 });
    await mails().failNext(new UnrecoverableError('Rejected'));
    await mails().queueCode();
    const since = minutesAgo(1).toISOString();
    expect((await read({ since })).body).to.nested.include({
      'waiting.failedMails.count': 1,
      'since.failedMails': 1,
    });
    await mails().failNext(new UnrecoverableError('Rejected'));
    const { body } = await read({ since });
    expect(body).to.nested.include({ 'waiting.failedMails.count': 2, 'since.failedMails': 2 });
    expect(Date.parse(body.waiting.failedMails.oldestAt)).to.be.within(Date.parse(since), Date.now());
    const list = await mails().list({ state: 'failed' });
    expect(list.body.total, list.text).to.equal(2);
    expect((await read({ since: minutesAgo(-1).toISOString() })).body.since.failedMails).to.equal(0);
  });

  it('leave failed codes out while Redis is unavailable', async () => {
    const alone = await startAdminService({ REDIS_URL: 'redis://127.0.0.1:1' });
    const { status, body } = await alone.administrator.getStatistics();
    await alone.stop();
    expect(status).to.equal(200);
    expect(body.waiting.failedMails).to.deep.equal({ count: 0, oldestAt: null });
  });
});
