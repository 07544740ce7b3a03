import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript } from '@platform/shared/testing/process';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';

export const ADMIN_ID = randomUUID();

type Line = { action: string; targetId: string; time?: string; requestId?: string };

/** A log line as pino writes it. */
export const toLine = ({
  action,
  targetId,
  time = new Date().toISOString(),
  requestId = randomUUID(),
}: Line) =>
  JSON.stringify({
    level: 'info',
    time,
    service: 'admin-service',
    requestId,
    address: '203.0.113.9',
    action,
    actorId: ADMIN_ID,
    targetType: 'USER',
    targetId,
    msg: 'audit',
  });

type UserState = { isBlocked: boolean; passwordHash: string; roles: string[] };

const createFixture = async () => {
  const database: TestDatabase = await createTestDatabase();
  const records: Records = createRecords(database.url);
  const directory = await mkdtemp(join(tmpdir(), 'restore-'));
  const run = (...args: string[]) =>
    runScript('migrate/src/run-restore-secure.ts', args, { DATABASE_URL: database.url });
  return {
    database,
    records,
    directory,
    run,
    runWithLog: async (...lines: string[]) => {
      const file = join(directory, 'changes.log');
      await writeFile(file, lines.map((line) => `${line}\n`).join(''));
      return await run(file);
    },
    stateOf: async (userId: string): Promise<UserState | undefined> => {
      const [state] = await records.query<UserState>(
        `select is_blocked as "isBlocked", password_hash as "passwordHash",
           array(select role from user_roles where user_id = u.id order by role) as roles
         from users u where id = $1`,
        [userId],
      );
      return state;
    },
    drop: async () => {
      await records.close();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** A new database for each test; the returned functions use the one of the current test. */
export const useRestoredDatabase = () => {
  let fixture: Awaited<ReturnType<typeof createFixture>> | undefined;
  beforeEach('create a database', async () => {
    fixture = await createFixture();
  });
  afterEach('drop the database', () => fixture?.drop());
  const current = () => {
    if (!fixture) throw new Error('The database is available only while the tests run');
    return fixture;
  };
  return {
    records: () => current().records,
    databaseUrl: () => current().database.url,
    directory: () => current().directory,
    run: (...args: string[]) => current().run(...args),
    runWithLog: (...lines: string[]) => current().runWithLog(...lines),
    stateOf: (userId: string) => current().stateOf(userId),
  };
};
