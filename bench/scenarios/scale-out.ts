import { availableParallelism } from 'node:os';
import type { BenchRun, PlatformMarket } from '../bench-run.ts';
import { type Contender, closedLoop } from '../interleaved-runs.ts';
import type { Request } from '../load/requests.ts';
import { meRequest } from '../seed-sessions.ts';

/** A second instance of both services, and a gateway that knows both of each. */
const startSecond = async ({ platform }: PlatformMarket) => {
  const { authUrl, adminUrl } = platform.stack;
  const auth = await platform.startExtra('auth');
  const admin = await platform.startExtra('admin');
  const both = {
    AUTH_SERVICE_URLS: `${authUrl},${auth.url}`,
    ADMIN_SERVICE_URLS: `${adminUrl},${admin.url}`,
  };
  const gateway = await platform.startExtra('gateway', {}, both);
  return {
    url: gateway.url,
    stop: async () => {
      for (const extra of [gateway, auth, admin]) await extra.stop();
    },
  };
};

const listRequests = (market: PlatformMarket): [string, Request][] => {
  const { takeSessions, platform, adminHeaders: headers } = market;
  const [session] = takeSessions(1);
  if (!session) throw new Error('There is no session');
  return [
    ['me', meRequest(session, platform.secrets)],
    ['users list, page 1', { method: 'GET', path: '/api/v1/users?page=1&perPage=10', headers }],
  ];
};

/** What a second instance of each service adds behind the gateway. */
export const measureScaleOut = async (run: BenchRun): Promise<void> => {
  const market = await run.small();
  const second = await startSecond(market);
  const rows: (string | number)[][] = [];
  try {
    for (const [name, request] of listRequests(market)) {
      const contenders: Contender[] = [
        { name: 'one', url: market.gatewayUrl, requests: [request] },
        { name: 'two', url: second.url, requests: [request] },
      ];
      const results = await closedLoop(contenders, { rounds: 3 });
      const [one = Number.NaN, two = Number.NaN] = [...results.values()].map(({ perSecond }) => perSecond);
      rows.push([name, one, two, two / one]);
    }
  } finally {
    await second.stop();
  }
  const cores = availableParallelism();
  const title = `One and two instances of each service behind the gateway, requests/s, on ${cores} cores`;
  run.report.table(title, ['', 'one', 'two', 'ratio'], rows);
  if (cores < 6)
    run.report.note(
      `${cores} cores carry the load, the gateway, PostgreSQL and the services together: a second instance finds no core of its own here`,
    );
};
