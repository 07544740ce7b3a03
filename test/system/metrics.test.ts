import { ADMINISTRATOR, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createInboxClient } from '@platform/shared/testing/inbox';
import type { Sample } from '@platform/shared/testing/parse-metrics';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { PROCESSES, type ProcessKey, runCleanup, scrape, sumOf } from './scrape.ts';
import { usePlatform } from './use-platform.ts';

describe('metrics of the running processes', () => {
  const platform = usePlatform();
  before('send requests and run the cleanup', async () => {
    for (const path of ['/api/v1', '/api/v1/auth/me']) await fetch(platform().gatewayUrl + path);
    await runCleanup(platform().stack);
  });

  type Series = [process: ProcessKey, name: string, labels?: Record<string, string>];
  const read = async (series: Series[]): Promise<number[]> => {
    const pages = new Map<ProcessKey, Sample[]>();
    for (const [key] of series) if (!pages.has(key)) pages.set(key, await scrape(platform().stack, key));
    return series.map(([key, name, labels]) => sumOf(pages.get(key) ?? [], name, labels) ?? 0);
  };

  it('no label has a value that clients choose', async () => {
    await fetch(`${platform().gatewayUrl}/api/v1/chosen-by-a-client`, { method: 'DELETE' });
    for (const key of PROCESSES) {
      const text = JSON.stringify((await scrape(platform().stack, key)).map(({ labels }) => labels));
      expect(text).not.to.match(/chosen|[0-9a-f]{8}-[0-9a-f]{4}-|@|\d+\.\d+\.\d+\.\d+/);
    }
  });

  it('sign_ins_total counts sign-ins by kind and outcome', async () => {
    const client = createAuthClient(platform().gatewayUrl, CUSTOMER);
    const toSeries = (outcome: string, kind = 'customer'): Series => [
      'auth',
      'sign_ins_total',
      { kind, outcome },
    ];
    const series = [toSeries('success'), toSeries('failure'), toSeries('throttled'), toSeries('blocked')];
    const hashes: Series = ['auth', 'password_hash_duration_seconds_count'];
    const before = await read([...series, hashes]);
    const account = await client.createAccount();
    await client.openDevice(account);
    const wrong = { email: account.email, password: 'Wrong horse battery' };
    for (let attempt = 0; attempt < 5; attempt += 1)
      await client.signIn({ fingerprint: uniqueFingerprint(), body: wrong });
    expect((await client.signIn({ fingerprint: uniqueFingerprint(), body: wrong })).status).to.equal(429);
    const blocked = await platform().records.user(['CUSTOMER'], { isBlocked: true });
    expect(
      (await client.signIn({ fingerprint: 'x', body: { email: blocked.email, password: PASSWORD } })).status,
    ).to.equal(401);
    const after = await read([...series, hashes]);
    const added = after.map((value, index) => value - (before[index] ?? 0));
    expect(added.slice(0, 4)).to.deep.equal([1, 5, 1, 1]);
    // One hash is that of the sign-up; the others are comparisons for attempts that were not throttled.
    expect(added[4]).to.equal(8);
  });

  it('token_refreshes_total counts refreshes by outcome', async () => {
    const client = createAuthClient(platform().gatewayUrl, ADMINISTRATOR);
    const outcomes = ['rotated', 'superseded', 'reused', 'invalid', 'blocked'];
    const series = outcomes.map(
      (outcome): Series => ['auth', 'token_refreshes_total', { kind: 'administrator', outcome }],
    );
    const before = await read(series);
    const device = await client.openDevice(await platform().records.user(['OPERATOR']));
    const second = await client.refreshed(device);
    await client.refreshToken(device);
    await client.refreshed(second);
    await client.refreshToken(device);
    await client.refreshToken({ ...device, refreshToken: 'garbage' });
    const user = await platform().records.user(['ARBITER']);
    const blockedDevice = await client.openDevice(user);
    await platform().records.block(user.id);
    await client.refreshToken(blockedDevice);
    const after = await read(series);
    expect(after.map((value, index) => value - (before[index] ?? 0))).to.deep.equal([2, 1, 1, 1, 1]);
  });

  it('mail_deliveries_total counts sent mails, and mail_delivery_age_seconds their age', async () => {
    const client = createAuthClient(platform().gatewayUrl, CUSTOMER);
    const template = 'password-changed';
    const series: Series[] = [
      ['worker', 'mail_deliveries_total', { template, outcome: 'sent' }],
      ['worker', 'mail_delivery_age_seconds_count', { template }],
      ['worker', 'mail_delivery_age_seconds_sum', { template }],
    ];
    const [sent = 0, counted = 0, seconds = 0] = await read(series);
    const account = await client.createAccount();
    const device = await client.openDevice(account);
    await client.resetPasswordMe({
      ...device,
      body: { currentPassword: PASSWORD, newPassword: 'Unmistakable horse 2' },
    });
    await createInboxClient(platform().stack.inboxUrl).untilMail(account.email, 'Your password was changed');
    await waitFor('the mail is counted', async () => (await read(series))[0] === sent + 1);
    const [, countedThen = 0, secondsThen = 0] = await read(series);
    expect(countedThen).to.equal(counted + 1);
    expect(secondsThen - seconds).to.be.within(0, 60);
  });
});
