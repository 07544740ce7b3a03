import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { formatNumber, formatResults, formatTable, type Result } from './table.ts';

type Table = { title: string; columns: readonly string[]; rows: readonly (readonly string[])[] };

/** Collects the results of the scenarios, and prints them as they come. */
export const createReport = () => {
  const results: Result[] = [];
  const tables: Table[] = [];
  const notes: string[] = [];
  return {
    results,
    tables,
    notes,
    addResult: (result: Result): void => {
      results.push(result);
      console.log(formatResults([result]).split('\n').at(-1));
    },
    addTable: (title: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): void => {
      const cells = rows.map((row) =>
        row.map((value) => (typeof value === 'number' ? formatNumber(value) : String(value))),
      );
      tables.push({ title, columns, rows: cells });
      console.log(`\n${title}\n${formatTable([columns, ...cells])}\n`);
    },
    /** Adds a note to the report. */
    addNote: (text: string): void => {
      notes.push(text);
      console.log(`! ${text}`);
    },
  };
};

export type Report = ReturnType<typeof createReport>;

/** The commit, the date, the machine and the versions of a run. */
export type Environment = Record<string, string>;

const git = (cwd: string, ...args: string[]): string | undefined => {
  try {
    return execFileSync('git', args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
};

export const readCommit = (root: string): string => {
  const name = git(root, 'rev-parse', '--short=12', 'HEAD');
  if (name === undefined) return 'unknown';
  // The run itself writes the measurements.
  const changes = ['status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs/measurements.md'];
  return git(root, ...changes) ? `${name} with changes` : name;
};

export const readEnvironment = async (databaseUrl: string, root: string): Promise<Environment> => {
  const [row] = await queryDatabase<{ version: string; buffers: string }>(
    databaseUrl,
    "select current_setting('server_version') as version, current_setting('shared_buffers') as buffers",
  );
  return {
    commit: `Commit ${readCommit(root)}`,
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
    node: `Node ${process.version}`,
    postgres: `PostgreSQL ${row?.version} with ${row?.buffers} of shared_buffers`,
  };
};
