import type { BenchRun } from '../bench-run.ts';
import { closedLoop } from '../interleaved-runs.ts';
import { PLAN } from '../plan.ts';
import { REFRESH_CARRY, refreshRequest } from '../seed-sessions.ts';
import { contenderOf, missingOf, RATE_COLUMNS, rateAgainst, ratesOf, toBars } from './ratio.ts';

/** Refreshes in chains, one a connection: each presents the token that the one before it brought. */
export const measureRefresh = async (run: BenchRun): Promise<void> => {
  const { gatewayUrl, takeSessions, platform } = await run.small();
  const directus = await run.directus();
  const requests = takeSessions(PLAN.connections).map((session) => refreshRequest(session, platform.secrets));
  const theirs = 'peer' in directus ? await directus.peer.openSessions(PLAN.connections) : [];
  const results = await closedLoop([
    { name: 'gateway', url: gatewayUrl, requests, carry: REFRESH_CARRY },
    ...contenderOf(directus, ({ url }) => ({
      ...{ name: 'Directus', url, requests: theirs },
      carry: { from: 'directus-body' },
    })),
  ]);
  const { report } = run;
  report.table(`refresh, ${PLAN.connections} chains`, RATE_COLUMNS, ratesOf(results));
  const work = "refresh, gateway against Directus's";
  const held = { work, ours: 'gateway', against: 'Directus', atLeast: 4 };
  report.line(rateAgainst(results, held, missingOf(directus)));
  report.bars({
    title: 'Refresh, token by token',
    unit: 'requests a second',
    bars: toBars(results, [
      ['gateway', 'gateway → auth-service', 'ours'],
      ['Directus', 'Directus', 'peer'],
    ]),
  });
};
