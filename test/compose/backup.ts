import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Device, TestAccount } from '@platform/shared/testing/device';
import { expect } from 'chai';
import type { Installation, Step } from './installation.ts';
import { createClient } from './load.ts';
import { GATEWAY_URL } from './start.ts';

const PAGE = 'backup.md';
const auth = createClient(GATEWAY_URL);
let folder = '';
let account: TestAccount;
let device: Device;

/** Creates an account, and changes a password, whose audit line the restore reads. */
const changeAfterBackup = async ({ runBlock }: Installation): Promise<TestAccount> => {
  const created = await auth.createAccount();
  const passwords = { currentPassword: account.password, newPassword: 'another horse battery' };
  expect((await auth.resetPasswordMe({ ...device, body: passwords })).status).to.equal(204);
  await runBlock(PAGE, 'A mistake');
  return created;
};

/**
 * Expects that the new account does not exist, both passwords of the other one are unusable, and all sessions
 * have ended.
 */
const expectRestored = async ({ sh }: Installation, lost: TestAccount): Promise<void> => {
  await sh('docker compose up --detach --wait');
  await auth.expectSignedOut(device);
  for (const { email } of [lost, account])
    for (const password of [account.password, 'another horse battery'])
      await auth.expectNoSignIn({ email, password });
};

const createUser = async (): Promise<void> => {
  ({ account, device } = await auth.createAccountAndDevice());
};

const archive = async ({ runBlock, directory }: Installation): Promise<void> => {
  folder = join(directory, 'backups');
  await mkdir(folder);
  await createUser();
  await runBlock(PAGE, 'Archive the WAL', { BACKUPS: folder });
};

const readNow = async ({ sh }: Installation): Promise<string> =>
  (await sh(`sql 'select now()' | tail -1`)).trim();

const recover = async (installation: Installation): Promise<void> => {
  const { runBlock, sh } = installation;
  const MISTAKE = await readNow(installation);
  const lost = await changeAfterBackup(installation);
  const BASE = `/backups/${(await sh(`ls ${folder} | grep base`)).trim()}`;
  await runBlock(PAGE, 'Recover to a point in time', { MISTAKE, BASE });
  await sh('until [[ $(sql "select pg_is_in_recovery()" | tail -1) = f ]]; do sleep 0.2; done');
  await runBlock(PAGE, 'Secure the restored database', { MISTAKE });
  await expectRestored(installation, lost);
};

const restore = async (installation: Installation): Promise<void> => {
  const { runBlock, sh } = installation;
  await createUser();
  const MISTAKE = await readNow(installation);
  await runBlock(PAGE, 'Dump the database', { BACKUPS: folder });
  const lost = await changeAfterBackup(installation);
  const NAME = (await sh(`ls ${folder}/*.dump`)).trim();
  await runBlock(PAGE, 'Restore a dump', { NAME });
  await runBlock(PAGE, 'Secure the restored database', { MISTAKE });
  await expectRestored(installation, lost);
};

/** Fails if containers are recreated, because a changed setting would cause an outage. */
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
