import type { MigrationLocks } from './lock-watch.ts';
import type { Migrated, PhaseResult, Rehearsal } from './rehearsal.ts';

const MAX_WAIT_SECONDS = 1;

const describePhase = ({ name, requests, busy, ...phase }: PhaseResult): string =>
  `  ${name}: ${requests} requests, ${phase.failed.length === 0 ? 'none failed' : phase.failed.join('; ')}; ${busy} told to retry; ${phase.lostSessions.length} sessions and ${phase.lostCodes.length} codes lost`;

const describeMigration = ({ name, seconds, locks, longestWaitSeconds }: MigrationLocks): string =>
  `  ${name}: ${seconds.toFixed(2)} s, ${locks.length === 0 ? 'no lock that blocks writes was seen' : `locks ${locks.join(', ')}`}, longest wait ${longestWaitSeconds.toFixed(2)} s`;

const describeMigrate = ({ seconds, code, output }: Migrated): string =>
  `  ${seconds.toFixed(1)} s, exit code ${code}: ${output}`;

/** Everything that must not happen in an upgrade, each in a line. */
export const findUpgradeProblems = ({ phases, migrations, back, lostWrites }: Rehearsal): string[] => [
  ...phases.flatMap(({ name, failed, lostSessions, lostCodes, broken }) =>
    [
      ...failed.map((text) => `failed requests: ${text}`),
      ...lostSessions.map((text) => `lost session: ${text}`),
      ...lostCodes.map((text) => `lost code: ${text}`),
      ...broken.map((text) => `narrower than the older contract: ${text}`),
    ].map((text) => `${name}: ${text}`),
  ),
  ...migrations
    .filter(({ longestWaitSeconds }) => longestWaitSeconds > MAX_WAIT_SECONDS)
    .map(({ name, longestWaitSeconds }) => `${name} blocks others for ${longestWaitSeconds.toFixed(1)} s`),
  ...(back.code === 0 ? [] : [`npm run migrate of the older release fails: ${back.output}`]),
  ...lostWrites.map((text) => `lost: ${text}`),
];

export const formatRehearsal = (rehearsal: Rehearsal, preparations: readonly string[]): string => {
  const problems = findUpgradeProblems(rehearsal);
  const list = (lines: readonly string[], none: string) =>
    lines.length === 0 ? [`  ${none}`] : lines.map((line) => `  ${line}`);
  return [
    'Phases',
    ...rehearsal.phases.map(describePhase),
    'Migrations',
    describeMigrate(rehearsal.forward),
    ...rehearsal.migrations.map(describeMigration),
    'npm run migrate of the older release, afterwards',
    describeMigrate(rehearsal.back),
    'By hand, before the upgrade (docs/upgrading.md)',
    ...list(preparations, 'nothing'),
    'Problems',
    ...list(problems, 'none'),
  ].join('\n');
};
