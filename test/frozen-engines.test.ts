import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@platform/shared/testing/eventually';
import { freezePostgres, freezeRedis, type Thaw } from '@platform/shared/testing/freeze';
import { scrapeStack } from '@platform/shared/testing/scrape-metrics';
import { type RunningStack, type StackFile, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';

/** Longer than every limit of a reading, a query or a lost connection. */
const FROZEN_SECONDS = 10;

const FREEZES: Record<string, (stack: StackFile) => Promise<Thaw> | Thaw> = {
  Redis: ({ pids }) => freezeRedis(pids.redis),
  Postgres: ({ pids, databaseUrl }) => freezePostgres(databaseUrl, pids.postgres),
};

describe('Metrics during an outage', function () {
  this.timeout(60_000);
  let running: RunningStack;
  let thaw: Thaw | undefined;
  before('start a stack', async () => {
    running = await startStack();
  });
  afterEach('thaw what is frozen', async () => {
    await thaw?.();
    thaw = undefined;
  });
  after('stop the stack', () => running?.stop());

  const isReady = async (opsUrl: string) => (await fetch(`${opsUrl}/readyz`)).ok;

  for (const [engine, freeze] of Object.entries(FREEZES))
    it(`every process serves its metrics and lives on while ${engine} is frozen`, async () => {
      const { opsUrls, pids } = running.stack;
      const scraping = scrapeStack(running.stack);
      thaw = await freeze(running.stack);
      await delay(FROZEN_SECONDS * 1_000);
      await thaw();
      thaw = undefined;
      for (const [name, opsUrl] of Object.entries(opsUrls))
        await eventually(`${name} is ready again`, () => isReady(opsUrl), 20);
      const { counts, failures } = await scraping.stop();
      expect(failures).to.deep.equal([]);
      for (const name of Object.keys(opsUrls)) expect(counts[name], name).to.be.at.least(FROZEN_SECONDS - 1);
      expect((await running.read()).pids).to.deep.equal(pids);
    });
});
