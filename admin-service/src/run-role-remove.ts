import { runCli } from '@platform/shared/config/cli';
import { ConfigError } from '@platform/shared/config/env';
import { NO_LOG, withCommandDatabase } from '@platform/shared/db/command-database';
import { AppError } from '@platform/shared/errors/app-error';
import { userNotFound } from '@platform/shared/platform/accounts/account';
import { removePlatformRole } from '@platform/shared/platform/accounts/platform-roles';
import { bindTransactions } from './stores.ts';

// `npm run role:remove -- [--erase] <email>` is for a compromised administrator, who cannot be blocked while
// they have the role. The account of a user who is only an administrator would become useless; `--erase`
// deletes it.

const remove = (email: string, erase: boolean): Promise<string> =>
  withCommandDatabase('role-remove', async (database) => {
    const inTransaction = bindTransactions(database, NO_LOG);
    const context = { requestId: 'role-remove', address: 'command line' };
    const role = await inTransaction(async (stores) => {
      const account = await stores.accountChanges.lockByEmail(email.toLowerCase());
      if (!account) throw userNotFound();
      return await removePlatformRole(stores, account, { erase, context });
    });
    return `${email} is no longer ${role}. ${erase ? 'The account is deleted.' : 'All sessions have ended.'}`;
  });

await runCli(async () => {
  const args = process.argv.slice(2);
  const erase = args.includes('--erase');
  const [email] = args.filter((each) => each !== '--erase');
  if (email === undefined) throw new ConfigError('Usage: npm run role:remove -- [--erase] <email>');
  try {
    return await remove(email, erase);
  } catch (error) {
    throw error instanceof AppError ? new ConfigError(`${error.code}: ${error.message}`) : error;
  }
});
