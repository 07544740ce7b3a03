import { createRunDirectory, removeRunDirectory, startPreparations, stopPreparations } from './test-run.ts';

/** Of the main process; workers end when Mocha or Ctrl-C ends them, and their stacks with them. */
let removeData: (() => Promise<void>) | undefined;

const isWorker = process.env['MOCHA_WORKER_ID'] !== undefined;
// Otherwise Node ends without the exit handlers that stop the servers of a test.
if (isWorker) process.once('SIGTERM', () => process.exit(1));

/** Mocha calls it once, before it starts the workers. */
export const mochaGlobalSetup = async (): Promise<void> => {
  const directory = await createRunDirectory();
  removeData = () => removeRunDirectory(directory);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void removeRunDirectory(directory).finally(() => process.exit(1)));
};

/** In parallel mode, Mocha calls them for each file. */
export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    this.timeout(0);
    await startPreparations();
  },
  afterAll: stopPreparations,
};

/** Mocha calls it once, after the last test. */
export const mochaGlobalTeardown = async (): Promise<void> => removeData?.();
