import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import {
  createHttpClient,
  formatStatus,
  type HttpClient,
  type HttpResponse,
} from '@platform/shared/testing/http-client';
import { createRecords } from '@platform/shared/testing/records';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { type StackFile, startStack } from '@platform/shared/testing/stack';
import { expectNoFailures, watchStack } from '@platform/shared/testing/watch-processes';
import { expect } from 'chai';

/** An attack from many client networks, which it selects by X-Forwarded-For. */
export type Flood = {
  name: string;
  /** Settings of the platform for this flood; FLOOD_ENVIRONMENT applies to all. */
  environment?: Record<string, string>;
  /** Runs until `stop`, which resolves with a summary of the attacker's responses. */
  start: (stack: StackFile) => Promise<{ stop: () => Promise<string> }>;
};

/** The limits and the hash cost of production, behind one load balancer. */
export const FLOOD_ENVIRONMENT = {
  RATE_LIMIT_SCALE: '1',
  TRUSTED_PROXY_HOPS: '1',
  BCRYPT_COST: '12',
  LOG_LEVEL: 'warn',
};
const SECONDS = 60;
/** The time before the flood is for comparison, because the machine may be busy. */
const SECONDS_BEFORE = 10;
const MAX_P99_MILLISECONDS = 3_000;
const TIMEOUT_SECONDS = 10;
const HONEST_CLIENTS = 6;
/**
 * Stays below the limit of 60 sign-in requests a minute for a client network. A sign-in with a passkey has
 * three.
 */
const PACE_MILLISECONDS = 3_200;

export const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Returns text such as `12 × 503, 3 × 408`, the most frequent first. */
export const countStatuses = (statuses: readonly (number | string)[]): string =>
  [...Map.groupBy(statuses, (status) => status)]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([status, { length }]) => `${length} × ${status}`)
    .join(', ') || 'none';

/** Sends requests of customers in the network of `address`. */
export const sendFrom = (gatewayUrl: string, address: string): HttpClient['send'] => {
  const { send } = createHttpClient(gatewayUrl, { timeoutSeconds: TIMEOUT_SECONDS });
  return (call) => send({ ...call, headers: { ...call.headers, 'X-Forwarded-For': address } });
};

/** Creates an account in a separate client network, and proves its address. */
export const createMember = async ({ gatewayUrl, databaseUrl }: StackFile, address: string) => {
  const send = sendFrom(gatewayUrl, address);
  const client = createAuthClient('', CUSTOMER, send);
  const account = await client.createAccount();
  const records = createRecords(databaseUrl);
  await records.verifyEmail(account.userId);
  await records.close();
  return { send, client, account };
};

/**
 * A sign-in with a password and, for each second account, a passkey. `milliseconds` is the time of the slowest
 * request.
 */
const createSignIn = async (stack: StackFile, index: number): Promise<() => Promise<HttpResponse>> => {
  const { client, account } = await createMember(stack, `198.51.100.${index}`);
  const fingerprint = uniqueFingerprint();
  const signIn = () =>
    client.signIn({ fingerprint, body: { email: account.email, password: account.password } });
  if (index % 2 === 0) return signIn;
  const authenticator = createSoftwareAuthenticator();
  const device = client.toDevice(await signIn());
  await client.addPasskey(device, { authenticator });
  await client.enableSecondStep(device);
  return async () => {
    const first = await signIn();
    const { challenge } = first.body;
    if (challenge === undefined) return first;
    const options = await client.signInSecondFactorOptions({ fingerprint, body: { challenge } });
    if (options.status !== 200) return options;
    const last = await client.signInSecondFactor({
      fingerprint,
      body: { challenge, passkey: authenticator.get(options.body) },
    });
    const milliseconds = [first, options, last].map((response) => response.milliseconds);
    return { ...last, milliseconds: Math.max(...milliseconds) };
  };
};

/** Each client signs in repeatedly, from a separate client network and with a separate account. */
const createSignInLoops = async (stack: StackFile) => {
  const clients = await Promise.all(range(HONEST_CLIENTS).map((index) => createSignIn(stack, index)));
  return clients.map((signIn, index) => async (seconds: number): Promise<HttpResponse[]> => {
    const responses: HttpResponse[] = [];
    await delay((index * PACE_MILLISECONDS) / HONEST_CLIENTS);
    const deadline = performance.now() + seconds * 1_000;
    while (performance.now() < deadline) {
      const started = performance.now();
      responses.push(await signIn());
      await delay(Math.max(0, PACE_MILLISECONDS - (performance.now() - started)));
    }
    return responses;
  });
};

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;

/**
 * A request that reached the time limit does not count as failed, because the platform may have been about to
 * respond.
 */
export const summarize = <Response extends Pick<HttpResponse, 'status' | 'failure' | 'milliseconds'>>(
  responses: readonly Response[],
) => {
  const timedOut = responses.filter(({ failure }) => failure === 'timeout').length;
  const failed = responses.filter(({ status, failure }) => status !== 200 && failure !== 'timeout');
  const sorted = responses.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
  const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)];
  const slowest = sorted.at(-1) ?? Number.NaN;
  const times = `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, at most ${slowest.toFixed(0)} ms`;
  return { timedOut, failed, p50, p99, slowest, times };
};

const checkSignIns = (responses: readonly HttpResponse[]) => {
  const { timedOut, failed, p50, p99 } = summarize(responses);
  expect(responses).not.to.deep.equal([]);
  expect(countStatuses(failed.map(formatStatus)), 'failed sign-ins of others').to.equal('none');
  expect(timedOut, `sign-ins that reached ${TIMEOUT_SECONDS} s`).to.equal(0);
  expect(p99, 'p99').to.be.below(MAX_P99_MILLISECONDS);
  return { 'sign-ins': responses.length, 'p50 ms': p50.toFixed(0), 'p99 ms': p99.toFixed(0) };
};

/** Runs a flood on a new platform while other clients sign in. Returns the figures of their sign-ins. */
export const runFlood = async (flood: Flood) => {
  const running = await startStack({ ...FLOOD_ENVIRONMENT, ...flood.environment });
  try {
    const watching = watchStack(running);
    const signInLoops = await createSignInLoops(running.stack);
    const signInFor = async (seconds: number) =>
      (await Promise.all(signInLoops.map((signIn) => signIn(seconds)))).flat();
    console.log(`      sign-ins of others before: ${summarize(await signInFor(SECONDS_BEFORE)).times}`);
    const { stop } = await flood.start(running.stack);
    const responses = await signInFor(SECONDS);
    console.log(`      responses to the attacker: ${await stop()}`);
    const figures = checkSignIns(responses);
    expectNoFailures(await watching.stop());
    return figures;
  } finally {
    await running.stop();
  }
};
