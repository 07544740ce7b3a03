import { setTimeout as delay } from 'node:timers/promises';
import type { FakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { poll } from '@platform/shared/testing/poll';

type Account = { email: string; device: Device };
type CodeRequest = { email: string; status: number; answeredAt: number };

/**
 * The seconds from the response of a request to the arrival of its code. Undefined if the code has not
 * arrived.
 */
export type Arrival = { status: number; seconds: number | undefined };

const codeClient = (authUrl: string) => createAuthClient(authUrl, CUSTOMER);

/** Creates accounts. Each requests only one code, because further ones are locked for two minutes. */
export const createAccounts = async (authUrl: string, count: number): Promise<Account[]> => {
  const client = codeClient(authUrl);
  const accounts: Account[] = [];
  for (let index = 0; index < count; index += 1) {
    const account = await client.createAccount();
    accounts.push({ email: account.email, device: await client.openDevice(account) });
  }
  return accounts;
};

/**
 * Requests one code after another, evenly spread over the seconds, and as many resets for unknown addresses.
 */
export const requestCodes = async (
  authUrl: string,
  accounts: readonly Account[],
  seconds: number,
): Promise<CodeRequest[]> => {
  const client = codeClient(authUrl);
  const startedAt = Date.now();
  const requests: CodeRequest[] = [];
  for (const [index, { email, device }] of accounts.entries()) {
    await delay(startedAt + (index * seconds * 1_000) / accounts.length - Date.now());
    const isReset = index % 2 === 0;
    const response = await (isReset
      ? client.resetPasswordEmailCodeSend({ body: { email } })
      : client.verificationEmailCode(device));
    requests.push({ email, status: response.status, answeredAt: Date.now() });
    const decoy = await client.resetPasswordEmailCodeSend({ body: { email: uniqueEmail() } });
    if (decoy.status !== 200) requests.push({ email: '', status: decoy.status, answeredAt: Date.now() });
  }
  await delay(startedAt + seconds * 1_000 - Date.now());
  return requests;
};

/** Waits until all codes have arrived, or the timeout. */
export const waitForCodes = async (
  smtp: FakeSmtpServer,
  requests: readonly CodeRequest[],
  timeoutSeconds: number,
): Promise<Arrival[]> => {
  const read = (): Arrival[] =>
    requests.map(({ email, status, answeredAt }) => {
      const at = smtp.arrivedAt(email);
      return { status, seconds: at && Math.max(0, at - answeredAt) / 1_000 };
    });
  await poll(() => read().every(({ seconds }) => seconds !== undefined), {
    timeoutSeconds,
    everyMilliseconds: 100,
  });
  return read();
};
