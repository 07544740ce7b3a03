import { measureHashLimit } from '../bcrypt-throughput.ts';
import type { BenchRun } from '../bench-run.ts';
import { type Contender, closedLoop } from '../interleaved-runs.ts';
import type { Request } from '../load/requests.ts';
import { PLAN } from '../plan.ts';
import { showNumber } from '../report/table.ts';
import { BENCH_PASSWORD } from '../seed-tokens.ts';
import { median } from '../statistics.ts';
import { contenderOf } from './ratio.ts';

const COST = 12;
/** More than are hashed at once, fewer than the queue takes. */
const CONNECTIONS = 16;
const PEER_CONNECTIONS = 8;

/** Another user each time, so that none of the limits per account counts. */
export const signInRequest = (email: string): Request => ({
  method: 'POST',
  path: '/api/v1/customers/auth/sign-in',
  headers: { 'Content-Type': 'application/json', 'X-Fingerprint': 'bench' },
  body: JSON.stringify({ email, password: BENCH_PASSWORD }),
});

const rateOf = async (contender: Contender, connections: number): Promise<number> => {
  const options = { connections, rounds: 1, seconds: PLAN.hashSeconds, warmSeconds: 1 };
  const results = await closedLoop([contender], options);
  return results.get(contender.name)?.perSecond ?? Number.NaN;
};

const measurePeers = async (run: BenchRun): Promise<[string, number][]> => {
  const peers = [
    ...contenderOf(await run.betterAuth(), ({ url, signIns: requests }) => ({
      ...{ name: 'better-auth (scrypt)', url, requests },
    })),
    ...contenderOf(await run.directus(), ({ url, signIns: requests }) => ({
      ...{ name: 'Directus (argon2id)', url, requests },
    })),
  ];
  const rates: [string, number][] = [];
  for (const peer of peers) rates.push([peer.name, await rateOf(peer, PEER_CONNECTIONS)]);
  return rates;
};

/** Sign-ins through the gateway, in turns with nothing but the comparing of passwords. */
export const measureSignIn = async (run: BenchRun): Promise<void> => {
  const { gatewayUrl, emails } = await run.small();
  const ours = { name: 'gateway', url: gatewayUrl, requests: emails.map(signInRequest) };
  const rates: number[] = [];
  const limits: number[] = [];
  for (let round = 0; round < PLAN.hashRounds; round += 1) {
    rates.push(await rateOf(ours, CONNECTIONS));
    limits.push(await measureHashLimit(COST, PLAN.hashSeconds));
  }
  const [rate, limit] = [median(rates), median(limits)];
  const peers = await measurePeers(run);
  const { report } = run;
  report.table(
    'sign-in, each with the hash that is its default',
    ['', 'a second'],
    [[`gateway (bcrypt, cost ${COST})`, rate], ['comparing passwords alone', limit], ...peers],
  );
  report.line({
    work: 'sign-in against the hash limit, all cores',
    of: `${showNumber(rate)}/s against ${showNumber(limit)}/s`,
    unit: '×',
    target: { atLeast: 0.9 },
    figure: rate / limit,
  });
};
