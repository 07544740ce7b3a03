import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseMetrics, type Sample } from '@platform/shared/testing/parse-metrics';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import type { RestartableService } from './platform.ts';

const SAMPLE_MILLISECONDS = 500;

/** The memory that the process does not share with others. */
const readPrivateMegabytes = (pid: number): number => {
  const pages = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(/^Private_\w+: +(\d+) kB$/gm);
  return [...pages].reduce((total, [, size]) => total + Number(size), 0) / 1_024;
};

/** Opens the inspector of the gateway, and collects its garbage, which V8 may keep for minutes. */
const collectGarbage = async (gateway: RestartableService): Promise<void> => {
  process.kill(gateway.pid(), 'SIGUSR1');
  const url = await waitFor(
    'the inspector listens',
    () => gateway.output().match(/^Debugger listening on (ws:\S+)/m)?.[1],
  );
  const inspector = new WebSocket(url);
  await once(inspector, 'open');
  inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
  await once(inspector, 'message');
  inspector.close();
};

/** The lowest memory of the gateway without garbage, in megabytes, of samples until `until`. */
export const findLowestMemory = async (
  gateway: RestartableService,
  until: Promise<unknown>,
): Promise<number> => {
  await collectGarbage(gateway);
  const samples = [readPrivateMegabytes(gateway.pid())];
  const sample = () => samples.push(readPrivateMegabytes(gateway.pid()));
  const timer = setInterval(sample, SAMPLE_MILLISECONDS);
  await until;
  clearInterval(timer);
  await collectGarbage(gateway);
  sample();
  return Math.min(...samples);
};

/** All figures are megabytes of the gateway. */
export const expectNoGrowth = (before: number, after: number, maxGrowth = 5): void => {
  console.log(`      the gateway has ${before.toFixed(1)} MB before and ${after.toFixed(1)} MB after`);
  expect(after - before, 'growth in MB').to.be.at.most(maxGrowth);
};

export const readMetrics = async ({ opsUrl }: { opsUrl: string }): Promise<Sample[]> =>
  parseMetrics(await (await fetch(`${opsUrl}/metrics`)).text());

/** The sum of all samples with these labels. */
export const sumSamples = (
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number =>
  samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((total, { value }) => total + value, 0);
