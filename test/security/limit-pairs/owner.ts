import type { AuthClient } from '@platform/shared/testing/auth-client';
import type { Device } from '@platform/shared/testing/device';
import type { EnabledTotp, StartedSignIn } from '@platform/shared/testing/factor-flows';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import type { Records } from '@platform/shared/testing/records';
import type { StackFile } from '@platform/shared/testing/stack';
import { createClient } from 'redis';
import { deleteResendLocks } from '../../code-time.ts';

export type Platform = { stack: StackFile; records: Records; from: (address: string) => AuthClient };
/** A new account with an authenticator app. Its device has signed in from `knownNetwork`. */
export type Owner = {
  platform: Platform;
  account: { email: string; password: string; userId: string };
  device: Device;
  totp: EnabledTotp;
  /** A second step that was started before the attack. */
  waiting: StartedSignIn;
  knownNetwork: AuthClient;
  newNetwork: AuthClient;
  /** The number of reset codes that were mailed. */
  codes: number;
};

let addresses = 0;
/** Every address of 127.0.0.0/8 is a client network, because the gateway has the limits of production. */
const newAddress = (): string => {
  addresses += 1;
  return `127.${1 + Math.floor(addresses / 62_500)}.${Math.floor(addresses / 250) % 250}.${1 + (addresses % 250)}`;
};
export const fromNewNetwork = ({ platform }: Pick<Owner, 'platform'>): AuthClient =>
  platform.from(newAddress());

export const createOwner = async (platform: Platform): Promise<Owner> => {
  const [knownNetwork, newNetwork] = [platform.from(newAddress()), platform.from(newAddress())];
  const account = await knownNetwork.createAccount();
  await platform.records.verifyEmail(account.userId);
  const device = await knownNetwork.openDevice(account);
  const totp = await knownNetwork.enableTotp(device);
  const waiting = await knownNetwork.startSignIn(account, device.fingerprint);
  return { platform, account, device, totp, waiting, knownNetwork, newNetwork, codes: 0 };
};

/**
 * Reads the newest code. The next one must be requested only afterwards, because mails that are sent at once
 * arrive in any order.
 */
export const readCode = async ({ platform, account, codes }: Owner): Promise<string> => {
  const inbox = createInboxClient(platform.stack.inboxUrl);
  return codeIn(await inbox.untilMail(account.email, 'Your code to reset the password', codes, 60));
};

/** Simulates that this many seconds have passed for the codes of all accounts. */
export const passCodeTime = async ({ platform }: Owner, seconds: number): Promise<void> => {
  await deleteResendLocks(platform.stack.redisUrl);
  const redis = await createClient({ url: platform.stack.redisUrl }).connect();
  for (const key of await redis.keys('*-sent:*'))
    for (const [index, time] of (await redis.lRange(key, 0, -1)).entries())
      await redis.lSet(key, index, String(Number(time) - seconds));
  redis.destroy();
};
