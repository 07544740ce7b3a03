import { runCli } from '@platform/shared/config/cli';
import { ConfigError, readEnvironment } from '@platform/shared/config/env';
import { NO_LOG, withCommandDatabase } from '@platform/shared/db/command-database';
import { hashCostVariables } from './config.ts';
import { createLineParser } from './import/import.ts';
import { createImportFile } from './import/import-file-adapter.ts';
import { createImportService } from './import/import-service.ts';
import { bindStores } from './stores.ts';

// `npm run users:import -- [--dry-run] <file.jsonl>`: creates the accounts of users of another system.

const CONTEXT = { requestId: 'users-import', address: 'command line' };

/** @throws ConfigError if lines are rejected; the others are imported */
const importUsers = (path: string, isDryRun: boolean): Promise<string> =>
  withCommandDatabase('users-import', async (database) => {
    const file = createImportFile(path);
    const { validate, write, counts } = createImportService({
      ...bindStores(database, NO_LOG),
      parse: createLineParser(readEnvironment(process.env, hashCostVariables).BCRYPT_COST),
      file,
      context: CONTEXT,
      report: (progress) => process.stderr.write(`${progress}\n`),
    });
    await file.removeRejected();
    await validate();
    if (!isDryRun) await write();
    const result = `${isDryRun ? 'Can import' : 'Imported'} ${counts.new} users; ${counts.known} were known.`;
    if (counts.rejected === 0) return result;
    throw new ConfigError(`${result} Rejected ${counts.rejected} lines: ${file.rejectedPath}`);
  });

await runCli(async () => {
  const args = process.argv.slice(2);
  const [path, ...others] = args.filter((each) => each !== '--dry-run');
  if (path === undefined || others.length > 0)
    throw new ConfigError('Usage: npm run users:import -- [--dry-run] <file.jsonl>');
  return await importUsers(path, args.includes('--dry-run'));
});
