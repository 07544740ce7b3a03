import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectDatabase } from '@platform/shared/db/database';
import { AppError } from '@platform/shared/errors/app-error';
import type { PlatformRole } from './accounts/account.ts';
import { createRoleService } from './accounts/roles-service.ts';
import { createAdmission } from './admission.ts';
import { createTransactor } from './stores.ts';

// `npm run role:assign -- <email> <role>`: OPERATOR and ARBITER are made in no other way.

const ROLES: readonly string[] = ['OPERATOR', 'ARBITER', 'ADMIN'] satisfies PlatformRole[];
const isRole = (role: string | undefined): role is PlatformRole => role !== undefined && ROLES.includes(role);

/** The database named by the environment, else that of the embedded stack that is running. */
const findDatabaseUrl = async (): Promise<string> => {
  const { DATABASE_URL, DATA_DIR } = process.env;
  if (DATABASE_URL) return DATABASE_URL;
  const stack: { databaseUrl: string } = JSON.parse(
    await readFile(join(DATA_DIR || '.data', 'stack.json'), 'utf8'),
  );
  return stack.databaseUrl;
};

const assign = async (email: string, role: PlatformRole): Promise<string> => {
  const database = connectDatabase({
    url: await findDatabaseUrl(),
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

const explain = (error: unknown): string => {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    return 'No database: set DATABASE_URL, or start the embedded stack (npm start).';
  return String(error);
};

const [email, role] = process.argv.slice(2);
if (email === undefined || !isRole(role)) {
  console.error(`Usage: npm run role:assign -- <email> <${ROLES.join('|')}>`);
  process.exitCode = 1;
} else {
  try {
    console.log(await assign(email, role));
  } catch (error) {
    console.error(explain(error));
    process.exitCode = 1;
  }
}
