import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const findPlace = (link: string): string | undefined => {
  try {
    return realpathSync(link);
  } catch {
    return undefined; // no database was made
  }
};

/**
 * Creates a directory for the tests of one `describe` and deletes it after them, together with the database,
 * which may be elsewhere (postgres-paths.ts). `release` first ends the processes that use it.
 */
export const useTemporaryDirectory = (release?: (path: string) => Promise<unknown>): { path: string } => {
  const directory = { path: '' };
  before(() => {
    directory.path = realpathSync(mkdtempSync(join(tmpdir(), 'platform-dev-')));
  });
  after(async () => {
    try {
      await release?.(directory.path);
    } finally {
      const cluster = findPlace(join(directory.path, 'postgres'));
      for (const place of [directory.path, cluster])
        if (place) rmSync(place, { recursive: true, force: true });
    }
  }).timeout(20_000);
  return directory;
};
