import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { type NodeProcess, runScript, startService } from '@platform/shared/testing/process';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { createEmptyDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import { getEnvironment } from '../testing/auth-service.ts';

const isSecret = (name: string): boolean => /_KEY$|_URL$/.test(name);

describe('secrets as files: migrations, operator commands and auth-service', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let records: Records;
  let folder: string;
  let authUrl: string;
  let migration: { code: number | null; output: string };
  const started: NodeProcess[] = [];
  before(async () => {
    database = await createEmptyDatabase();
    redis = await createTestRedis();
    records = createRecords(database.url);
    folder = await mkdtemp(join(tmpdir(), 'secret-files-'));
    authUrl = await withLoginOf('auth', database.url);
    const urls = await toFiles({ DATABASE_URL: database.url, AUTH_DATABASE_URL: authUrl });
    migration = await runScript('migrate/src/run-migrations.ts', [], urls);
  });
  after(async () => {
    for (const service of started) service.kill();
    await records.close();
    await redis.drop();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  /** Replaces each secret by the path of a file, as docker-compose.yml does. */
  const toFiles = async (environment: Record<string, string>): Promise<Record<string, string>> =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(environment).map(async ([name, value]) => {
          if (!isSecret(name)) return [name, value] as const;
          const path = join(folder, name.toLowerCase());
          await writeFile(path, `${value}\n`);
          return [`${name}_FILE`, path] as const;
        }),
      ),
    );

  const start = (environment: Record<string, string>): NodeProcess => {
    const ports = { AUTH_API_PORT: '0', AUTH_OPS_PORT: '0', DRAIN_SECONDS: '0' };
    const service = startService('auth-service', { ...environment, ...ports });
    started.push(service);
    return service;
  };

  it('migrates the schema and creates the logins', () => {
    expect(migration.output).to.match(/^Ran 0001-schema/);
    expect(migration.code).to.equal(0);
  });

  it('runs role:assign and cleanup:tokens', async () => {
    const { email } = await records.user([], { email: uniqueEmail(), isEmailVerified: true });
    const files = await toFiles({ DATABASE_URL: authUrl, ADMIN_ALLOWED_DOMAINS: 'example.com' });
    const assigned = await runScript('auth-service/src/run-role-assign.ts', [email, 'OPERATOR'], files);
    expect(assigned.output).to.match(new RegExp(`^${email} is now OPERATOR\\.`));
    expect(assigned.code).to.equal(0);
    const owner = await toFiles({ DATABASE_URL: database.url });
    const cleaned = await runScript('mailer-worker/src/run-cleanup.ts', [], owner);
    expect(cleaned).to.deep.equal({ code: 0, output: 'Deleted 0 expired token records.\n' });
  });

  it('starts auth-service, which signs users in and shows no secret in its environment and log', async () => {
    const given = { ...getEnvironment(authUrl), REDIS_URL: redis.url, LOG_LEVEL: 'trace' };
    const service = start(await toFiles(given));
    const { url, opsUrl } = await service.listening();
    expect((await fetch(`${opsUrl}/readyz`)).status).to.equal(200);
    const client = createAuthClient(url, CUSTOMER);
    const { email } = await client.createAccount();
    expect(
      (await client.signIn({ fingerprint: 'device', body: { email, password: PASSWORD } })).status,
    ).to.equal(200);
    const seen = `${await readFile(`/proc/${service.pid}/environ`, 'utf8')}${service.output()}`;
    for (const [name, value] of Object.entries(given))
      if (isSecret(name)) expect(seen.includes(value), name).to.equal(false);
    expect(seen).to.include('CODE_SECRET_KEY_FILE=');
    expect(await service.stop()).to.include({ code: 0 });
  });
});
