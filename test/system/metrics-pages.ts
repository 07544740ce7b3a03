import type { StackFile } from '@platform/shared/testing/stack';

/** One line of a /metrics page. */
export type Sample = { name: string; labels: Record<string, string>; value: number };
export type ProcessKey = keyof StackFile['opsUrls'];
export const PROCESSES: readonly ProcessKey[] = ['gateway', 'auth', 'admin', 'worker'];

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

const parseLabels = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]),
  );

const parseLine = (line: string): Sample => {
  const [, name, labels = '', value] = LINE.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`Not a line of Prometheus: ${line}`);
  return { name, labels: parseLabels(labels), value: Number(value) };
};

/** What one process shows to Prometheus. */
export const scrape = async ({ opsUrls }: StackFile, process: ProcessKey): Promise<Sample[]> => {
  const answer = await fetch(`${opsUrls[process]}/metrics`);
  if (!answer.ok) throw new Error(`${process} answers ${answer.status} to /metrics`);
  const lines = (await answer.text()).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map(parseLine);
};

/** The sum of the series of that name with those labels; undefined when there is none. */
export const sumOf = (
  samples: Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined => {
  const found = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
};
