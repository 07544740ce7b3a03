// `npm run test:races`: requests that meet at one thing, 200 rounds of each, through the gateway of a stack of its own.
import { ADMINISTRATOR } from '@platform/shared/testing/auth-client';
import { startStack } from '@platform/shared/testing/stack';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { createBootstrapRace, createSignUpRace } from './races/accounts.ts';
import { createBlockRace, createVerifyRace } from './races/admin.ts';
import { createCodeRace } from './races/codes.ts';
import { createScene, type Scene } from './races/fixture.ts';
import type { Race } from './races/race.ts';
import { createRoleRace } from './races/roles.ts';
import { createRefreshRace, createSignInRace, createSignOutRace } from './races/sessions.ts';

const ROUNDS = 200;
const SHOWN = 5;
const ENVIRONMENT = { RATE_LIMIT_SCALE: '10000', LOG_LEVEL: 'warn' };

type Row = [race: string, atOnce: number, rounds: number, violations: number, seconds: string, ended: string];

const runRace = async (report: Report, race: Race): Promise<Row> => {
  const started = performance.now();
  const violations: string[] = [];
  const ends = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const result = await race.run(round);
    violations.push(...result.violations.map((what) => `round ${round}: ${what}`));
    for (const label of result.ends) ends.set(label, (ends.get(label) ?? 0) + 1);
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  report.check(
    violations.length === 0,
    `${race.name}: ${ROUNDS} rounds of ${race.atOnce} at once, ${violations.length} violations (${seconds} s)`,
  );
  for (const violation of violations.slice(0, SHOWN)) report.log(`    ${violation}`);
  const ended = [...ends].sort(([one], [other]) => one.localeCompare(other));
  const summary = ended.map(([label, count]) => `${count} × ${label}`).join(', ');
  return [race.name, race.atOnce, ROUNDS, violations.length, seconds, summary];
};

const runAll = async (report: Report, scene: Scene): Promise<void> => {
  const rows: Row[] = [];
  const run = async (race: Race) => {
    rows.push(await runRace(report, race));
  };
  // First, since each of its rounds takes every administrator away.
  await run(await createBootstrapRace(scene));
  const { accessToken } = await scene.signIn(await scene.signUp(ADMINISTRATOR));
  await run(await createRefreshRace(scene));
  await run(await createSignInRace(scene));
  const signOuts = await createSignOutRace(scene);
  await run(signOuts);
  signOuts.close();
  await run(await createSignUpRace(scene));
  await run(await createCodeRace(scene, ROUNDS));
  await run(await createBlockRace(scene, accessToken));
  await run(await createVerifyRace(scene, accessToken));
  const roles = createRoleRace(scene);
  await run(roles);
  await roles.close();
  report.table('Races', ['race', 'at once', 'rounds', 'violations', 'seconds', 'ended'], rows);
};

await runSuite({
  name: 'races',
  command: 'npm run test:resilience -- races',
  timeoutSeconds: 300,
  run: async (report) => {
    const running = await startStack(ENVIRONMENT);
    const scene = createScene(running.stack);
    try {
      await runAll(report, scene);
    } finally {
      await scene.close();
      await running.stop();
    }
  },
});
