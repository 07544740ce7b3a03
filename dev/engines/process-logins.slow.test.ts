import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readProcessUrls } from '@platform/migrate/logins';
import { migrateDatabase } from '@platform/migrate/migrate';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import { reservePorts } from '../ports.ts';
import type { SupervisedProcess } from '../supervisor.ts';
import { useTemporaryDirectory } from '../testing/temporary-directory.ts';
import { type PostgresUrls, startPostgres } from './postgres.ts';

const ROOT = join(import.meta.dirname, '../..');
const LOGIN = 'postgres://service:secret@127.0.0.1/platform';
const GROUP_ROLES = 'platform_auth, platform_admin, platform_worker';

/** Runs `npm run migrate` as an operator does; rejects if the exit code is not 0. */
const runScript = async (environment: Record<string, string>): Promise<string> => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, ['migrate/src/run-migrations.ts'], {
    cwd: ROOT,
    env,
  });
  return stdout.trim();
};

/** Does in this process what `npm run migrate` does, and returns its notes. */
const migrateAs = async (url: string, environment: Record<string, string> = {}): Promise<string> =>
  (await migrateDatabase(url, readProcessUrls(environment))).notes.join('\n');

const toVariables = ({ auth, admin, worker }: PostgresUrls['processUrls']) => ({
  AUTH_DATABASE_URL: auth,
  ADMIN_DATABASE_URL: admin,
  WORKER_DATABASE_URL: worker,
});

const getFailure = async (work: Promise<unknown>): Promise<string> => {
  const { message, stderr }: Error & { stderr?: string } = await getRejection(work);
  return stderr ?? message;
};

// The tests share a cluster and build on each other. At first, the superuser is the only role.
describe('database logins', () => {
  let server: (SupervisedProcess & PostgresUrls) | undefined;
  const directory = useTemporaryDirectory(async () => server?.stop());
  const cluster = (): PostgresUrls => {
    if (!server) throw new Error('PostgreSQL is not running');
    return server;
  };
  const change = (url: string, parts: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string =>
    Object.assign(new URL(url), parts).href;
  const managedUrl = () =>
    change(cluster().url, { username: 'tenant', password: 'secret', pathname: '/managed' });
  const inManaged = (url: string) => change(url, { pathname: '/managed' });
  const asSuperuser = (text: string) => queryDatabase(cluster().url, text);

  before('start a PostgreSQL without any other role', async () => {
    const { any } = await reservePorts({ any: { port: 0, host: '127.0.0.1' } });
    await any.release();
    const logFile = join(directory.path, 'postgres.log');
    server = await startPostgres({
      dataDir: directory.path,
      port: any.port,
      logFile,
      settings: { fsync: 'off' },
    });
    await asSuperuser("create role tenant login nosuperuser nocreaterole password 'secret'");
    await asSuperuser('create database managed owner tenant');
    await asSuperuser('create database empty');
  });

  it('are not created by an owner without CREATEROLE, and the migration reports it in one line', async () => {
    const [ran, line, ...others] = (await runScript({ DATABASE_URL: managedUrl() })).split('\n');
    expect(ran).to.match(/^Ran 0001-schema/);
    expect(line).to.include(`may not create roles; ask an administrator to create ${GROUP_ROLES} and`);
    expect(others.filter((other) => !other.includes('large objects'))).to.deep.equal([]);
  });

  it('can create large objects until a superuser runs the command that the migration prints', async () => {
    const migrate = () => migrateAs(managedUrl());
    const [, command = ''] = /large objects.*: (revoke .*)$/m.exec(await migrate()) ?? [];
    expect(await queryDatabase(managedUrl(), 'select lo_create(0)')).to.have.length(1);
    await queryDatabase(inManaged(cluster().url), command);
    expect(await getFailure(queryDatabase(managedUrl(), 'select lo_create(0)'))).to.include(
      'permission denied',
    );
    expect(await migrate()).not.to.include('large objects');
  });

  it('get their rights at the next migration by that owner after an administrator created them', async () => {
    const { processUrls } = cluster();
    const password = new URL(processUrls.auth).password;
    await asSuperuser('create role platform_auth');
    await asSuperuser(`create role auth_service login password '${password}' in role platform_auth`);
    const variables = { AUTH_DATABASE_URL: inManaged(processUrls.auth) };
    expect(await migrateAs(managedUrl(), variables)).to.include('create platform_admin, platform_worker and');
    const read = 'select password_hash from users';
    expect(await queryDatabase(inManaged(processUrls.auth), read)).to.deep.equal([]);
    await asSuperuser('drop role auth_service');
  });

  it('are listed in the output if the owner cannot create them', async () => {
    await asSuperuser('create role platform_admin; create role platform_worker');
    const urls = toVariables(cluster().processUrls);
    expect(await migrateAs(managedUrl(), urls)).to.include(
      'ask an administrator to create auth_service, admin_service, mailer_worker and',
    );
    expect(await migrateAs(managedUrl())).to.equal('');
  });

  it('are created while another migration is creating the same group role', async () => {
    await asSuperuser(`drop owned by ${GROUP_ROLES}`);
    await queryDatabase(inManaged(cluster().url), `drop owned by ${GROUP_ROLES}; drop role ${GROUP_ROLES}`);
    const other = await holdLock(cluster().url, 'create role platform_auth');
    const migrating = migrateDatabase(cluster().url);
    await other.untilWaiting(1);
    await other.commit();
    expect((await migrating).notes).to.deep.equal([]);
  });

  it('get the passwords in the URLs, and only the rights of their process', async () => {
    const { url, processUrls } = cluster();
    await migrateAs(url, toVariables(processUrls));
    for (const own of Object.values(processUrls))
      await queryDatabase(own, 'select name from knex_migrations');
    const members = await asSuperuser(
      `select member::regrole::text || ' ' || roleid::regrole::text as name from pg_auth_members
       where roleid::regrole::text like 'platform_%' order by 1`,
    );
    expect(members.map(({ name }) => name)).to.deep.equal([
      'admin_service platform_admin',
      'auth_service platform_auth',
      'mailer_worker platform_worker',
    ]);
  });

  it('get a new password at the next migration', async () => {
    const { url, processUrls } = cluster();
    const worker = change(processUrls.worker, { password: `it's-100%25-"new"` });
    await migrateDatabase(url, { worker });
    await queryDatabase(worker, 'select 1');
    expect(await getFailure(queryDatabase(processUrls.worker, 'select 1'))).to.include(
      'password authentication',
    );
  });

  it('need a valid DATABASE_URL, which the error names', async () => {
    const failure = await getFailure(runScript({ DATABASE_URL: 'mysql://root@127.0.0.1/platform' }));
    expect(failure.trim()).to.equal('DATABASE_URL must be a URL that starts with postgres://');
  });

  for (const [what, message, urls] of [
    [
      "the owner's login",
      'AUTH_DATABASE_URL must not have the rights of the owner',
      () => ({ AUTH_DATABASE_URL: cluster().url }),
    ],
    [
      'one login for all processes',
      'must have different user names',
      () => toVariables({ auth: LOGIN, admin: LOGIN, worker: LOGIN }),
    ],
    [
      'a group role',
      'ADMIN_DATABASE_URL must have a different user name: "platform_auth" is reserved',
      () => ({ ADMIN_DATABASE_URL: 'postgres://platform_auth:secret@127.0.0.1/platform' }),
    ],
    [
      'a login whose password is not percent-encoded',
      'AUTH_DATABASE_URL must have its user and password percent-encoded',
      () => ({ AUTH_DATABASE_URL: 'postgres://auth_service:100%@127.0.0.1/platform' }),
    ],
    [
      'a login without a password',
      'must be a URL with a user name and a password',
      () => ({ WORKER_DATABASE_URL: 'postgres://mailer_worker@127.0.0.1/platform' }),
    ],
  ] as const)
    it(`cannot be ${what}, which is reported before the first migration`, async () => {
      const url = change(cluster().url, { pathname: '/empty' });
      expect(await getFailure(migrateAs(url, urls()))).to.include(message);
      const tables = "select relname from pg_class where relnamespace = 'public'::regnamespace";
      expect(await queryDatabase(url, tables)).to.deep.equal([]);
    });
});
