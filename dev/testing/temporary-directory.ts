import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeData } from '@platform/shared/testing/stack';

/**
 * Creates a directory for the tests of one `describe` and deletes it after them, together with the database.
 * `release` first ends the processes that use it.
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
      await removeData(directory.path);
    }
  });
  return directory;
};
