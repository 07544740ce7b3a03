import { readdirSync } from 'node:fs';
import { formatStatus } from '@platform/shared/testing/http-client';
import type { RunningStack } from '@platform/shared/testing/stack';
import type { Report } from '@platform/shared/testing/suite';
import { countStatuses } from '../floods/fixture.ts';
import { readPrivateMegabytes } from '../process-metrics.ts';
import type { Entries } from './load.ts';

const MAX_P99_RATIO = 1.2;
const MAX_MILLISECONDS = 5_000;
/** The others are refused while five of their network wait. */
const MAX_WAITING_SHARE = 0.25;
const WAITING_MILLISECONDS = 4_000;
const MAX_GROWTH_MEGABYTES = 32;
const MAX_NEW_DESCRIPTORS = 20;

const toSorted = (entries: Entries['passwords']): number[] =>
  entries.map(({ response }) => response.milliseconds).sort((one, other) => one - other);
const percentile99 = (entries: Entries['passwords']): number => {
  const sorted = toSorted(entries);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
};

const SERVICES = ['gateway', 'auth', 'admin', 'worker'] as const;

/** Private memory in megabytes, and open files and sockets. */
export const measure = ({ stack }: RunningStack) =>
  SERVICES.map((name) => {
    const pid = stack.pids[name];
    return { name, megabytes: readPrivateMegabytes(pid), descriptors: readdirSync(`/proc/${pid}/fd`).length };
  });

export const checkPasswords = (report: Report, name: string, without: Entries, during: Entries) => {
  const failed = during.passwords.filter(({ response }) => response.status !== 200);
  const total = during.passwords.length;
  report.check(
    total > 0 && failed.length === 0,
    `${name}: ${failed.length} of ${total} password sign-ins failed`,
  );
  if (failed.length > 0)
    report.log(`    ${countStatuses(failed.map(({ response }) => formatStatus(response)))}`);
  const [before, after] = [percentile99(without.passwords), percentile99(during.passwords)];
  const ratio = after / before;
  const text = `p99 ${after.toFixed(0)} ms, ${before.toFixed(0)} ms without the fault`;
  report.timeLimit(ratio <= MAX_P99_RATIO, `${name}: ${text}, × ${ratio.toFixed(2)}`);
  return [total, failed.length, `${before.toFixed(0)} ms`, `${after.toFixed(0)} ms`, ratio.toFixed(2)];
};

export const checkProviders = (report: Report, name: string, entries: Entries['providers']) => {
  const results = countStatuses(entries.map(({ response }) => formatStatus(response)));
  const areRefused = entries.every(
    ({ response }) =>
      response.code === 'OIDC_PROVIDER_UNAVAILABLE' && Number(response.headers['retry-after']) > 0,
  );
  report.check(
    entries.length > 0 && areRefused,
    `${name}: provider sign-ins get ${results}, with Retry-After`,
  );
  const times = toSorted(entries);
  const waiting = times.filter((milliseconds) => milliseconds > WAITING_MILLISECONDS).length;
  report.check(
    waiting <= entries.length * MAX_WAITING_SHARE,
    `${name}: ${waiting} of them waited for the provider`,
  );
  const slowest = times.at(-1) ?? Number.NaN;
  report.timeLimit(slowest <= MAX_MILLISECONDS, `${name}: the slowest takes ${slowest.toFixed(0)} ms`);
  return [results, waiting, `${slowest.toFixed(0)} ms`];
};

export const checkGrowth = (
  report: Report,
  name: string,
  before: ReturnType<typeof measure>,
  running: RunningStack,
) => {
  const growths = measure(running).map((now, index) => ({
    name: now.name,
    megabytes: now.megabytes - (before[index]?.megabytes ?? 0),
    descriptors: now.descriptors - (before[index]?.descriptors ?? 0),
  }));
  const isSmall = growths.every(
    ({ megabytes, descriptors }) => megabytes <= MAX_GROWTH_MEGABYTES && descriptors <= MAX_NEW_DESCRIPTORS,
  );
  const text = growths
    .map(
      ({ name, megabytes, descriptors }) =>
        `${name} ${megabytes.toFixed(0)} MB and ${descriptors} descriptors`,
    )
    .join(', ');
  report.check(isSmall, `${name}: growth of ${text}`);
  return `${Math.max(...growths.map(({ megabytes }) => megabytes)).toFixed(0)} MB`;
};
