import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { readConfig } from '../src/config.ts';
import { WORKER_ENVIRONMENT } from './compose-worker.ts';
import { useMailPlatform } from './mail-platform.ts';
import { agesLeftIn, insertOldRows, TABLES } from './old-rows.ts';

const VARIABLES = {
  AUDIT_RETENTION_DAYS: { fallback: 365, tables: ['audit_records'] },
  SESSION_RETENTION_DAYS: { fallback: 365, tables: ['sessions'] },
  CONTACT_RETENTION_DAYS: { fallback: 365, tables: ['lead_requests', 'support_requests'] },
  FAILED_MAIL_RETENTION_DAYS: { fallback: 30, tables: ['mail_outbox'] },
} as const;
const AGES = [9, 29, 31, 364, 366];

describe('retention settings', () => {
  const platform = useMailPlatform();

  const retentionOf = (environment: Record<string, string>) =>
    readConfig({
      ...WORKER_ENVIRONMENT,
      DATABASE_URL: 'postgres://localhost/platform',
      REDIS_URL: 'redis://localhost',
      SMTP_URL: 'smtp://localhost',
      ...environment,
    }).retention;

  for (const [variable, { fallback, tables }] of Object.entries(VARIABLES)) {
    it(`${variable} is ${fallback} unless set`, () => {
      for (const table of tables) {
        expect(retentionOf({})[table]).to.equal(fallback);
        expect(retentionOf({ [variable]: '' })[table]).to.equal(fallback);
        expect(retentionOf({ [variable]: '90' })[table]).to.equal(90);
      }
    });

    it(`${variable} refuses what is not a number of days`, () => {
      for (const value of ['-1', '1.5', 'a year', '36501'])
        expect(() => retentionOf({ [variable]: value }), value).to.throw(variable);
    });
  }

  const runNow = async (environment: Record<string, string>): Promise<void> => {
    const { redis, startWorker } = platform();
    const worker = await startWorker(environment);
    const queue = new Queue('maintenance', { connection: redis.client });
    await queue.add('remove-expired-tokens', undefined);
    await waitFor('the cleanup ends', async () => (await queue.getCompletedCount()) === 1);
    await queue.close();
    await worker.stop();
  };
  const all = (days: string) => Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, days]));

  for (const [name, environment, days, mailDays] of [
    ['10 days each', all('10'), 10, 10],
    ['the defaults', {}, 365, 30],
    ['0, which keeps rows forever', all('0'), Infinity, Infinity],
  ] as const)
    it(`hold in the nightly cleanup with ${name}`, async () => {
      const { databaseUrl } = platform();
      await queryDatabase(databaseUrl, `truncate ${TABLES.join(', ')}, users cascade`);
      for (const table of TABLES)
        for (const age of AGES) await insertOldRows(databaseUrl, table, `${age} days`);
      await runNow(environment);
      for (const table of TABLES) {
        const limit = table === 'mail_outbox' ? mailDays : days;
        const kept = AGES.filter((age) => age < limit).map((age) => `${age} days`);
        expect(await agesLeftIn(databaseUrl, table), table).to.have.members(kept);
      }
    });
});
