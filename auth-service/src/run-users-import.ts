import { runCli } from '@platform/shared/config/cli';
import { ConfigError, readEnvironment } from '@platform/shared/config/env';
import { NO_LOG, withCommandDatabase } from '@platform/shared/db/command-database';
import { hashCostVariables } from './config.ts';
import { createLineParser } from './import/import.ts';
import { openImportFile } from './import/import-file-adapter.ts';
import { createImportService } from './import/import-service.ts';
import { bindStores } from './stores.ts';

// `npm run users:import -- [--dry-run] <file.jsonl>`: creates the accounts of users of another system.

const CONTEXT = { requestId: 'users-import', address: 'command line' };

/** `1 user`, `2 users`. */
const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** @throws ConfigError if lines are rejected; the others are imported */
const importUsers = async (path: string, isDryRun: boolean): Promise<string> => {
  const file = await openImportFile(path);
  return await withCommandDatabase('users-import', async (database) => {
    const { validate, write, counts, countUnverified } = createImportService({
      ...bindStores(database, NO_LOG),
      parse: createLineParser(readEnvironment(process.env, hashCostVariables).BCRYPT_COST),
      file,
      context: CONTEXT,
      report: (progress) => process.stderr.write(`${progress}\n`),
    });
    for (const { remove } of [file.rejected, file.unverified]) await remove();
    await validate();
    if (!isDryRun) await write();
    const unverified = countUnverified();
    const result = [
      `${isDryRun ? 'Can import' : 'Imported'} ${count(counts.new, 'user')}; ${counts.known} ${counts.known === 1 ? 'was' : 'were'} known.`,
      ...(unverified > 0
        ? [`Found ${count(unverified, 'unverified account')}: ${file.unverified.path}`]
        : []),
      ...(counts.rejected > 0 ? [`Rejected ${count(counts.rejected, 'line')}: ${file.rejected.path}`] : []),
    ].join('\n');
    if (counts.rejected === 0) return result;
    throw new ConfigError(result);
  });
};

await runCli(async () => {
  const args = process.argv.slice(2);
  const [path, ...others] = args.filter((each) => each !== '--dry-run');
  if (path === undefined || others.length > 0)
    throw new ConfigError('Usage: npm run users:import -- [--dry-run] <file.jsonl>');
  return await importUsers(path, args.includes('--dry-run'));
});
