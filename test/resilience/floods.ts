// `npm run test:resilience -- floods`: 60 s of each attack, from many client networks, while other clients sign in, or request `me`.
// `-- floods slow-readers pipelin` runs those whose names contain the words; FLOOD_SECONDS shortens the latter.
import { startMisbehavingProvider } from '@platform/dev/testing/misbehaving-provider';
import { isSelected, runSuite } from '@platform/shared/testing/suite';
import { type Attack, type AttackRow, runAttack } from './floods/attack.ts';
import { createLogoutTokens, signIns } from './floods/bursts.ts';
import { type Flood, type FloodRow, runFlood } from './floods/fixture.ts';
import { hashing } from './floods/hashing.ts';
import { pipelining } from './floods/pipelining.ts';
import { resetCodes } from './floods/reset-codes.ts';
import { slowBodies } from './floods/slow-bodies.ts';
import { slowReaders } from './floods/slow-readers.ts';

const COLUMNS = ['flood', 'sign-ins', 'failed', 'time limit', 'p50', 'p99'];
const ATTACK_COLUMNS = [
  ...['attack', 'requests', 'failed', 'p50 idle', 'p50', 'p99 idle', 'p99', 'ratio'],
  ...['ejections', 'growth in MB'],
];

await runSuite({
  name: 'floods',
  timeoutSeconds: 2_400,
  run: async (report) => {
    const provider = await startMisbehavingProvider();
    provider.misbehave({ responses: { discovery: 'hangs' } });
    const floods: readonly Flood[] = [hashing, slowBodies, resetCodes];
    const attacks: readonly Attack[] = [
      ...slowReaders,
      ...pipelining,
      await createLogoutTokens(provider),
      signIns,
    ];
    const rows: FloodRow[] = [];
    for (const flood of floods.filter(({ name }) => isSelected(name)))
      rows.push(await runFlood(report, flood));
    const attackRows: AttackRow[] = [];
    for (const attack of attacks.filter(({ name }) => isSelected(name)))
      attackRows.push(await runAttack(report, attack));
    report.table('Sign-ins of others during a flood', COLUMNS, rows);
    report.table('Requests of others during an attack', ATTACK_COLUMNS, attackRows);
    await provider.stop();
  },
});
