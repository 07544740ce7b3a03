import { readFileSync } from 'node:fs';
import { parseMetrics, type Sample } from '@platform/shared/testing/parse-metrics';
import { expect } from 'chai';

const SAMPLE_MILLISECONDS = 500;

/** The memory that the process does not share with others. */
const readPrivateMegabytes = (pid: number): number => {
  const pages = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(/^Private_\w+: +(\d+) kB$/gm);
  return [...pages].reduce((total, [, size]) => total + Number(size), 0) / 1_024;
};

/** The lowest sample until `until`, because V8 returns memory some seconds after a load. */
export const findLowestMemory = async (pid: number, until: Promise<unknown>): Promise<number> => {
  const samples = [readPrivateMegabytes(pid)];
  const sample = () => samples.push(readPrivateMegabytes(pid));
  const timer = setInterval(sample, SAMPLE_MILLISECONDS);
  await until;
  clearInterval(timer);
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
