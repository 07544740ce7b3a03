import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { getAgesIn, insertAgedRows, TABLES } from '../../testing/aged-rows.ts';
import { useMailFixture } from '../../testing/mail-fixture.ts';
import { WORKER_ENVIRONMENT } from '../../testing/test-worker.ts';
import { readConfig } from '../config.ts';

const VARIABLES = {
  AUDIT_RETENTION_DAYS: { fallback: 365, tables: ['audit_records'] },
  SESSION_RETENTION_DAYS: { fallback: 365, tables: ['sessions'] },
  CONTACT_RETENTION_DAYS: { fallback: 365, tables: ['lead_requests', 'support_requests'] },
  FAILED_MAIL_RETENTION_DAYS: { fallback: 30, tables: ['mail_outbox'] },
  SENT_MAIL_RETENTION_DAYS: { fallback: 30, tables: ['sent_mails', 'service_mails'] },
  EVENT_RETENTION_DAYS: { fallback: 30, tables: ['events'] },
} as const;

/** Adds an expired and a valid token record, and an unconfirmed and an enabled factor. */
const INSERT_EXPIRED = `
  with owners as (
    insert into users (email, password_hash) values ('ada@example.com', '-'), ('eve@example.com', '-') returning id, email
  ), factors as (
    insert into totp_factors (user_id, sealed_secret, created_at, enabled_at)
    select id, 'sealed', now() - interval '2 days', case when email like 'ada%' then now() end from owners
  )
  insert into token_records
    (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
  select id, gen_random_uuid(), now(), gen_random_uuid(), now() + make_interval(secs => seconds)
  from owners, unnest(array[-3, 3600]) seconds where email like 'ada%'`;
const AGES = [9, 29, 31, 364, 366];

describe('retention settings', () => {
  const fixture = useMailFixture();

  const readRetention = (environment: Record<string, string>) =>
    readConfig({
      ...WORKER_ENVIRONMENT,
      DATABASE_URL: 'postgres://localhost/platform',
      REDIS_URL: 'redis://localhost',
      SMTP_URL: 'smtp://localhost',
      ...environment,
    }).retention;

  for (const [variable, { fallback, tables }] of Object.entries(VARIABLES)) {
    it(`${variable} defaults to ${fallback}`, () => {
      for (const table of tables) {
        expect(readRetention({})[table]).to.equal(fallback);
        expect(readRetention({ [variable]: '' })[table]).to.equal(fallback);
        expect(readRetention({ [variable]: '90' })[table]).to.equal(90);
      }
    });

    it(`${variable} rejects values that are not a number of days`, () => {
      for (const value of ['-1', '1.5', 'a year', '36501'])
        expect(() => readRetention({ [variable]: value }), value).to.throw(variable);
    });
  }

  const runCleanup = async (environment: Record<string, string>): Promise<void> => {
    const { redis, startWorker } = fixture();
    const worker = await startWorker(environment);
    const queue = new Queue('maintenance', { connection: redis.client });
    await queue.add('remove-expired-tokens', undefined);
    await waitFor('the cleanup ends', async () => (await queue.getCompletedCount()) === 1);
    await queue.close();
    await worker.stop();
  };
  const setAll = (days: string) => Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, days]));

  it('are not needed for expired tokens and unconfirmed factors', async () => {
    const { databaseUrl } = fixture();
    await queryDatabase(databaseUrl, INSERT_EXPIRED);
    await runCleanup({});
    for (const table of ['token_records', 'totp_factors'])
      expect(await queryDatabase(databaseUrl, `select 1 from ${table}`), table).to.have.lengthOf(1);
  });

  for (const [name, environment, days, shortDays] of [
    ['10 days each', setAll('10'), 10, 10],
    ['the defaults', {}, 365, 30],
    ['0, which keeps rows forever', setAll('0'), Infinity, Infinity],
  ] as const)
    it(`apply in the daily cleanup with ${name}`, async () => {
      const { databaseUrl } = fixture();
      await queryDatabase(databaseUrl, `truncate ${TABLES.join(', ')}, users cascade`);
      for (const table of TABLES)
        for (const age of AGES) await insertAgedRows(databaseUrl, table, `${age} days`);
      await runCleanup(environment);
      for (const table of TABLES) {
        const limit = ['mail_outbox', 'sent_mails', 'service_mails', 'events'].includes(table)
          ? shortDays
          : days;
        const kept = AGES.filter((age) => age < limit).map((age) => `${age} days`);
        expect(await getAgesIn(databaseUrl, table), table).to.have.members(kept);
      }
    });
});
