import type { ReactNode } from 'react';
import { DownIcon, UpIcon } from '../icons.tsx';
import { SelectAll, SelectRow } from './select-box.tsx';
import type { Selection } from './selection.ts';

export type Column<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  /** Takes the room that is left. In a block of lines it needs no label. */
  isName?: boolean;
  /** In pixels, so that no page or search moves the columns; without it, the room that is left is shared. */
  width?: number;
  /** Right-aligned, for numbers and dates. */
  isEnd?: boolean;
  /** The columns with the least weight leave first: below 1,100 px, or only where a row is a block. */
  leavesBelow?: 1100 | 820;
  /** On a phone, where a row is a block, the value stands at the right. */
  isEndOfBlock?: boolean;
  /** The API's name of this order. A second click turns it around. */
  sort?: string;
  /** Shows no heading, such as over the actions of a row. */
  hasNoHeading?: boolean;
};

/** The API's name of an order, with `-` before it if it falls. */
type Sorting = { sort: string; setSort: (sort: string) => void };

type TableProps<Row extends { id: string }> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Rows of the previous search, until the new ones are there. */
  isOld?: boolean;
  sorting?: Sorting | undefined;
  selection?: Selection<Row> | undefined;
};

const classOf = <Row,>({ isName, isEnd, leavesBelow, isEndOfBlock }: Column<Row>): string =>
  [
    isName && 'cell-name',
    isEnd && 'cell-end',
    leavesBelow && `leaves-below-${leavesBelow}`,
    isEndOfBlock && 'cell-block-end',
  ]
    .filter(Boolean)
    .join(' ');

type HeadProps<Row> = { column: Column<Row>; sorting: Sorting | undefined };

/** The arrow of a right-aligned column stands before the word, so that the word keeps its place. */
const Head = <Row,>({ column, sorting }: HeadProps<Row>) => {
  const { label, sort, hasNoHeading } = column;
  const isFalling = sorting?.sort === `-${sort}`;
  const isSorted = isFalling || sorting?.sort === sort;
  const direction = isFalling ? 'descending' : 'ascending';
  return (
    <th scope="col" className={classOf(column)} aria-sort={sort && isSorted ? direction : undefined}>
      {sort && sorting ? (
        <button type="button" className="sort" onClick={() => sorting.setSort(isFalling ? sort : `-${sort}`)}>
          {label}
          {isSorted && !isFalling ? <UpIcon /> : <DownIcon />}
        </button>
      ) : (
        <span className={hasNoHeading ? 'visually-hidden' : undefined}>{label}</span>
      )}
    </th>
  );
};

/**
 * The link of the first column is the row's only one, and what Enter opens. Columns keep their widths, and leave by
 * their weight; below 820 px a row is a block of lines.
 */
export const Table = <Row extends { id: string }>(props: TableProps<Row>) => {
  const { caption, columns, rows, isOld = false, sorting, selection } = props;
  const isSelected = (id: string) => selection?.ids.has(id) === true;
  return (
    <div className="table-frame">
      <table className={isOld ? 'table is-old' : 'table'} aria-busy={isOld}>
        <caption className="visually-hidden">{caption}</caption>
        <colgroup>
          {selection && <col className="leaves-below-820" style={{ width: 40 }} />}
          {columns.map((column) => (
            <col key={column.label} className={classOf(column)} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {selection && (
              <th className="leaves-below-820">
                <SelectAll selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.label} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-row={row.id} className={isSelected(row.id) ? 'is-selected' : undefined}>
              {selection && (
                <td className="leaves-below-820">
                  {selection.rows.includes(row) && <SelectRow selection={selection} row={row} />}
                </td>
              )}
              {columns.map((column) => (
                <td
                  key={column.label}
                  className={classOf(column) || undefined}
                  data-label={column.isName || column.hasNoHeading ? undefined : column.label}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** One line of a cell, cut at its end; its whole text is its title. */
export const Cut = ({ text, children }: { text: string; children?: ReactNode }) => (
  <span className="cut" title={text} dir="auto">
    {children ?? text}
  </span>
);
