import type { BarGroup } from './bar-chart.ts';
import { formatNumber, formatResults, formatTable, type Result } from './table.ts';

type Table = { title: string; columns: readonly string[]; rows: readonly (readonly string[])[] };

/** Collects the results of the scenarios, and prints them as they come. */
export const createReport = () => {
  const results: Result[] = [];
  const tables: Table[] = [];
  const charts: BarGroup[] = [];
  const notes: string[] = [];
  return {
    results,
    tables,
    charts,
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
    addChart: (chart: BarGroup): void => {
      charts.push(chart);
    },
    /** Something that readers of the results must know. */
    addNote: (text: string): void => {
      notes.push(text);
      console.log(`! ${text}`);
    },
  };
};

export type Report = ReturnType<typeof createReport>;
