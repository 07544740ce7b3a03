import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chown, copyFile, mkdir, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startPostgres } from '@platform/dev/engines/postgres';
import { startTestValkey } from '@platform/dev/testing/test-valkey';
import { createDataDirectory } from '@platform/shared/testing/data-directory';
import { queryDatabase } from '@platform/shared/testing/query-database';
import pg from 'pg';
import type { BenchRun } from '../bench-run.ts';
import { HUGE, PLAN, RESTORED_USERS, SMALL } from '../plan.ts';
import { createSeededDatabase } from '../seed-database.ts';
import { md5Of, seedSessions } from '../seed-sessions.ts';
import { findPorts, ROOT } from '../targets/processes.ts';

// A recovery from the WAL archive, with the commands of docs/backup.md.

/** Projects would take most of the time to seed, and their share of a real database differs. */
const SIZE = { ...HUGE, users: RESTORED_USERS, projects: SMALL.projects };
const ARCHIVE_SECONDS = 60;
/** The server is lost between two segments. */
const WRITE_SECONDS = PLAN.isQuick ? 5 : 2.5 * ARCHIVE_SECONDS;
/** Together at most 200 a second, four times as many as in the busiest hour of ten million users. */
const WRITERS = 8;
const PAUSE_MILLISECONDS = 1_000 / 25;
/** Copies a cluster on the local disk. An object store has its own rate. */
const COPY = `tar --create --exclude='./pg_wal/*' --exclude='./postmaster.*' --warning=no-file-changed \
  --warning=no-file-removed --directory="$0" . | tar --extract --preserve-permissions --directory="$1"`;

const exec = promisify(execFile);
/** @returns seconds */
const time = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
};

/** A folder of the account that owns the cluster. */
const createFolder = async (path: string, cluster: string): Promise<string> => {
  await mkdir(path, { mode: 0o700 });
  const { uid, gid } = await stat(cluster);
  await chown(path, uid, gid);
  return path;
};

const setArchiveCommand = async (url: string, command: string): Promise<void> => {
  await queryDatabase(url, `alter system set archive_command = '${command}'`);
  await queryDatabase(url, 'select pg_reload_conf()');
};

const takeBaseBackup = async (url: string, cluster: string, target: string): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query("select pg_backup_start('bench', true)");
    await exec('sh', ['-c', COPY, cluster, await createFolder(target, cluster)]);
    const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => true)');
    const { uid, gid } = await stat(cluster);
    await writeFile(join(target, 'backup_label'), rows[0].labelfile);
    await chown(join(target, 'backup_label'), uid, gid);
  } finally {
    await client.end();
  }
};

const SIGN_IN = `
  with signed_in as (
    update users set last_sign_in_at = now() where id = $1 returning id)
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address)
  select 'SIGNED_IN', id, 'USER', id::text, 'restore', '127.0.0.1' from signed_in`;

type Written = { count: number; startedAt: number; lastAt: number };

/** Writes like sign-ins do. @returns how many were committed, and when */
const writeSignIns = async (url: string): Promise<Written> => {
  const end = performance.now() + WRITE_SECONDS * 1_000;
  const startedAt = Date.now();
  let [count, lastAt] = [0, startedAt];
  const write = async () => {
    const client = new pg.Client(url);
    await client.connect();
    while (performance.now() < end) {
      await client.query(SIGN_IN, [md5Of(`user${1 + Math.floor(Math.random() * SIZE.users)}`)]);
      count += 1;
      lastAt = Date.now();
      await delay(PAUSE_MILLISECONDS);
    }
    await client.end();
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return { count, startedAt, lastAt };
};

/** Copies the backup, and lets PostgreSQL replay the archive. */
const recover = async (backup: string, cluster: string, archive: string, start: () => Promise<unknown>) => {
  await createFolder(cluster, backup);
  const copying = await time(() => exec('sh', ['-c', COPY, backup, cluster]));
  const { uid, gid } = await stat(cluster);
  const settings = `restore_command = 'cp ${archive}/%f %p'\narchive_command = '/bin/true'\n`;
  for (const [name, text] of [
    ['recovery.signal', ''],
    ['postgresql.auto.conf', settings],
  ] as const) {
    await writeFile(join(cluster, name), text, { mode: 0o600 });
    await chown(join(cluster, name), uid, gid);
  }
  return { copying, replaying: await time(start) };
};

const readGigabytes = async (folder: string): Promise<number> =>
  Number((await exec('du', ['--summarize', '--bytes', folder])).stdout.split('\t', 1)[0]) / 1e9;

const isInRecovery = async (url: string): Promise<boolean> =>
  (await queryDatabase<{ is: boolean }>(url, 'select pg_is_in_recovery() as is'))[0]?.is ?? true;

/** Loses a server with ten million users by default, and restores it from a base backup and the WAL archive. */
export const measureRestore = async ({ report, defer }: BenchRun): Promise<void> => {
  const [port = 0] = await findPorts(1);
  const settings = {
    shared_buffers: '1GB',
    max_wal_size: '4GB',
    archive_mode: 'on',
    archive_timeout: `${ARCHIVE_SECONDS}s`,
  };
  const startIn = (dataDir: string) =>
    startPostgres({ dataDir, port, logFile: join(dataDir, 'postgres.log'), settings });
  const createDataDir = async (): Promise<string> => {
    const directory = await createDataDirectory('bench-restore-');
    defer(() => rm(directory, { recursive: true, force: true }));
    return directory;
  };
  const dataDir = await createDataDir();
  const server = await startIn(dataDir);
  defer(() => server.stop());
  // Until the backup, the seed is not archived.
  await setArchiveCommand(server.url, '/bin/true');
  const url = await createSeededDatabase(server.url, 'huge', SIZE);
  await seedSessions(url, SIZE.users, SIZE.users);

  const cluster = await realpath(join(dataDir, 'postgres'));
  const folder = join(dirname(cluster), `restore-${randomUUID()}`);
  const place = (name: string): string => `${folder}-${name}`;
  defer(async () => {
    for (const name of ['wal', 'kept', 'base', 'cluster'])
      await rm(place(name), { recursive: true, force: true });
  });
  const archive = await createFolder(place('wal'), cluster);
  const command = `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`;
  await setArchiveCommand(server.url, command);
  const backingUp = await time(() => takeBaseBackup(server.url, cluster, place('base')));
  const { count, startedAt, lastAt } = await writeSignIns(url);
  // The server is lost now, with the segments that are not in the archive yet.
  await rename(archive, place('kept'));
  await server.stop();
  await rm(cluster, { recursive: true });

  const restoredDir = await createDataDir();
  await copyFile(join(dataDir, 'secrets.json'), join(restoredDir, 'secrets.json'));
  await symlink(place('cluster'), join(restoredDir, 'postgres'));
  const { copying, replaying } = await recover(place('base'), place('cluster'), place('kept'), async () => {
    const restored = await startIn(restoredDir);
    defer(() => restored.stop());
    while (await isInRecovery(restored.url)) await delay(200);
  });
  const [found] = await queryDatabase<{ count: number; last: Date | null }>(
    url,
    "select count(*)::int as count, max(created_at) as last from audit_records where request_id = 'restore'",
  );
  const [users] = await queryDatabase<{ count: number }>(url, 'select count(*)::int as count from users');
  if (users?.count !== SIZE.users) throw new Error(`${users?.count} users were restored`);
  const redis = await startTestValkey();
  defer(() => redis.stop());
  const env = { DATABASE_URL: url, REDIS_URL: redis.url };
  const securing = await time(() =>
    exec(process.execPath, ['migrate/src/run-restore-secure.ts'], { cwd: ROOT, env }),
  );

  const size = `${(await readGigabytes(place('base'))).toFixed(1)} GB`;
  const wal = `${(await readGigabytes(place('kept'))).toFixed(1)} GB of WAL, ${found?.count} of ${count} sign-ins`;
  const toMinutes = (seconds: number): string => (seconds / 60).toFixed(1);
  report.addTable(
    `Recovery of ${SIZE.users.toLocaleString('en-US')} users on this machine's disk`,
    ['', 'minutes', 'of'],
    [
      ['base backup, while it works', toMinutes(backingUp), size],
      ['copy of the base backup', toMinutes(copying), size],
      ['replay of the WAL, until it accepts writes', toMinutes(replaying), wal],
      ['securing it', toMinutes(securing), 'npm run restore:secure'],
      ['from the loss to the first request', toMinutes(copying + replaying + securing), 'the last three'],
    ],
  );
  report.addResult({
    name: 'recovery from the archive: committed work that is lost',
    unit: 's',
    target: { atMost: ARCHIVE_SECONDS },
    value: (lastAt - (found?.last?.getTime() ?? startedAt)) / 1_000,
    basis: `${count - (found?.count ?? 0)} of ${count} sign-ins, with archive_timeout = ${ARCHIVE_SECONDS} s`,
  });
};
