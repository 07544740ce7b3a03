import { findDatabaseUrl, runCli } from '@platform/shared/config/cli';
import { ConfigError } from '@platform/shared/config/env';
import { connectDatabase, createInTransaction } from '@platform/shared/db/database';
import { AppError } from '@platform/shared/errors/app-error';
import { createStores } from './stores.ts';
import { createUserService } from './users/users-service.ts';

// `npm run role:remove -- <email>`: for a compromised administrator, whom nobody can block while the role is held.

/** The command prints one line. */
const NO_LOG = { info: () => undefined };

const remove = async (email: string): Promise<string> => {
  const { database, close } = connectDatabase({
    url: await findDatabaseUrl(process.env),
    applicationName: 'role-remove',
    maxConnections: 1,
    onError: () => undefined,
  });
  const users = createUserService({
    stores: createStores(database, NO_LOG),
    inTransaction: createInTransaction(database, (transaction) => createStores(transaction, NO_LOG)),
  });
  try {
    const context = { requestId: 'role-remove', address: 'command line' };
    const role = await users.removePlatformRoleByEmail(email, context);
    return `${email} is no longer ${role}. All sessions have ended.`;
  } finally {
    await close();
  }
};

const [email] = process.argv.slice(2);
await runCli(async () => {
  if (email === undefined) throw new ConfigError('Usage: npm run role:remove -- <email>');
  try {
    return await remove(email);
  } catch (error) {
    throw error instanceof AppError ? new ConfigError(`${error.code}: ${error.message}`) : error;
  }
});
