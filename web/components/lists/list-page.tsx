import type { ReactNode } from 'react';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { Page } from '../frame/page.tsx';
import { type Filter, FilterChips } from './filter-chips.tsx';
import { formatTotal, type ListQuery, ListResult, Paging } from './list.tsx';
import { SearchField } from './list-filters.tsx';
import type { ListState } from './list-state.ts';
import { useSelection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { type Column, Table } from './table.tsx';

/** One page of a list, as the API returns it. */
type Found<Row> = { data: readonly Row[]; total: number; totalCapped?: boolean | undefined };

type Empty = { none: string; noneFiltered?: string; noneFound?: (text: string) => string };

type ListPageProps<Row extends { id: string }, Name extends string> = {
  title: string;
  breadcrumbs?: readonly (readonly [label: ReactNode, href: string])[];
  /** The buttons at the right of the heading. */
  actions?: ReactNode;
  list: ListState<Name>;
  query: ListQuery<Found<Row>>;
  columns: readonly Column<Row>[];
  /** The order while the address names none, if the list can be sorted. */
  defaultSort?: string;
  /** The label of the search. */
  search?: string;
  /** Called on Enter with the search; true if it has led elsewhere, such as to the user with this id. */
  onEnter?: (text: string) => boolean;
  filters?: readonly Filter<Name>[];
  /** The name of a row where it is selected, and the actions on the selected ones. */
  several?: {
    nameOf: (row: Row) => string;
    /** Whether the row gets a box: a row without an action gets none. */
    isSelectable?: (row: Row) => boolean;
    actions: (selected: readonly Row[], clear: () => void) => ReactNode;
  };
  /** The sentences for an empty list: without filters, with filters, and for a search. */
  empty: Empty;
  /** The list is empty because all work is done. */
  isDone?: boolean;
  /** The note below the rows, if there are more than the API counts. */
  cappedNote?: string;
};

const NOTHING: readonly never[] = [];

const chooseEmpty = (
  { none, noneFiltered = none, noneFound }: Empty,
  { search, isFiltered }: Pick<ListState, 'search' | 'isFiltered'>,
): string => {
  if (search && noneFound) return noneFound(search);
  return isFiltered ? noneFiltered : none;
};

/** A screen that is one list. */
export const ListPage = <Row extends { id: string }, Name extends string = never>(
  props: ListPageProps<Row, Name>,
) => {
  const { title, breadcrumbs = [], actions, list, query, columns, search, onEnter, several } = props;
  const words = useWords(COMMON);
  const { data } = query;
  const rows = data?.data ?? NOTHING;
  const selection = useSelection<Row>({
    rows: several?.isSelectable ? rows.filter(several.isSelectable) : rows,
    nameOf: several?.nameOf ?? (({ id }) => id),
  });
  const { selected, clear } = selection;
  const sort = list.sort ?? props.defaultSort;
  return (
    <Page
      title={title}
      breadcrumbs={breadcrumbs}
      aside={data && <span className="text-count">{formatTotal(data.total, data.totalCapped)}</span>}
      actions={actions}
    >
      {several && selected.length > 0 ? (
        <SelectionBar count={selected.length} clear={clear}>
          {several.actions(selected, clear)}
        </SelectionBar>
      ) : (
        <div className="toolbar">
          {search !== undefined && <SearchField list={list} query={query} label={search} onEnter={onEnter} />}
          <FilterChips list={list} filters={props.filters ?? []} />
        </div>
      )}
      <ListResult
        query={query}
        total={(found) => found}
        empty={chooseEmpty(props.empty, list)}
        isDone={props.isDone}
        emptyAction={
          list.isFiltered && (
            <Button onClick={list.clear}>
              {Object.keys(list.filters).length > 0 ? words.removeFilters : words.clearSearch}
            </Button>
          )
        }
      >
        {(found, isOld) => (
          <div>
            <Table
              caption={title}
              columns={columns}
              rows={found.data}
              isOld={isOld}
              sorting={sort === undefined ? undefined : { sort, setSort: list.setSort }}
              selection={several && selection}
            />
            <Paging
              list={list}
              shown={found.data.length}
              total={found.total}
              totalCapped={found.totalCapped}
            />
            {found.totalCapped && props.cappedNote && <p className="muted small">{props.cappedNote}</p>}
          </div>
        )}
      </ListResult>
    </Page>
  );
};
