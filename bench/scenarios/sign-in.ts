import { hash } from 'bcryptjs';
import type { BenchRun, SeededPlatform } from '../bench-run.ts';
import { measureSaturated, type Target } from '../interleaved-runs.ts';
import { PLAN } from '../plan.ts';
import { setPasswords } from '../seed-sessions.ts';
import { BENCH_PASSWORD, signInRequest } from '../workloads.ts';

/** More than two cores hash concurrently, but so few that none waits 3 s for a hash, which would be a 503. */
const CONNECTIONS = 8;
const ACCOUNTS = 100;

// The work of a hash, relative to the least that OWASP accepts for its function:
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
const DEFAULT_COST = 12;
const OWASP_COST = 10;
const toBcryptWork = (cost: number): number => 2 ** (cost - OWASP_COST);
/** N=2^14, r=8, p=5 */
const OWASP_SCRYPT = 2 ** 14 * 8 * 5;
/** better-auth 1.7 has N=2^14, r=16, p=1, and stores no parameters. */
const BETTER_AUTH_SCRYPT = 2 ** 14 * 16;
/** 19 MiB in two passes */
const OWASP_ARGON2ID = 19 * 1_024 * 2;
const toArgon2Work = (stored: string): number => {
  const [, memory, passes] = /\$argon2id\$.*m=(\d+),t=(\d+)/.exec(stored) ?? [];
  return (Number(memory) * Number(passes)) / OWASP_ARGON2ID;
};

/** `work` is a multiple of OWASP's least. */
type Hashing = Omit<Target, 'pids'> & { hashing: string; work: number };

const measureRate = async (target: Hashing): Promise<number> => {
  const options = {
    connections: CONNECTIONS,
    rounds: PLAN.hashRounds,
    seconds: PLAN.hashSeconds,
    warmSeconds: 1,
  };
  const results = await measureSaturated([{ ...target, pids: {} }], options);
  return results.get(target.name)?.perSecond ?? Number.NaN;
};

const toTarget = (url: string, emails: readonly string[], cost: number): Hashing => ({
  name: 'the platform',
  url,
  requests: emails.map(signInRequest),
  hashing: `bcrypt, cost ${cost}`,
  work: toBcryptWork(cost),
});

/** Sign-ins at other instances, and of accounts whose passwords have their cost. */
const measureLeastCost = async ({ platform, databaseUrl }: SeededPlatform): Promise<[Hashing, number]> => {
  const setCost = async (cost: number) =>
    await setPasswords(databaseUrl, await hash(BENCH_PASSWORD, cost), ACCOUNTS);
  const auth = await platform.startInstance('auth', {}, { BCRYPT_COST: String(OWASP_COST) });
  const gateway = await platform.startInstance('gateway', { authUrl: auth.url });
  const target = toTarget(gateway.url, await setCost(OWASP_COST), OWASP_COST);
  const rate = await measureRate(target);
  await gateway.stop();
  await auth.stop();
  await setCost(DEFAULT_COST);
  return [target, rate];
};

/** Measures sign-ins per second, which are limited by password hashing. */
export const measureSignIn = async (run: BenchRun): Promise<void> => {
  const platform = await run.small();
  const usual = toTarget(platform.gatewayUrl, platform.emails, DEFAULT_COST);
  const peers: Hashing[] = [
    ...(await run.betterAuth()).map(({ name, url, signIns: requests }) => ({
      ...{ name, url, requests },
      ...{ hashing: 'scrypt', work: BETTER_AUTH_SCRYPT / OWASP_SCRYPT },
    })),
    ...(await run.directus()).map(({ name, url, signIns: requests, passwordHash }) => ({
      ...{ name, url, requests },
      ...{ hashing: 'argon2id', work: toArgon2Work(passwordHash) },
    })),
  ];
  const measured: [Hashing, number][] = [[usual, await measureRate(usual)], await measureLeastCost(platform)];
  for (const peer of peers) measured.push([peer, await measureRate(peer)]);
  run.report.addTable(
    'sign-in, each with its default hash, and the platform also with the least that OWASP accepts',
    ['', 'hash', "work, of OWASP's least", 'per second'],
    measured.map(([{ name, hashing, work }, rate]) => [name, hashing, `${work.toFixed(1)} ×`, rate]),
  );
};
