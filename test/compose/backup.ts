import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Device } from '@platform/shared/testing/auth-client';
import type { Installation, Step } from './installation.ts';
import { createClient } from './load.ts';
import { GATEWAY_URL } from './start.ts';

const PAGE = 'backup.md';
const auth = createClient(GATEWAY_URL);
let folder = '';
let device: Device;

/** What is changed after the backup is not in the restored database, whose sessions have ended. */
const expectRestored = async ({ sh }: Installation, lostEmail: string): Promise<void> => {
  const accounts = await sh(`sql "select email from users where email = '${lostEmail}'"`);
  if (accounts.includes(lostEmail)) throw new Error(`${lostEmail} is still there`);
  await auth.expectSignedOut(device);
  device = (await auth.createAccountAndDevice()).device;
};

const archive = async ({ runBlock, directory }: Installation): Promise<void> => {
  folder = join(directory, 'backups');
  await mkdir(folder);
  await runBlock(PAGE, 'Archive the WAL', { BACKUPS: folder });
  device = (await auth.createAccountAndDevice()).device;
};

const recover = async (installation: Installation): Promise<void> => {
  const { runBlock, sh } = installation;
  const MISTAKE = (await sh(`sql 'select now()' | tail -1`)).trim();
  await auth.createAccount({ email: 'lost@example.com' });
  await runBlock(PAGE, 'A mistake');
  const BASE = `/backups/${(await sh(`ls ${folder} | grep base`)).trim()}`;
  await runBlock(PAGE, 'Recover to a point in time', { MISTAKE, BASE });
  await sh('until [[ $(sql "select pg_is_in_recovery()" | tail -1) = f ]]; do sleep 0.2; done');
  await runBlock(PAGE, 'Secure the restored database');
  await sh('docker compose up --detach --wait');
  await expectRestored(installation, 'lost@example.com');
};

const restore = async (installation: Installation): Promise<void> => {
  const { runBlock, sh } = installation;
  await runBlock(PAGE, 'Dump the database', { BACKUPS: folder });
  await auth.createAccount({ email: 'later@example.com' });
  await runBlock(PAGE, 'A mistake');
  const NAME = (await sh(`ls ${folder}/*.dump`)).trim();
  await runBlock(PAGE, 'Restore a dump', { NAME });
  await runBlock(PAGE, 'Secure the restored database');
  await sh('docker compose up --detach --wait');
  await expectRestored(installation, 'later@example.com');
};

/** A change of a setting would recreate containers, which is an outage. */
const expectNoChange = async ({ sh }: Installation): Promise<void> => {
  const list = `docker compose ps --quiet ${['gateway', 'auth-service', 'admin-service', 'mailer-worker'].join(' ')} | sort`;
  const before = await sh(list);
  await sh('docker compose up --detach --wait');
  if ((await sh(list)) !== before) throw new Error('containers were recreated');
};

const stop = async ({ sh }: Installation): Promise<void> => {
  await sh('docker compose --profile probe stop');
  const codes = await sh(
    "docker compose --profile probe ps --all --format '{{.Service}} {{.ExitCode}}' | grep -v ' 0$' || true",
  );
  if (codes !== '') throw new Error(codes);
};

export const backupSteps: readonly Step[] = [
  ['backup.md, Archive the WAL: settings and base backup', archive],
  ['backup.md, Recover to a point in time, and Secure the restored database', recover],
  ['backup.md, Dump the database, Restore a dump, and Secure the restored database', restore],
  ['another docker compose up changes nothing', expectNoChange],
  ['docker compose stop: every container exits with 0', stop],
];
