import { setTimeout as delay } from 'node:timers/promises';
import { isFullyReady } from '@platform/dev/ports';
import { freezePostgres, freezeProcess, type Thaw } from '@platform/shared/testing/freeze';
import { waitFor } from '@platform/shared/testing/poll';
import { type RunningStack, type StackFile, startStack } from '@platform/shared/testing/stack';
import { watchStack } from '@platform/shared/testing/watch-processes';
import { expect } from 'chai';
import { scrape } from '../../system/scrape.ts';

/** Longer than the timeouts of a metrics read, a query and a lost connection. */
const FROZEN_SECONDS = 10;

const ENGINES = {
  Redis: {
    freeze: async ({ pids }: StackFile): Promise<Thaw> => freezeProcess(pids.redis),
    metric: 'mail_queue_jobs',
  },
  Postgres: {
    freeze: ({ pids, databaseUrl }: StackFile): Promise<Thaw> => freezePostgres(databaseUrl, pids.postgres),
    metric: 'mail_outbox_rows',
  },
};

describe('metrics during an outage', () => {
  let running: RunningStack;
  let thaw: Thaw | undefined;
  before('start a stack', async () => {
    running = await startStack();
  });
  afterEach('thaw the engine', async () => {
    await thaw?.();
    thaw = undefined;
  });
  after('stop the stack', () => running?.stop());

  /** Returns the metrics of the worker that are read from an engine. */
  const readMetrics = async (): Promise<string[]> => {
    const names = new Set((await scrape(running.stack, 'worker')).map(({ name }) => name));
    return Object.values(ENGINES)
      .map(({ metric }) => metric)
      .filter((metric) => names.has(metric));
  };

  for (const [engine, { freeze, metric }] of Object.entries(ENGINES))
    it(`come from every process while ${engine} is frozen, and no process ends`, async () => {
      const { opsUrls, pids } = running.stack;
      const watching = watchStack(running);
      thaw = await freeze(running.stack);
      await delay(FROZEN_SECONDS * 1_000);
      const others = Object.values(ENGINES).flatMap((each) => (each.metric === metric ? [] : [each.metric]));
      expect(await readMetrics()).to.deep.equal(others);
      await thaw();
      thaw = undefined;
      for (const [name, opsUrl] of Object.entries(opsUrls))
        await waitFor(`${name} is ready again`, () => isFullyReady(opsUrl));
      await waitFor(`${metric} is back`, async () => (await readMetrics()).includes(metric));
      const { counts, failures } = await watching.stop();
      expect(failures).to.deep.equal([]);
      for (const name of Object.keys(opsUrls)) expect(counts[name], name).to.be.at.least(FROZEN_SECONDS - 1);
      expect((await running.read()).pids).to.deep.equal(pids);
    });
});
