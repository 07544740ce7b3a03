/** At least, or at most, so much. */
export type Target = { atLeast: number } | { atMost: number };

/** A line of the table: one thing that must hold, or why it could not be measured. */
export type Line = {
  work: string;
  /** The figures that it was made of, for the reader. */
  of: string;
  unit: '×' | 'ms' | 'MB';
  target: Target;
} & ({ figure: number } | { missing: string });

export type Verdict = 'met' | 'NOT MET' | 'not measured';

const holds = (figure: number, target: Target): boolean =>
  'atLeast' in target ? figure >= target.atLeast : figure <= target.atMost;

export const judge = (line: Line): Verdict => {
  if ('missing' in line || !Number.isFinite(line.figure)) return 'not measured';
  return holds(line.figure, line.target) ? 'met' : 'NOT MET';
};

/** As many digits as say something: 0.0042, 0.65, 4.13, 18.2, 1,234. */
export const showNumber = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  if (size > 0 && size < 0.1) return value.toPrecision(2);
  return value.toFixed(size >= 10 ? 1 : 2);
};

const withUnit = (value: number, unit: Line['unit']): string => `${showNumber(value)} ${unit}`;

const showTarget = ({ target, unit }: Line): string =>
  'atLeast' in target ? `≥ ${target.atLeast} ${unit}` : `≤ ${target.atMost} ${unit}`;

const COLUMNS = ['work', 'figure', 'target', '', 'of'];

/** What is shown of each line, in the order of the columns. */
export const toCells = (lines: readonly Line[]): string[][] =>
  lines.map((line) => [
    line.work,
    'missing' in line ? '–' : withUnit(line.figure, line.unit),
    showTarget(line),
    judge(line),
    'missing' in line ? line.missing : line.of,
  ]);

export const layOut = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const show = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return rows.map((row) => show(row).join('  ').trimEnd()).join('\n');
};

export const showLines = (lines: readonly Line[]): string => layOut([COLUMNS, ...toCells(lines)]);

const row = (cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

export const toMarkdown = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(columns), row(columns.map(() => '---')), ...rows.map(row)].join('\n');

export const linesToMarkdown = (lines: readonly Line[]): string => toMarkdown(COLUMNS, toCells(lines));
