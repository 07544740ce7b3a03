import './record-responses.ts';
import {
  createRunDirectories,
  removeRunDirectories,
  startPreparations,
  stopPreparations,
} from './test-run.ts';

let runDirectories: string[] = [];

// The main process ends a worker with SIGTERM. Without a listener, Node would skip the exit handlers that
// stop servers.
if (process.env['MOCHA_WORKER_ID'] !== undefined) process.once('SIGTERM', () => process.exit(1));

/** Mocha calls it once, before it starts the workers. */
export const mochaGlobalSetup = async (): Promise<void> => {
  runDirectories = await createRunDirectories();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void removeRunDirectories(runDirectories).finally(() => process.exit(1)));
};

/** In parallel mode, Mocha calls them for each file. */
export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    this.timeout(0);
    await startPreparations();
  },
  afterAll: stopPreparations,
};

/** Mocha calls it once, after the last test and the end of the workers. */
export const mochaGlobalTeardown = (): Promise<void> => removeRunDirectories(runDirectories);
