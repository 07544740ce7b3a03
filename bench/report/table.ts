/** The limit that a value has to meet. */
export type Limit = { atLeast: number } | { atMost: number };

/** A promised property: its measured value, or the reason why it was not measured. */
export type Result = {
  name: string;
  unit: '×' | 'ms' | 's' | 'MB';
  target: Limit;
  /** Why the target is missed, as a profile or a plan has shown. The page says it only then. */
  reason?: string;
} & (
  | {
      value: number;
      /** The measurements that the value is computed from. */
      basis: string;
    }
  | { missing: string }
);

type Outcome = 'met' | 'NOT MET' | 'not measured';

const isMet = (value: number, target: Limit): boolean =>
  'atLeast' in target ? value >= target.atLeast : value <= target.atMost;

export const getOutcome = (result: Result): Outcome => {
  if ('missing' in result || !Number.isFinite(result.value)) return 'not measured';
  return isMet(result.value, result.target) ? 'met' : 'NOT MET';
};

/** Two or three significant digits: 0.0042, 0.65, 4.13, 18.2, 1,234. */
export const formatNumber = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  if (size > 0 && size < 0.1) return value.toPrecision(2);
  return value.toFixed(size >= 10 ? 1 : 2);
};

const formatTarget = ({ target, unit }: Result): string =>
  'atLeast' in target ? `≥ ${target.atLeast} ${unit}` : `≤ ${target.atMost} ${unit}`;

const COLUMNS = ['work', 'figure', 'target', '', 'of'];

const toBasis = (result: Result): string => {
  if ('missing' in result) return result.missing;
  const { basis, reason } = result;
  return reason && getOutcome(result) === 'NOT MET' ? `${basis}. Why: ${reason}` : basis;
};

/** The cells for COLUMNS. */
const toCells = (results: readonly Result[]): string[][] =>
  results.map((result) => [
    result.name,
    'missing' in result ? '–' : `${formatNumber(result.value)} ${result.unit}`,
    formatTarget(result),
    getOutcome(result),
    toBasis(result),
  ]);

/** Aligns the columns with spaces. */
export const formatTable = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const pad = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return rows.map((row) => pad(row).join('  ').trimEnd()).join('\n');
};

export const formatResults = (results: readonly Result[]): string =>
  formatTable([COLUMNS, ...toCells(results)]);

const toRow = (cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

export const toMarkdown = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [toRow(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(toRow)].join('\n');

/** Marks a missed target on the page. */
export const MISSED = '**missed**';

const TARGETS: Record<Outcome, string> = {
  met: '',
  'NOT MET': `, ${MISSED}`,
  'not measured': ', not measured',
};

export const resultsToMarkdown = (results: readonly Result[]): string =>
  toMarkdown(
    ['work', 'figure', 'target', 'of'],
    results.map((result) => {
      const [work = '', figure = '', target = '', , basis = ''] = toCells([result]).flat();
      return [work, figure, target + TARGETS[getOutcome(result)], basis];
    }),
  );
