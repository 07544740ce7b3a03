import type { Report } from '@platform/shared/testing/suite';
import type { Operation } from './contract.ts';
import type { Memory } from './memory.ts';
import type { ProbeFigures } from './probe.ts';
import type { Fault } from './run-requests.ts';
import { findLogLines } from './service-logs.ts';
import type { Tally } from './tally.ts';

/** The memory of the processes after so many requests. */
export type Snapshot = { requests: number; memory: Memory };
export type Measured = {
  dataDir: string;
  operations: readonly Operation[];
  tally: Tally;
  faults: readonly Fault[];
  probe: ProbeFigures;
  /** The first of them counts once everything is warm. */
  snapshots: readonly Snapshot[];
  warmAfter: number;
};

const MOST_GROWTH_MEGABYTES = 60;
const MOST_P99_MILLISECONDS = 1_000;
const SHOWN_OF_A_SORT = 3;
const SHOWN_CHARACTERS = 700;

/** By what is wrong, ids and the like left out. */
const showFaults = (report: Report, { faults, dataDir }: Measured): void => {
  const sorts = Map.groupBy(faults, ({ what }) => what.replace(/[0-9a-f-]{36}|"requestId.*/g, '…'));
  for (const [sort, alike] of sorts) {
    report.log(`    ${alike.length} × ${sort.slice(0, SHOWN_CHARACTERS)}`);
    for (const { number, request, requestId } of alike.slice(0, SHOWN_OF_A_SORT)) {
      report.log(`        request ${number}: ${request.slice(0, SHOWN_CHARACTERS)}`);
      for (const line of findLogLines(dataDir, requestId))
        report.log(`          ${line.slice(0, SHOWN_CHARACTERS)}`);
    }
  }
};

const judgeOperations = (report: Report, { operations, tally }: Measured): void => {
  const namesOf = (found: readonly Operation[]) => found.map(({ id }) => id).join(', ') || 'none';
  const missed = operations.filter(({ id }) => !tally.has(id));
  const barren = operations.filter(({ id }) => !tally.hasSuccess(id));
  report.check(missed.length === 0, `of ${operations.length} operations, never asked: ${namesOf(missed)}`);
  report.check(
    barren.length === 0,
    `of ${operations.length} operations, never successful: ${namesOf(barren)}`,
  );
};

const judgeMemory = (report: Report, { snapshots, warmAfter }: Measured): void => {
  const warm = snapshots.find(({ requests }) => requests >= warmAfter);
  const last = snapshots.at(-1);
  const names = Object.keys(last?.memory ?? {});
  for (const name of names) {
    const growth = (last?.memory[name] ?? Number.NaN) - (warm?.memory[name] ?? Number.NaN);
    const isBounded = growth <= MOST_GROWTH_MEGABYTES;
    report.check(isBounded, `${name} has grown by ${growth.toFixed(0)} MB since request ${warm?.requests}`);
  }
  const rows = names.map((name) => [
    name,
    ...snapshots.map(({ memory }) => memory[name]?.toFixed(0) ?? 'gone'),
  ]);
  const columns = ['', ...snapshots.map(({ requests }) => String(requests))];
  report.table('Resident memory in MB after so many requests', columns, rows);
};

/** What must hold after all the requests, and the figures. */
export const judgeRun = (report: Report, measured: Measured): void => {
  const { faults, probe, tally, snapshots } = measured;
  const faulty = new Set(faults.map(({ number }) => number)).size;
  report.check(
    faulty === 0,
    `${snapshots.at(-1)?.requests} requests, ${faulty} with something wrong in the answer`,
  );
  showFaults(report, measured);
  judgeOperations(report, measured);
  report.check(
    probe.failures === 0 && probe.p99 <= MOST_P99_MILLISECONDS,
    `me meanwhile, ${probe.count} times: p50 ${probe.p50.toFixed(0)} ms, p99 ${probe.p99.toFixed(0)} ms, ` +
      `slowest ${probe.slowest.toFixed(0)} ms, ${probe.failures} failed`,
  );
  judgeMemory(report, measured);
  report.table('Answers by operation', ['operation', 'requests', 'statuses'], tally.operations());
  report.table('Answers by mutation', ['mutation', 'requests', 'statuses'], tally.mutations());
};
