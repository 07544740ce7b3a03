/** bench/results/<scenario>.json, written by the benchmark with `--record`. */
export type ScenarioRecord = {
  command: string;
  date: string;
  environment: Record<string, string>;
  /** The rows of the target table. */
  targets?: string[][];
  tables: { title: string; columns: string[]; rows: string[][] }[];
};

type Block = { scenario: string; title: string };

/** The figures of docs/scaling.md by the name of their block: a table of a recorded scenario. */
export const SCALING_BLOCKS: Readonly<Record<string, Block>> = {
  'cost by load': { scenario: 'cost-by-load', title: 'Processor time of a request by load' },
  'idle cost': { scenario: 'cost-by-load', title: 'Processor time without requests' },
  cores: { scenario: 'cost-by-load', title: 'Cores by request rate' },
  'account creation': { scenario: 'account-creation', title: 'Account creation by commit latency' },
};

const toRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** @throws Error when the record lacks the table */
const renderTable = ({ scenario, title }: Block, record: ScenarioRecord): string => {
  const table = record.tables.find((each) => each.title === title);
  if (!table) throw new Error(`bench/results/${scenario}.json has no table "${title}"`);
  const { machine = 'an unknown machine', postgres = 'unknown' } = record.environment;
  const load = record.environment['load before it began'] ?? 'unknown';
  const rows = [table.columns, table.columns.map(() => '---'), ...table.rows].map(toRow);
  return [
    `[Recorded](../bench/results/${scenario}.json) on ${record.date} by \`${record.command}\`: ${machine}, PostgreSQL ${postgres}, load averages before it ${load}.`,
    '',
    ...rows,
  ].join('\n');
};

/** Renders each block from the record of its scenario. */
export const renderScaling = (
  records: Readonly<Record<string, ScenarioRecord | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(SCALING_BLOCKS).map(([name, block]) => {
      const record = records[block.scenario];
      const missing = `Not recorded: \`npm run bench -- ${block.scenario} --record\`.`;
      return [name, record ? renderTable(block, record) : missing];
    }),
  );
