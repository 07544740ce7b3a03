import type { BenchRun } from '../bench-run.ts';
import { closedLoop } from '../interleaved-runs.ts';
import { contenderOf, missingOf, RATE_COLUMNS, rateAgainst, ratesOf, toBars } from './ratio.ts';

/** The first ten users and how many there are, of as many users on both sides. */
export const measureUsersList = async (run: BenchRun): Promise<void> => {
  const { gatewayUrl, adminHeaders: headers, size } = await run.small();
  const directus = await run.directus();
  const path = '/api/v1/users?page=1&perPage=10';
  const results = await closedLoop([
    { name: 'gateway', url: gatewayUrl, requests: [{ method: 'GET', path, headers }] },
    ...contenderOf(directus, ({ url, list }) => ({ name: 'Directus', url, requests: [list] })),
  ]);
  const { report } = run;
  report.table(`list of ${size.users} users, page 1 with total`, RATE_COLUMNS, ratesOf(results));
  const work = "users list with total, gateway against Directus's";
  const held = { work, ours: 'gateway', against: 'Directus', atLeast: 5 };
  report.line(rateAgainst(results, held, missingOf(directus)));
  report.bars({
    title: `Ten of ${size.users.toLocaleString('en-US')} users, and their number`,
    unit: 'requests a second',
    bars: toBars(results, [
      ['gateway', 'gateway → admin-service', 'ours'],
      ['Directus', 'Directus', 'peer'],
    ]),
  });
};
