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

/** A directory for one test file; `remove` takes along a database that was put elsewhere (postgres-home.ts). */
export const createTemporaryDirectory = (): { path: string; remove(): void } => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'platform-dev-')));
  return {
    path,
    remove: () => {
      const cluster = findPlace(join(path, 'postgres'));
      for (const place of [path, cluster]) if (place) rmSync(place, { recursive: true, force: true });
    },
  };
};
