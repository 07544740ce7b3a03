/** bench/results/<scenario>.json, written by the benchmark with `--record`. */
export type ScenarioRecord = {
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
  'account creation': {
    scenario: 'account-creation',
    title: 'Account creation at a commit latency of 50 ms, 48 connections',
  },
  'ten million': { scenario: 'ten-million', title: 'Operations by number of users' },
};

const toRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const renderTable = ({ scenario, title }: Block, record: ScenarioRecord | undefined): string => {
  const table = record?.tables.find((each) => each.title === title);
  if (!(record && table)) return `Not recorded: \`npm run bench -- ${scenario} --record\`.`;
  const { machine = 'an unknown machine', commit = 'an unknown commit' } = record.environment;
  const [cores] = machine.split(' of ');
  const rows = [table.columns, table.columns.map(() => '---'), ...table.rows].map(toRow);
  return [...rows, '', `[Recorded](../bench/results/${scenario}.json) at ${commit}: ${cores}.`].join('\n');
};

/** Renders each block from the record of its scenario; a record of another version of the scenario lacks the table. */
export const renderScaling = (
  records: Readonly<Record<string, ScenarioRecord | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(SCALING_BLOCKS).map(([name, block]) => [
      name,
      renderTable(block, records[block.scenario]),
    ]),
  );
