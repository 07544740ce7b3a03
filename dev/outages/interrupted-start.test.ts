import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@platform/shared/testing/poll';
import { type StackFile, spawnStack, waitUntilReady } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { DEMO_USERS, listUsers } from '../testing/demo-users.ts';
import { killStackProcesses, listStackProcesses } from '../testing/stack-processes.ts';
import { useTemporaryDirectory } from '../testing/temporary-directory.ts';

const readLog = (dataDir: string): string => {
  const file = join(dataDir, 'logs', 'postgres.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

const isUnfinished = (name: string) => name.startsWith('postgres.new-');
const hasUnfinished = (dataDir: string) => readdirSync(dataDir).some(isUnfinished);

/** The steps of a first start, and how a test notices that each has begun. */
const steps: Record<string, (dataDir: string) => boolean> = {
  'the start of initdb': hasUnfinished,
  'the end of initdb': (dataDir) => /syncing data to disk|running bootstrap/.test(readLog(dataDir)),
  'the creation of the database': (dataDir) => readLog(dataDir).includes('ready to accept connections'),
  'the start of the services': (dataDir) => existsSync(join(dataDir, 'logs', 'auth-service.log')),
};

describe('interrupted first start', () => {
  for (const [step, hasBegun] of Object.entries(steps))
    describe(`at ${step}`, () => {
      const directory = useTemporaryDirectory(killStackProcesses);
      // The account of PostgreSQL must be able to enter it; the cluster would be elsewhere.
      before(() => chmodSync(directory.path, 0o755));
      const spawn = () => spawnStack(directory.path, { SEED_DEMO: '' }, { detached: true });
      const interrupt = async (signal: NodeJS.Signals) => {
        const stack = spawn();
        await waitFor(step, () => stack.hasExited() || hasBegun(directory.path));
        expect(stack.output(), 'not ready yet').to.not.include('is ready');
        process.kill(-stack.pid, signal);
        const exit = await stack.waitForExit(30);
        return { exit, output: stack.output() };
      };

      it('stops cleanly on Ctrl-C, and the next start has all data, also after kill -9', async () => {
        const { exit, output } = await interrupt('SIGINT');
        expect(exit, output).to.include({ code: 0, signal: null });
        expect(output.trim()).to.equal('Stopping. A second Ctrl-C kills everything at once.');
        expect(listStackProcesses(directory.path)).to.deep.equal([]);
        expect(hasUnfinished(directory.path)).to.equal(false);
        if (step.includes('initdb')) expect((await interrupt('SIGKILL')).exit.signal).to.equal('SIGKILL');

        const stack = spawn();
        const { databaseUrl }: StackFile = await waitUntilReady(directory.path, stack);
        expect(await listUsers(databaseUrl)).to.deep.equal(DEMO_USERS);
        expect(hasUnfinished(directory.path)).to.equal(false);
        await stack.stop(30);
      });
    });
});
