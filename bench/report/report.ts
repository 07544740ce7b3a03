import type { LoadResult } from '../load/load.ts';
import type { BarGroup } from './bar-chart.ts';
import { type Line, layOut, showLines, showNumber } from './table.ts';

export type Table = { title: string; columns: readonly string[]; rows: readonly (readonly string[])[] };

/** Takes down what the parts found. */
export const createReport = () => {
  const lines: Line[] = [];
  const tables: Table[] = [];
  const groups: BarGroup[] = [];
  const notes: string[] = [];
  const say = (text: string) => console.log(text);
  return {
    lines,
    tables,
    groups,
    notes,
    say,
    line: (line: Line): void => {
      lines.push(line);
      say(showLines([line]).split('\n').at(-1) ?? '');
    },
    table: (title: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): void => {
      const cells = rows.map((cell) =>
        cell.map((value) => (typeof value === 'number' ? showNumber(value) : String(value))),
      );
      tables.push({ title, columns, rows: cells });
      say(`\n${title}\n${layOut([columns, ...cells])}\n`);
    },
    bars: (group: BarGroup): void => {
      groups.push(group);
    },
    /** What a reader of the figures must know. */
    note: (text: string): void => {
      notes.push(text);
      say(`! ${text}`);
    },
  };
};

export type Report = ReturnType<typeof createReport>;

export const milliseconds = ({ p50, p95, p99 }: LoadResult): number[] => [p50, p95, p99];
