import { accessSync, chmodSync, constants, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { runsAsRoot } from './engines/postgres-account.ts';
import { errorText, StackError } from './stack-error.ts';

/**
 * Makes sure of the data directory and of its folder for logs.
 * @returns its real path
 * @throws StackError when it cannot be created or written
 */
export const openDataDir = (path: string): string => {
  try {
    const created = mkdirSync(path, { recursive: true });
    // As root, PostgreSQL runs as another account, which must pass through; what is to be kept from it is closed itself.
    if (created) chmodSync(path, runsAsRoot() ? 0o711 : 0o700);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const dataDir = realpathSync(path);
    mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
    return dataDir;
  } catch (error) {
    throw new StackError(
      `The data directory ${path} cannot be used: ${errorText(error)}. DATA_DIR sets another.`,
    );
  }
};
