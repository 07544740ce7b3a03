import { useState } from 'react';
import { usePageKeys } from '../keys/page-keys.ts';

type Options<Row> = {
  /** The loaded rows that can be selected, 100 at most. */
  rows: readonly Row[];
  nameOf: (row: Row) => string;
};

/** The row with the focus, else the one that is open beside the list. */
const findFocusedRow = (): string | undefined =>
  (
    document.activeElement?.closest<HTMLElement>('[data-row]') ??
    document.querySelector<HTMLElement>('[data-row]:has([aria-current])')
  )?.dataset['row'];

/** The ids from one row to another, whichever comes first. */
const listRange = <Row extends { id: string }>(rows: readonly Row[], from: string, to: string): string[] => {
  const ends = [from, to].map((id) => rows.findIndex((row) => row.id === id));
  return rows.slice(Math.min(...ends), Math.max(...ends) + 1).map(({ id }) => id);
};

/** Which rows of a list are selected, by boxes and by keys: `x`, Shift and `x` for a range, Escape. */
export const useSelection = <Row extends { id: string }>({ rows, nameOf }: Options<Row>) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string>();
  // Rows of another page are out of sight, so no action may include them.
  const selected = rows.filter(({ id }) => chosen.has(id));
  const ids: ReadonlySet<string> = new Set(selected.map(({ id }) => id));
  const clear = () => setChosen(new Set());
  const toggle = (id: string, isRange: boolean): void => {
    const start = isRange && anchor !== undefined && rows.some((row) => row.id === anchor) ? anchor : id;
    const range = listRange(rows, start, id);
    const isOn = !ids.has(id);
    setChosen(new Set(isOn ? [...ids, ...range] : [...ids].filter((each) => !range.includes(each))));
    setAnchor(id);
  };
  const toggleFocused = ({ shiftKey }: KeyboardEvent): void => {
    const id = findFocusedRow();
    if (id !== undefined && rows.some((row) => row.id === id)) toggle(id, shiftKey);
  };
  usePageKeys({ x: toggleFocused, ...(selected.length > 0 && { escape: clear }) });
  return {
    rows,
    nameOf,
    ids,
    selected,
    clear,
    toggle,
    selectAll: () => setChosen(new Set(rows.map(({ id }) => id))),
  };
};

export type Selection<Row extends { id: string }> = ReturnType<typeof useSelection<Row>>;
