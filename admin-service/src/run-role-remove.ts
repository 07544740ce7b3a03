import { runCli } from '@platform/shared/config/cli';
import { ConfigError } from '@platform/shared/config/env';
import { NO_LOG, withCommandDatabase } from '@platform/shared/db/command-database';
import { createInTransaction } from '@platform/shared/db/database';
import { AppError } from '@platform/shared/errors/app-error';
import { createStores } from './stores.ts';
import { createUserService } from './users/users-service.ts';

// `npm run role:remove -- <email>`: for a compromised administrator, whom nobody can block while the role is held.

const remove = (email: string): Promise<string> =>
  withCommandDatabase('role-remove', async (database) => {
    const users = createUserService({
      stores: createStores(database, NO_LOG),
      inTransaction: createInTransaction(database, (transaction) => createStores(transaction, NO_LOG)),
    });
    const context = { requestId: 'role-remove', address: 'command line' };
    const role = await users.removePlatformRoleByEmail(email, context);
    return `${email} is no longer ${role}. All sessions have ended.`;
  });

const [email] = process.argv.slice(2);
await runCli(async () => {
  if (email === undefined) throw new ConfigError('Usage: npm run role:remove -- <email>');
  try {
    return await remove(email);
  } catch (error) {
    throw error instanceof AppError ? new ConfigError(`${error.code}: ${error.message}`) : error;
  }
});
