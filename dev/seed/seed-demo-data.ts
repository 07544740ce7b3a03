import { hash } from 'bcryptjs';
import pg from 'pg';
import { type DemoAccount, demoAccounts } from './demo-people.ts';
import { hasNoContent, insertDemoContent } from './insert-demo-content.ts';

export type SeedOptions = { databaseUrl: string; password: string; bcryptCost: number };

const profileTables: Partial<Record<DemoAccount['role'], string>> = {
  CUSTOMER: 'customer_profiles',
  EMPLOYEE: 'employee_profiles',
};

const findMissing = async (client: pg.Client): Promise<DemoAccount[]> => {
  const emails = demoAccounts.map((account) => account.email);
  const { rows } = await client.query<{ email: string }>('select email from users where email = any($1)', [
    emails,
  ]);
  const existing = new Set(rows.map((row) => row.email));
  return demoAccounts.filter((account) => !existing.has(account.email));
};

/** False if the address has been registered concurrently: that account stays unchanged. */
const insertAccount = async (
  client: pg.Client,
  account: DemoAccount,
  passwordHash: string,
): Promise<boolean> => {
  const { rows } = await client.query<{ id: string }>(
    `insert into users (email, password_hash, is_email_verified) values ($1, $2, true)
     on conflict do nothing returning id`,
    [account.email, passwordHash],
  );
  const [user] = rows;
  if (!user) return false;
  await client.query('insert into user_roles (user_id, role) values ($1, $2)', [user.id, account.role]);
  const table = profileTables[account.role];
  if (table && account.profile) {
    const { firstName, lastName, phone } = account.profile;
    await client.query(
      `insert into ${table} (user_id, first_name, last_name, phone) values ($1, $2, $3, $4)`,
      [user.id, firstName, lastName, phone],
    );
  }
  return true;
};

/**
 * Creates the missing demo accounts, and the demo content if there are no projects, teams or demo people. One transaction.
 * @returns the addresses of the created accounts
 */
export const seedDemoData = async ({ databaseUrl, password, bcryptCost }: SeedOptions): Promise<string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the pending query rejects as well
  try {
    await client.connect();
    const missing = await findMissing(client);
    const isEmpty = await hasNoContent(client);
    if (missing.length === 0 && !isEmpty) return [];
    const passwordHash = await hash(password, bcryptCost); // the same for all accounts
    const created: string[] = [];
    await client.query('begin');
    for (const account of missing) {
      if (await insertAccount(client, account, passwordHash)) created.push(account.email);
    }
    if (isEmpty) await insertDemoContent(client, passwordHash, created);
    await client.query('commit');
    return created;
  } finally {
    await client.end(); // rolls back an open transaction
  }
};
