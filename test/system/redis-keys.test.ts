import { readFile } from 'node:fs/promises';
import { KEY_FAMILIES } from '@platform/shared/redis/key-families';
import {
  CONFIRMATION,
  uniqueEmail,
  uniqueFingerprint,
  WRONG_PASSWORD,
} from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { createClient } from 'redis';
import { REDIRECT_URI } from '../provider-sign-in.ts';
import { usePlatform } from './use-platform.ts';

const SECONDS: Record<string, number> = { minute: 60, hour: 3_600, day: 86_400 };

/** Returns 0 for `never`. */
const toSeconds = (time: string): number => {
  const [, count, unit = ''] = /^(\d+) (minute|hour|day)s?$/.exec(time) ?? [];
  return Number(count ?? 0) * (SECONDS[unit] ?? 0);
};

const readSecurity = (): Promise<string> => readFile(new URL('../../SECURITY.md', import.meta.url), 'utf8');

/** Reads the table of SECURITY.md. Its rows begin with the pattern of a key. */
const readTable = async (): Promise<[pattern: string, seconds: number][]> => {
  const text = await readSecurity();
  return [...text.matchAll(/^\| (`.*\*`) \|.*\| (.*) \|$/gm)].flatMap(([, keys = '', time = '']) =>
    [...keys.matchAll(/`(.+?)`/g)].map(([, pattern = '']): [string, number] => [pattern, toSeconds(time)]),
  );
};

const toExpression = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll('*', '.+')}$`);

describe('keys in Redis', () => {
  const platform = usePlatform();

  const useEverything = async (): Promise<void> => {
    const client = platform().as('customer');
    const unverified = await client.openDevice(await client.createAccount());
    await client.verificationEmailCode(unverified);
    await client.verificationEmailCodeCheck({ ...unverified, body: { code: '000000' } });
    const { account, device } = await client.openVerifiedAccount();
    await client.emailChange({ ...device, body: { newEmail: uniqueEmail(), ...CONFIRMATION } });
    // The owner of the taken address gets a notice.
    await client.emailChange({ ...unverified, body: { newEmail: account.email, ...CONFIRMATION } });
    await client.resetPasswordEmailCodeSend({ body: { email: account.email } });
    await client.signInEmailCodeSend({ body: { email: account.email } });
    for (const email of [account.email, uniqueEmail()])
      await client.signIn({ fingerprint: uniqueFingerprint(), body: { email, password: WRONG_PASSWORD } });
    await client.enableTotp(device);
    const { fingerprint, challenge } = await client.startSignIn(account);
    await client.signInSecondFactor({ fingerprint, body: { challenge, totpCode: '000000' } });
    await client.signInPasskeyOptions({ fingerprint });
    const body = { redirectUri: REDIRECT_URI };
    await client.oidcAuthorize({ provider: 'company', fingerprint, body });
  };

  it('are the families that SECURITY.md names', async () => {
    const [remaining = ''] = /^The remaining keys are (?:.+\n)+/m.exec(await readSecurity()) ?? [];
    const patterns = [...remaining.matchAll(/`(\S+\*)`/g)].map(([, pattern = '']) => pattern);
    const table = (await readTable()).map(([pattern]) => pattern);
    expect([...table, ...patterns]).to.have.members([...KEY_FAMILIES]);
  });

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
