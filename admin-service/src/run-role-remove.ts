import { findDatabaseUrl, runCli } from '@platform/shared/config/cli';
import { ConfigError } from '@platform/shared/config/env';
import { connectDatabase, createInTransaction } from '@platform/shared/db/database';
import { AppError } from '@platform/shared/errors/app-error';
import { createStores } from './stores.ts';
import { createUserService } from './users/users-service.ts';

// `npm run role:remove -- <email>`: for a compromised administrator, whom nobody can block while the role is held.

const remove = async (email: string): Promise<string> => {
  const database = connectDatabase({
    url: await findDatabaseUrl(process.env),
    applicationName: 'role-remove',
    maxConnections: 1,
    onError: () => undefined,
  });
  const users = createUserService({
    stores: createStores(database),
    inTransaction: createInTransaction(database, (transaction) => createStores(transaction)),
  });
  try {
    const context = { requestId: 'role-remove', address: 'command line' };
    const role = await users.removePlatformRoleByEmail(email, context);
    return `${email} is no longer ${role}. All sessions have ended.`;
  } finally {
    await database.close();
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
