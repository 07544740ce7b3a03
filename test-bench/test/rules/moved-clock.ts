import { globSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataDirectory } from '@platform/shared/testing/data-directory';

/** Debian's package `faketime`. */
const [LIBRARY] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');

const TIMESTAMP_FILE = 'FAKETIME_TIMESTAMP_FILE';

/** The variables of processes whose clock a file moves; undefined without libfaketime. Timeouts do not move. */
export const createClockVariables = async (): Promise<Record<string, string> | undefined> => {
  if (LIBRARY === undefined) return undefined;
  const file = join(await createDataDirectory('platform-clock-'), 'clock');
  await writeFile(file, '+0s');
  return {
    LD_PRELOAD: LIBRARY,
    [TIMESTAMP_FILE]: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
};

/** Moves the clock of this process and of all others with the same file. */
export const createClock = () => {
  const { [TIMESTAMP_FILE]: file } = process.env;
  if (file === undefined) throw new Error(`${TIMESTAMP_FILE} is not set`);
  let moved = 0;
  return {
    passTime: async (seconds: number): Promise<void> => {
      moved += seconds;
      // Renamed, because a process that reads an empty file has the real time.
      await writeFile(`${file}.new`, `+${moved}s`);
      await rename(`${file}.new`, file);
    },
    /** How many seconds the clock has been moved. */
    moved: () => moved,
  };
};
