import { STACK_SECONDS } from '../src/async/patience.ts';
import { createDataDirectory, registerProcess } from './data-directory.ts';
import { waitFor } from './poll.ts';
import { startProcess } from './process.ts';
import { readStackFile, type StackFile } from './stack.ts';
import { prepareBeforeTests } from './test-run.ts';

export type Engines = Pick<StackFile, 'databaseUrl' | 'databaseUrls' | 'redisUrl'>;

const startEngines = async (): Promise<Engines> => {
  const directory = await createDataDirectory('platform-engines-');
  const { pid, hasExited, output } = startProcess(['dev/testing/run-engines.ts'], {
    environment: { ...process.env, TMPDIR: directory },
  });
  await registerProcess(directory, pid);
  const areReady = () => {
    if (hasExited()) throw new Error(`The engines did not start:\n${output()}`);
    return output().endsWith('\n') && (JSON.parse(output()) as Engines);
  };
  return await waitFor('the engines are ready', areReady, STACK_SECONDS);
};

let running: Promise<Engines> | undefined;

/**
 * The PostgreSQL and the Valkey of this process, so that each parallel worker has separate ones. With
 * TEST_STACK_DIR, the data directory of a running stack, tests use that stack, which saves time during
 * development.
 */
export const sharedEngines = (): Promise<Engines> => {
  const existing = process.env['TEST_STACK_DIR'];
  running ??= existing ? readStackFile(existing) : startEngines();
  return running;
};

prepareBeforeTests({ start: sharedEngines });
