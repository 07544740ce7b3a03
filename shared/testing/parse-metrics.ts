/** One line of a /metrics page. */
export type Sample = { name: string; labels: Record<string, string>; value: number };

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const NUMBER = /^(?:[+-]?Inf|NaN|[+-]?[\d.]+(?:e[+-]?\d+)?)$/i;

const parseLabels = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]),
  );

const parseLine = (line: string): Sample => {
  const [, name, labels = '', value] = LINE.exec(line) ?? [];
  if (name === undefined || value === undefined || !NUMBER.test(value))
    throw new Error(`Not in the Prometheus format: ${line}`);
  return { name, labels: parseLabels(labels), value: Number(value.replace('Inf', 'Infinity')) };
};

/** @throws Error when a line is not in the Prometheus format */
export const parseMetrics = (page: string): Sample[] =>
  page
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseLine);
