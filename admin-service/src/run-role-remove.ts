import { runCli } from '@platform/shared/config/cli';
import { ConfigError } from '@platform/shared/config/env';
import { NO_LOG, withCommandDatabase } from '@platform/shared/db/command-database';
import { AppError } from '@platform/shared/errors/app-error';
import { bindStores } from './stores.ts';
import { userNotFound } from './users/user.ts';
import { createUserService } from './users/users-service.ts';

// `npm run role:remove -- [--erase] <email>` is for a compromised administrator, who cannot be blocked while
// they have the role. The account of a user who is only an administrator would become useless; `--erase`
// deletes it.

const remove = (email: string, erase: boolean): Promise<string> =>
  withCommandDatabase('role-remove', async (database) => {
    const bound = bindStores(database, NO_LOG);
    const users = createUserService(bound);
    const context = { requestId: 'role-remove', address: 'command line' };
    const id = await bound.stores.users.findId(email.toLowerCase());
    if (id === undefined) throw userNotFound();
    const role = await users.removePlatformRole(id, { erase, context });
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
