import { join } from 'node:path';
import { findPageNames } from '@platform/shared/config/pages';
import { nodeCommand } from './child-process.ts';
import type { StackConfig } from './config.ts';
import { runCommand } from './run-command.ts';

/** Whether the gateway serves the console and the account pages. */
export const listPages = ({ env }: Pick<StackConfig, 'env'>) =>
  findPageNames({ NODE_ENV: env.NODE_ENV || 'development', PAGES: env.PAGES || undefined });

/**
 * The folder of the built pages, which is in the data directory, so that two stacks of one checkout do not
 * overwrite each other's; undefined if the gateway serves no pages.
 */
export const findPagesDir = (config: Pick<StackConfig, 'dataDir' | 'env'>): string | undefined =>
  listPages(config).length === 0 ? undefined : join(config.dataDir, 'pages');

/** @throws StackError with the end of the log */
export const buildPages = async (
  { root, env }: Pick<StackConfig, 'root' | 'env'>,
  directory: string,
  logFile: string,
  signal: AbortSignal,
): Promise<void> => {
  // Otherwise Vite would build React with the checks of development.
  const command = nodeCommand(
    join(root, 'web/run-build.ts'),
    { ...env, NODE_ENV: 'production' },
    root,
    logFile,
  );
  const withDirectory = { ...command, args: [...command.args, directory] };
  await runCommand(withDirectory, 'The pages could not be built', signal);
};
