import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { DownIcon, UpIcon } from '../icons.tsx';
import { Time } from '../time.tsx';
import { SelectAll, SelectRow } from './select-box.tsx';
import type { Selection } from './selection.ts';

export type Column<Row> = {
  label: string;
  cell: (row: Row) => ReactNode;
  /** The column of the name takes the room that is left. Where a row is a block of lines, it needs no label. */
  isName?: boolean;
  /** The width in pixels, so that the columns stay in place on each page; without it, the column shares the rest. */
  width?: number;
  /** Aligns the column at the right, for numbers and dates. */
  isEnd?: boolean;
  /** The column is left out below this width: of 1,100 px, or of 820 px, where a row is a block. */
  leavesBelow?: 1100 | 820;
  /** The value stands at the right on a phone, where a row is a block. */
  isEndOfBlock?: boolean;
  /** The API's name of this order. A second click turns it around. */
  sort?: string;
  /** Hides the heading, such as over the actions of a row. */
  hasNoHeading?: boolean;
};

/** The API's name of an order, with `-` before it if it falls. */
type Sorting = { sort: string; setSort: (sort: string) => void };

type TableProps<Row extends { id: string }> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The rows are those of the previous search, until the new ones are loaded. */
  isOld?: boolean;
  sorting?: Sorting | undefined;
  selection?: Selection<Row> | undefined;
};

const classOf = <Row,>({ isName, isEnd, leavesBelow, isEndOfBlock }: Column<Row>): string =>
  [
    isName && 'table-cell-name',
    isEnd && 'table-cell-end',
    leavesBelow && `table-leaves-below-${leavesBelow}`,
    isEndOfBlock && 'table-cell-block-end',
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
 * A list as a table. Enter on a row opens the link of its first column. On narrow screens, columns are left out by
 * `leavesBelow`; below 820 px, a row is a block of lines.
 */
export const Table = <Row extends { id: string }>(props: TableProps<Row>) => {
  const { caption, columns, rows, isOld = false, sorting, selection } = props;
  const isSelected = (id: string) => selection?.ids.has(id) === true;
  return (
    <div className="table-frame">
      <table className={isOld ? 'table table-old' : 'table'} aria-busy={isOld}>
        <caption className="visually-hidden">{caption}</caption>
        <colgroup>
          {selection && <col className="table-leaves-below-820" style={{ width: 40 }} />}
          {columns.map((column) => (
            <col key={column.label} className={classOf(column)} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {selection && (
              <th className="table-leaves-below-820">
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
            <tr key={row.id} data-row={row.id} className={isSelected(row.id) ? 'table-selected' : undefined}>
              {selection && (
                <td className="table-leaves-below-820">
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

/** A column of times, at the right in a row and in a block of lines. */
export const timeColumn = <Row,>(
  label: string,
  width: number,
  toTime: (row: Row) => string | null,
): Column<Row> => ({
  label,
  width,
  isEnd: true,
  isEndOfBlock: true,
  cell: (row) => <Time at={toTime(row)} />,
});

/** The name of a row, which Enter opens. */
export const RowLink = ({
  href,
  name,
  isMuted = false,
}: {
  href: string;
  name: string;
  isMuted?: boolean;
}) => (
  <CutText text={name}>
    <Link className={isMuted ? 'text-name muted' : 'text-name'} href={href} data-open>
      {name}
    </Link>
  </CutText>
);

/** One line of a cell, cut at its end; its whole text is its title. */
export const CutText = ({ text, children }: { text: string; children?: ReactNode }) => (
  <span className="text-cut" title={text} dir="auto">
    {children ?? text}
  </span>
);
