import { readFile } from 'node:fs/promises';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { type RequestOptions, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { createClient } from 'redis';
import { createOidcClient, REDIRECT_URI } from '../oidc-client.ts';
import { createAccount, createValidatingClient } from './use-factors.ts';
import { usePlatform } from './use-platform.ts';

const SECONDS: Record<string, number> = { minute: 60, hour: 3_600, day: 86_400 };

/** Returns 0 for `never`. */
const toSeconds = (time: string): number => {
  const [, count, unit = ''] = /^(\d+) (minute|hour|day)s?$/.exec(time) ?? [];
  return Number(count ?? 0) * (SECONDS[unit] ?? 0);
};

/** Reads the table of SECURITY.md. Its rows begin with the pattern of a key. */
const readTable = async (): Promise<[pattern: string, seconds: number][]> => {
  const text = await readFile(new URL('../../SECURITY.md', import.meta.url), 'utf8');
  return [...text.matchAll(/^\| (`.*\*`) \|.*\| (.*) \|$/gm)].flatMap(([, keys = '', time = '']) =>
    [...keys.matchAll(/`(.+?)`/g)].map(([, pattern = '']): [string, number] => [pattern, toSeconds(time)]),
  );
};

const toExpression = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll('*', '.+')}$`);

describe('keys in Redis', () => {
  const platform = usePlatform();

  const useEverything = async (): Promise<void> => {
    const { gatewayUrl, records } = platform();
    const client = createValidatingClient(gatewayUrl, CUSTOMER);
    const { auth, as, from } = client;
    const unverified = await auth.openDevice(await auth.createAccount());
    await auth.sendVerificationCode(unverified);
    await auth.verifyEmail(unverified, { code: '000000' });
    const account = await createAccount(client, records);
    const device = await auth.openDevice(account);
    await as(device, 'POST', '/email/change', { newEmail: uniqueEmail(), currentPassword: PASSWORD });
    // The owner of the taken address gets a notice.
    await as(unverified, 'POST', '/email/change', { newEmail: account.email, currentPassword: PASSWORD });
    await auth.sendResetCode({ email: account.email });
    for (const email of [account.email, uniqueEmail()])
      await auth.signIn({ email, password: WRONG_PASSWORD }, uniqueFingerprint());
    await client.enableTotp(device);
    const fingerprint = uniqueFingerprint();
    await client.secondStep(await client.openChallenge(account, fingerprint), fingerprint, {
      totpCode: '000000',
    });
    await from(fingerprint, '/passkey/options');
    await createOidcClient(CUSTOMER, ({ method = 'GET', path, ...options }) =>
      send(gatewayUrl, method, path, options as RequestOptions),
    ).authorize('company', fingerprint, REDIRECT_URI);
  };

  it('expire as SECURITY.md says', async () => {
    const table = await readTable();
    await useEverything();
    await fetch(`${platform().stack.opsUrls.auth}/readyz`);
    const redis = await createClient({ url: platform().stack.redisUrl }).connect();
    await waitFor('a notice is sent', async () => (await redis.keys('notices:*')).length > 0);
    const found = new Map<string, number>();
    for (const key of await redis.keys('*')) {
      const [pattern = key] = table.find(([each]) => toExpression(each).test(key)) ?? [];
      found.set(pattern, Math.max(found.get(pattern) ?? -1, await redis.ttl(key)));
    }
    redis.destroy();
    // The window of a minute may be about to end.
    for (const [pattern, seconds] of table.filter(([, limit]) => limit > 0))
      expect(found.get(pattern), pattern).to.be.within(seconds > 60 ? seconds / 2 : 0, seconds);
    expect([...found.keys()]).to.have.members(table.map(([pattern]) => pattern));
  });
});
