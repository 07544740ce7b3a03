import { readEmbeddedStack, runCli } from '@platform/shared/config/cli';
import { ConfigError, readEnvironment } from '@platform/shared/config/env';
import { NO_LOG, withCommandDatabase } from '@platform/shared/db/command-database';
import { AppError } from '@platform/shared/errors/app-error';
import {
  isPlatformRole,
  PLATFORM_ROLES,
  type PlatformRole,
} from '@platform/shared/platform/access/platform-role';
import { allowedDomainVariables } from './config.ts';
import { createRoleService } from './roles/roles-service.ts';
import { bindStores } from './stores.ts';

// `npm run role:assign -- <email> <role>`: for the first roles, before an ADMIN can assign them.

/**
 * ADMIN_ALLOWED_DOMAINS, or the setting of the embedded stack if its database is used.
 * @throws ConfigError if neither is set, because a default could admit an attacker
 */
const findAllowedDomains = async (databaseUrl: string): Promise<string[]> => {
  const stack = await readEmbeddedStack(process.env);
  const stackDomains = stack?.databaseUrl === databaseUrl ? stack.adminAllowedDomains : undefined;
  const domains = process.env.ADMIN_ALLOWED_DOMAINS || (stackDomains ?? undefined);
  return readEnvironment({ ADMIN_ALLOWED_DOMAINS: domains }, allowedDomainVariables).ADMIN_ALLOWED_DOMAINS;
};

const assign = (email: string, role: PlatformRole): Promise<string> =>
  withCommandDatabase('role-assign', async (database, url) => {
    const { assignRole } = createRoleService({
      inTransaction: bindStores(database, NO_LOG).inTransaction,
      adminAllowedDomains: await findAllowedDomains(url),
    });
    const context = { requestId: 'role-assign', address: 'command line' };
    const { hasTotp, passkeys } = await assignRole(email, role, context);
    const factors = [
      ...(hasTotp ? ['an authenticator app'] : []),
      ...passkeys.map((name) => `passkey ${JSON.stringify(name)}`),
    ];
    return `${email} is now ${role}. Second factors: ${factors.join(', ') || 'none'}. All sessions have ended.`;
  });

const [email, role] = process.argv.slice(2);
await runCli(async () => {
  if (email === undefined || !isPlatformRole(role))
    throw new ConfigError(`Usage: npm run role:assign -- <email> <${PLATFORM_ROLES.join('|')}>`);
  try {
    return await assign(email, role);
  } catch (error) {
    throw error instanceof AppError ? new ConfigError(`${error.code}: ${error.message}`) : error;
  }
});
