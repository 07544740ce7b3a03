// `npm run test:resilience -- floods`: 60 s of each attack, from many client networks, while other clients sign in.
import { runSuite } from '@platform/shared/testing/suite';
import { type Flood, type FloodRow, runFlood } from './floods/fixture.ts';
import { hashing } from './floods/hashing.ts';
import { resetCodes } from './floods/reset-codes.ts';
import { slowBodies } from './floods/slow-bodies.ts';

const FLOODS: readonly Flood[] = [hashing, slowBodies, resetCodes];
const COLUMNS = ['flood', 'sign-ins', 'failed', 'time limit', 'p50', 'p99'];

await runSuite({
  name: 'floods',
  command: 'npm run test:resilience -- floods',
  timeoutSeconds: 600,
  run: async (report) => {
    const rows: FloodRow[] = [];
    for (const flood of FLOODS) rows.push(await runFlood(report, flood));
    report.table('Sign-ins of others during a flood', COLUMNS, rows);
  },
});
