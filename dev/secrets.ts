import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, errorText, StackError } from './stack-error.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

const names = [
  'JWT_CUSTOMER_ACCESS_SECRET_KEY',
  'JWT_CUSTOMER_REFRESH_SECRET_KEY',
  'JWT_EMPLOYEE_ACCESS_SECRET_KEY',
  'JWT_EMPLOYEE_REFRESH_SECRET_KEY',
  'JWT_ADMIN_ACCESS_SECRET_KEY',
  'JWT_ADMIN_REFRESH_SECRET_KEY',
  'CODE_SECRET_KEY',
  'POSTGRES_PASSWORD',
  'AUTH_DATABASE_PASSWORD',
  'ADMIN_DATABASE_PASSWORD',
  'WORKER_DATABASE_PASSWORD',
] as const;

export type Secrets = Record<(typeof names)[number], string>;

const readStored = (file: string): Record<string, unknown> => {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof stored === 'object' && stored !== null) return { ...stored };
    throw new Error('it holds no JSON object');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw new StackError(`${file} cannot be used: ${errorText(error)}`);
  }
};

/**
 * The stack's own secrets: made once for a data directory, so that sessions and the database outlive a restart.
 * @throws StackError when the stored ones cannot be read
 */
export const loadSecrets = (dataDir: string): Secrets => {
  const file = join(dataDir, 'secrets.json');
  const stored = readStored(file);
  const kept = names.map((name) => {
    const value = stored[name];
    return [name, typeof value === 'string' && value !== '' ? value : undefined] as const;
  });
  const secrets = kept.map(
    ([name, value]) => [name, value ?? randomBytes(36).toString('base64url')] as const,
  );
  if (kept.some(([, value]) => value === undefined)) {
    writeFileAtomically(file, `${JSON.stringify({ ...stored, ...Object.fromEntries(secrets) }, null, 2)}\n`);
  }
  return Object.fromEntries(secrets) as Secrets;
};
