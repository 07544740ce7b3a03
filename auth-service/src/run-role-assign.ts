import { findDatabaseUrl } from '@platform/shared/config/database-url';
import { ConfigError } from '@platform/shared/config/env';
import { runCommand } from '@platform/shared/config/run-command';
import { connectDatabase } from '@platform/shared/db/database';
import { AppError } from '@platform/shared/errors/app-error';
import type { PlatformRole } from './accounts/account.ts';
import { createRoleService } from './accounts/roles-service.ts';
import { createAdmission } from './admission.ts';
import { createTransactor } from './stores.ts';

// `npm run role:assign -- <email> <role>`: OPERATOR and ARBITER are made in no other way.

const ROLES: readonly string[] = ['OPERATOR', 'ARBITER', 'ADMIN'] satisfies PlatformRole[];
const isRole = (role: string | undefined): role is PlatformRole => role !== undefined && ROLES.includes(role);

const assign = async (email: string, role: PlatformRole): Promise<string> => {
  const database = connectDatabase({
    url: await findDatabaseUrl(process.env),
    applicationName: 'role-assign',
    maxConnections: 1,
    onError: () => undefined,
  });
  const domains = (process.env.ADMIN_ALLOWED_DOMAINS || 'example.com').toLowerCase().split(/[ ,]+/);
  const admission = createAdmission({ administrator: domains });
  const { assignRole } = createRoleService({
    inTransaction: createTransactor(database),
    requireAllowedDomain: (address) => admission.requireAllowedDomain('administrator', address),
  });
  try {
    await assignRole(email, role, { requestId: 'role-assign', address: 'command line' });
    return `${email} is now ${role}.`;
  } finally {
    await database.close();
  }
};

const [email, role] = process.argv.slice(2);
await runCommand(async () => {
  if (email === undefined || !isRole(role))
    throw new ConfigError(`Usage: npm run role:assign -- <email> <${ROLES.join('|')}>`);
  try {
    return await assign(email, role);
  } catch (error) {
    throw error instanceof AppError ? new ConfigError(`${error.code}: ${error.message}`) : error;
  }
});
