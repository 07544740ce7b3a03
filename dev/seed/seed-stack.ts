import { join } from 'node:path';
import { findSecret, splitList } from '@platform/shared/config/env';
import type { Secret } from '@platform/shared/config/secrets';
import { nodeCommand } from '../child-process.ts';
import type { StackConfig } from '../config.ts';
import { loadSecrets } from '../data-dir.ts';
import { runCommand } from '../run-command.ts';
import type { Addresses } from '../services.ts';
import type { StackRun } from '../stack-state.ts';
import type { Preparation } from '../start-engines.ts';
import { seedDemoData } from './seed-demo-data.ts';

/** The keys that auth-service uses: those of the environment, otherwise that of the data directory. */
export const getSecondFactorKey = ({ env, dataDir }: StackConfig): Secret => ({
  current: findSecret(env, 'SECOND_FACTOR_KEY') ?? loadSecrets(dataDir).SECOND_FACTOR_KEY,
  previous: splitList(findSecret(env, 'SECOND_FACTOR_KEY_PREVIOUS') ?? ''),
});

/** The demo data is inserted by SQL, which adds no events. */
const addDemoEvents = async (run: StackRun, { config, logFile }: Preparation, DATABASE_URL: string) => {
  const env = { ...config.env, DATABASE_URL, DATABASE_URL_FILE: undefined };
  const entry = join(config.root, 'admin-service/src/run-events-backfill.ts');
  const command = nodeCommand(entry, env, config.root, logFile('events-backfill'));
  await runCommand(command, 'The events of the demo data could not be added', run.stopping.signal);
};

/** Inserts the demo data, if the stack has some. Returns the accounts that this start has created. */
export const seed = async (
  run: StackRun,
  preparation: Preparation,
  { databaseUrl, databaseUrls }: Addresses,
): Promise<string[]> => {
  const { config, logFile } = preparation;
  if (!config.seed.enabled) return [];
  const options = { databaseUrl, ...config.seed, secondFactorKey: getSecondFactorKey(config) };
  const done = 'The demo data is complete';
  return await run.progress.run(
    { name: 'demo data', done, logFile: logFile('events-backfill') },
    async () => {
      const seeded = await seedDemoData(options);
      await addDemoEvents(run, preparation, databaseUrls.admin);
      return seeded;
    },
  );
};
