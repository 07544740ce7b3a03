import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { type StackFile, startStack } from '@platform/shared/testing/stack';
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
const ROUNDS = (SECONDS * 1_000) / PACE_MILLISECONDS;
const MIN_SHARE_OF_UNKNOWN = 0.9;
const MAX_MILLISECONDS_OF_KNOWN = 1_000;
/** Until then each attacking network has had its first turn. */
const WARM_UP_MILLISECONDS = (SECONDS * 1_000) / 4;

type SignIn = () => Promise<HttpResponse>;

/** A hash of the platform's cost for the same password. */
const COPY_HASH = `update users set password_hash =
  (select password_hash from users where password_hash like '$2_$12$%' limit 1) where id = $1`;

/**
 * Signs in from a device that the account knows in this network. Inserts the rows, because a hundred sign-ups
 * and sign-ins would take longer than the attack.
 */
const createKnownDevice = async (gatewayUrl: string, records: Records, address: string): Promise<SignIn> => {
  const { id, email } = await records.user(['CUSTOMER']);
  const fingerprint = uniqueFingerprint();
  await records.query(COPY_HASH, [id]);
  await records.query(
    `with known as (insert into sessions (user_id, fingerprint, ip) values ($1, $2, $3) returning id)
     insert into session_networks (session_id, network) select id, $3 from known`,
    [id, fingerprint, address],
  );
  const client = createAuthClient('', CUSTOMER, sendFrom(gatewayUrl, address));
  return () => client.signIn({ fingerprint, body: { email, password: PASSWORD } });
};

/** Guesses the password of another address each time. */
const createGuesser = async (gatewayUrl: string, _: Records, address: string): Promise<SignIn> => {
  const client = createAuthClient('', CUSTOMER, sendFrom(gatewayUrl, address));
  const toBody = () => ({ email: uniqueEmail(), password: WRONG_PASSWORD });
  return () => client.signIn({ fingerprint: uniqueFingerprint(), body: toBody() });
};

/** Each network sends as many sign-ins as its limit allows, one a second. */
const ATTACKERS = { 'guess for strangers': createGuesser, 'sign in to their own account': createKnownDevice };
type SignInAttack = keyof typeof ATTACKERS;
export const SIGN_IN_ATTACKS = Object.keys(ATTACKERS) as SignInAttack[];

/** Creates the devices of owners, and the attackers. */
const createDevices = async (stack: StackFile, networks: number, attack: SignInAttack) => {
  const records = createRecords(stack.databaseUrl);
  const createAll = (create: typeof createKnownDevice, count: number, prefix: string) =>
    Promise.all(range(count).map((index) => create(stack.gatewayUrl, records, `${prefix}.${index + 1}`)));
  try {
    return {
      knownDevices: await createAll(createKnownDevice, ROUNDS, '192.0.2'),
      attackers: await createAll(ATTACKERS[attack], networks, '203.0.113'),
    };
  } finally {
    await records.close();
  }
};

const startAttack = (attackers: readonly SignIn[]) => {
  const stopping = new AbortController();
  const statuses: (number | string)[] = [];
  const keepSigningIn = async (signIn: SignIn, index: number): Promise<void> => {
    const pending: Promise<unknown>[] = [];
    await delay((index * 1_000) / attackers.length);
    while (!stopping.signal.aborted) {
      pending.push(signIn().then((response) => statuses.push(formatStatus(response))));
      await delay(1_000);
    }
    await Promise.all(pending);
  };
  const attack = attackers.map(keepSigningIn);
  return async (): Promise<string> => {
    stopping.abort();
    await Promise.all(attack);
    return countStatuses(statuses);
  };
};

/** Signs in once from each known device, and each time from an unknown device in another network. */
const signInAsOthers = async (gatewayUrl: string, knownDevices: readonly SignIn[], body: object) => {
  const unknown: HttpResponse[] = [];
  const known: HttpResponse[] = [];
  for (const [round, signIn] of knownDevices.entries()) {
    const stranger = createAuthClient('', CUSTOMER, sendFrom(gatewayUrl, `198.51.100.${round + 2}`));
    const fingerprint = uniqueFingerprint();
    const signIns = [
      signIn().then((response) => known.push(response)),
      stranger.signIn({ fingerprint, body }).then((response) => unknown.push(response)),
    ];
    await Promise.all([...signIns, delay(PACE_MILLISECONDS)]);
  }
  return { unknown, known };
};

/** Other devices sign in while networks attack. Returns the figures of the others. */
export const runSignInAttack = async (networks: number, attack: SignInAttack) => {
  const running = await startStack(FLOOD_ENVIRONMENT);
  try {
    const watching = watchStack(running);
    const { gatewayUrl } = running.stack;
    const { account } = await createMember(running.stack, '198.51.100.1');
    const body = { email: account.email, password: account.password };
    const { knownDevices, attackers } = await createDevices(running.stack, networks, attack);
    const stop = startAttack(attackers);
    await delay(WARM_UP_MILLISECONDS);
    const { unknown, known } = await signInAsOthers(gatewayUrl, knownDevices, body);
    console.log(`      responses to ${networks} networks that ${attack}: ${await stop()}`);
    const slowest = Math.max(...known.map(({ milliseconds }) => milliseconds));
    const succeeded = unknown.filter(({ status }) => status === 200).length;
    const figures = {
      'known device': countStatuses(known.map(formatStatus)),
      'slowest ms': slowest.toFixed(0),
      'unknown device': countStatuses(unknown.map(formatStatus)),
      'p50 ms': summarize(unknown).p50.toFixed(0),
    };
    console.log(`      responses to others: ${JSON.stringify(figures)}`);
    expect(summarize(known).failed, JSON.stringify(figures)).to.deep.equal([]);
    expect(slowest, 'slowest sign-in of a known device').to.be.at.most(MAX_MILLISECONDS_OF_KNOWN);
    expect(succeeded / unknown.length, JSON.stringify(figures)).to.be.at.least(MIN_SHARE_OF_UNKNOWN);
    expectNoFailures(await watching.stop());
    return figures;
  } finally {
    await running.stop();
  }
};
