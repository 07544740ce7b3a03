import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { startStack } from '@platform/shared/testing/stack';
import { expectNoFailures, watchStack } from '@platform/shared/testing/watch-processes';
import { expect } from 'chai';
import type { Attack } from './attack.ts';
import { countStatuses, createMember, FLOOD_ENVIRONMENT, range, sendFrom, summarize } from './fixture.ts';
import { startRounds } from './rounds.ts';

const BURST_SECONDS = 60;

/** All at once, for one address without an account, as often as the limits of the networks allow. */
const createBurst = (name: string, addresses: readonly string[], perAddress: number): Attack => ({
  name,
  environment: { TRUSTED_PROXY_HOPS: '1' },
  isShort: true,
  start: startRounds(BURST_SECONDS, async (gatewayUrl) => {
    const email = uniqueEmail();
    const attempts = addresses.flatMap((address) => range(perAddress).map(() => address));
    return await Promise.all(
      attempts.map(async (address) => {
        const client = createAuthClient('', CUSTOMER, sendFrom(gatewayUrl, address));
        return formatStatus(
          await client.signIn({ fingerprint: uniqueFingerprint(), body: { email, password: PASSWORD } }),
        );
      }),
    );
  }),
});

export const guessBursts: readonly Attack[] = [
  createBurst(
    '60 sign-ins at once for one unknown address from each of three IPv6 /48',
    ['2001:db8:1:1::1', '2001:db8:2:1::1', '2001:db8:3:1::1'],
    60,
  ),
  createBurst(
    '60 sign-ins at once for one unknown address from each of 30 IPv4 addresses',
    range(30).map((index) => `203.0.113.${index + 1}`),
    60,
  ),
];

const SECONDS = Number(process.env['FLOOD_SECONDS'] ?? 60);
const PACE_MILLISECONDS = 2_000;
const MIN_SHARE_OF_UNKNOWN = 0.9;
const MAX_MILLISECONDS_OF_KNOWN = 1_000;

/** Each network sends as many wrong sign-ins as its limit allows, one a second, for changing addresses. */
const startGuessing = (gatewayUrl: string, networks: number) => {
  const stopping = new AbortController();
  const statuses: (number | string)[] = [];
  const keepGuessing = async (index: number): Promise<void> => {
    const client = createAuthClient('', CUSTOMER, sendFrom(gatewayUrl, `203.0.113.${index + 1}`));
    const pending: Promise<unknown>[] = [];
    while (!stopping.signal.aborted) {
      const attempt = client.signIn({
        fingerprint: uniqueFingerprint(),
        body: { email: uniqueEmail(), password: WRONG_PASSWORD },
      });
      pending.push(attempt.then((response) => statuses.push(formatStatus(response))));
      await delay(1_000);
    }
    await Promise.all(pending);
  };
  const guessing = range(networks).map(keepGuessing);
  return async (): Promise<string> => {
    stopping.abort();
    await Promise.all(guessing);
    return countStatuses(statuses);
  };
};

/**
 * Signs in repeatedly, as one known device and each time as another unknown device in another network, while
 * networks guess passwords. Returns the figures of both.
 */
export const runGuessing = async (networks: number) => {
  const running = await startStack(FLOOD_ENVIRONMENT);
  try {
    const watching = watchStack(running);
    const { gatewayUrl } = running.stack;
    const { client, account } = await createMember(running.stack, '198.51.100.1');
    const { fingerprint } = await client.openDevice(account);
    const body = { email: account.email, password: account.password };
    const unknown: HttpResponse[] = [];
    const known: HttpResponse[] = [];
    const stop = startGuessing(gatewayUrl, networks);
    for (const round of range((SECONDS * 1_000) / PACE_MILLISECONDS)) {
      const stranger = createAuthClient('', CUSTOMER, sendFrom(gatewayUrl, `198.51.100.${round + 2}`));
      const signIns = [
        client.signIn({ fingerprint, body }).then((response) => known.push(response)),
        stranger
          .signIn({ fingerprint: uniqueFingerprint(), body })
          .then((response) => unknown.push(response)),
      ];
      await Promise.all([...signIns, delay(PACE_MILLISECONDS)]);
    }
    console.log(`      responses to ${networks} guessing networks: ${await stop()}`);
    const slowest = Math.max(...known.map(({ milliseconds }) => milliseconds));
    const succeeded = unknown.filter(({ status }) => status === 200).length;
    const figures = {
      'known device': countStatuses(known.map(formatStatus)),
      'slowest ms': slowest.toFixed(0),
      'unknown device': countStatuses(unknown.map(formatStatus)),
      'p50 ms': summarize(unknown).p50.toFixed(0),
    };
    expect(summarize(known).failed, JSON.stringify(figures)).to.deep.equal([]);
    expect(slowest, 'slowest sign-in of the known device').to.be.at.most(MAX_MILLISECONDS_OF_KNOWN);
    expect(succeeded / unknown.length, JSON.stringify(figures)).to.be.at.least(MIN_SHARE_OF_UNKNOWN);
    expectNoFailures(await watching.stop());
    return figures;
  } finally {
    await running.stop();
  }
};
