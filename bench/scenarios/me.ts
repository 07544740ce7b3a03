import type { BenchRun } from '../bench-run.ts';
import { type Contender, closedLoop, latencyRun } from '../interleaved-runs.ts';
import type { Request } from '../load/requests.ts';
import { PLAN } from '../plan.ts';
import { meRequest } from '../seed-sessions.ts';
import { contenderOf, missingOf, RATE_COLUMNS, rateAgainst, ratesOf, toBars } from './ratio.ts';

const read = async (url: string, { path, headers }: Request): Promise<string> => {
  const answer = await fetch(url + path, { headers });
  return `${answer.status} ${await answer.text()}`;
};

/** The floor does all the work that it is compared by, or it is none. */
const requireSameAnswer = async (urls: readonly string[], me: Request): Promise<void> => {
  const answers = new Set(await Promise.all(urls.map((url) => read(url, me))));
  if (answers.size !== 1) throw new Error(`The answers differ:\n${[...answers].join('\n')}`);
};

const findContenders = async (run: BenchRun) => {
  const { gatewayUrl, authUrl, takeSessions, platform } = await run.small();
  const { url: floorUrl } = await run.floor();
  const { url: bareProxyUrl } = await run.bareProxy();
  const peers = {
    nginx: await run.nginx(),
    betterAuth: await run.betterAuth(),
    directus: await run.directus(),
  };
  const [session] = takeSessions(1);
  if (!session) throw new Error('There is no session');
  const me = meRequest(session, platform.secrets);
  await requireSameAnswer([gatewayUrl, bareProxyUrl, authUrl, floorUrl], me);
  const requests = [me];
  const contenders: Contender[] = [
    { name: 'gateway', url: gatewayUrl, requests },
    { name: 'bare proxy', url: bareProxyUrl, requests },
    ...contenderOf(peers.nginx, ({ url }) => ({ name: 'nginx', url, requests })),
    { name: 'auth-service', url: authUrl, requests },
    { name: 'floor', url: floorUrl, requests },
    ...contenderOf(peers.betterAuth, (peer) => ({ name: 'better-auth', url: peer.url, requests: [peer.me] })),
    ...contenderOf(peers.directus, (peer) => ({ name: 'Directus', url: peer.url, requests: [peer.me] })),
  ];
  return { contenders, peers };
};

/** `GET /customers/auth/me`: who is signed in, asked of Postgres at each request. */
export const measureMe = async (run: BenchRun): Promise<void> => {
  const { report } = run;
  const { contenders, peers } = await findContenders(run);
  const results = await closedLoop(contenders);
  const { connections, rounds, seconds } = PLAN;
  report.table(
    `me, ${connections} connections, medians of ${rounds} × ${seconds} s`,
    RATE_COLUMNS,
    ratesOf(results),
  );
  const latencies = [...(await latencyRun(contenders))];
  report.table(
    `me at ${PLAN.latencyPerSecond} requests a second`,
    ['', 'p50 ms', 'p95 ms', 'p99 ms'],
    latencies.map(([name, { p50, p95, p99 }]) => [name, p50, p95, p99]),
  );
  const line = (work: string, ours: string, against: string, atLeast: number, missing?: string) =>
    report.line(rateAgainst(results, { work, ours, against, atLeast }, missing));
  const { nginx, betterAuth, directus } = peers;
  line("me, gateway against better-auth's get-session", 'gateway', 'better-auth', 4, missingOf(betterAuth));
  line('me, gateway against Directus /users/me', 'gateway', 'Directus', 15, missingOf(directus));
  line('me, auth-service against the floor', 'auth-service', 'floor', 0.6);
  line('me, gateway against a bare http-proxy-middleware', 'gateway', 'bare proxy', 0.74);
  line('me, gateway against nginx', 'gateway', 'nginx', 0.65, missingOf(nginx));
  report.bars({
    title: 'Who am I (me, get-session, /users/me)',
    unit: 'requests a second',
    bars: toBars(results, [
      ['floor', 'bare node:http + the query', 'floor'],
      ['auth-service', 'auth-service', 'ours'],
      ['nginx', 'nginx → auth-service', 'floor'],
      ['gateway', 'gateway → auth-service', 'ours'],
      ['bare proxy', 'bare proxy → auth-service', 'floor'],
      ['better-auth', 'better-auth on Express', 'peer'],
      ['Directus', 'Directus', 'peer'],
    ]),
  });
};
