import { chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Account } from '@platform/dev/child-process';
import { errorCode } from '@platform/dev/stack-error';
import pg from 'pg';

/** Not part of a backup, or different in the standby. */
const EXCLUDED_FILES = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'postgresql.auto.conf',
  'standby.signal',
]);
/** Directories that must exist, but whose contents belong to the primary. */
const EMPTIED_DIRECTORIES = new Set(['pg_wal', 'pg_replslot', 'pg_stat_tmp', 'pg_notify', 'pg_subtrans']);

type CopyOptions = { from: string; to: string; account: Account | undefined };

/** Copies a data directory that is in use: files may disappear, and PostgreSQL restores consistency from the WAL. */
const copyDataDirectory = async ({ from, to, account }: CopyOptions): Promise<void> => {
  const own = async (path: string) => account && (await chown(path, account.uid, account.gid));
  const copy = async (directory: string): Promise<void> => {
    const target = join(to, relative(from, directory));
    await mkdir(target, { mode: 0o700 });
    await own(target);
    if (EMPTIED_DIRECTORIES.has(relative(from, directory))) return;
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) await copy(path);
      else if (!EXCLUDED_FILES.has(entry.name)) {
        const copied = join(target, entry.name);
        await copyFile(path, copied).then(
          () => own(copied),
          (error: unknown) => {
            if (errorCode(error) !== 'ENOENT') throw error;
          },
        );
      }
    }
  };
  await copy(from);
};

/** In `synchronous_standby_names`. */
export const STANDBY_NAME = 'standby';

/** What `pg_basebackup` does, which the embedded PostgreSQL lacks. The backup lasts as long as its connection. */
export const backUp = async (primaryUrl: string, options: CopyOptions): Promise<void> => {
  const client = new pg.Client({ connectionString: primaryUrl });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    await copyDataDirectory(options);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    const { hostname, port, username, password } = new URL(primaryUrl);
    const connection = `host=${hostname} port=${port} user=${username} password=${password} application_name=${STANDBY_NAME}`;
    const files = {
      backup_label: rows[0]?.labelfile ?? '',
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = '${connection}'\n`,
    };
    for (const [name, content] of Object.entries(files)) {
      const file = join(options.to, name);
      await writeFile(file, content, { mode: 0o600 });
      if (options.account) await chown(file, options.account.uid, options.account.gid);
    }
  } finally {
    await client.end();
  }
};
