import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a directory for the data of engines. At the latest, it is deleted after the run. */
export const createDataDirectory = async (prefix: string): Promise<string> => {
  const directory = await mkdtemp(join(process.env['TEST_DATA_PARENT'] ?? tmpdir(), prefix));
  await chmod(directory, 0o755); // Postgres runs as another account when the tests run as root.
  return directory;
};

/** The process that uses a data directory. */
export const PROCESS_FILE = 'process.pid';

/** Makes the deletion of the run's data wait for this process, also while it starts. */
export const registerProcess = (directory: string, pid: number): Promise<void> =>
  writeFile(join(directory, PROCESS_FILE), String(pid));
