import type { BenchRun } from '../bench-run.ts';
import { measureSaturated, type Target } from '../interleaved-runs.ts';
import { PLAN } from '../plan.ts';
import { signInRequest } from '../workloads.ts';

/** More than two cores hash concurrently, but so few that none waits 3 s for a hash, which would be a 503. */
const CONNECTIONS = 8;

const measureRate = async (target: Omit<Target, 'pids'>): Promise<number> => {
  const options = {
    connections: CONNECTIONS,
    rounds: PLAN.hashRounds,
    seconds: PLAN.hashSeconds,
    warmSeconds: 1,
  };
  const results = await measureSaturated([{ ...target, pids: {} }], options);
  return results.get(target.name)?.perSecond ?? Number.NaN;
};

/** Measures sign-ins per second, which are limited by password hashing. */
export const measureSignIn = async (run: BenchRun): Promise<void> => {
  const { gatewayUrl, emails } = await run.small();
  const gateway = { name: 'gateway (bcrypt, cost 12)', url: gatewayUrl, requests: emails.map(signInRequest) };
  const peers = [
    ...(await run.betterAuth()).map((peer) => ({ ...peer, name: 'better-auth (scrypt)' })),
    ...(await run.directus()).map((peer) => ({ ...peer, name: 'Directus (argon2id)' })),
  ];
  const rows: [string, number][] = [[gateway.name, await measureRate(gateway)]];
  for (const { name, url, signIns: requests } of peers)
    rows.push([name, await measureRate({ name, url, requests })]);
  run.report.addTable('sign-in, each with its default hash', ['', 'per second'], rows);
};
