import type { ReactNode } from 'react';
import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { type Column, formatTotal, type ListQuery, ListResult, Paging, Table } from './list.tsx';
import { FilterSelect, Filters, SearchField } from './list-filters.tsx';
import type { ListState } from './list-state.ts';
import { Page } from './page.tsx';

/** One page of a list, as the API returns it. */
type Found<Row> = { data: readonly Row[]; total: number; totalCapped?: boolean | undefined };

type Filter<Name> = { name: Name; label: string; options: Readonly<Record<string, string>> };

type ListPageProps<Row extends { id: string }, Name extends string> = {
  title: string;
  breadcrumbs?: readonly (readonly [label: ReactNode, href: string])[];
  /** At the right of the heading. */
  actions?: ReactNode;
  list: ListState<Name>;
  query: ListQuery<Found<Row>>;
  columns: readonly Column<Row>[];
  /** The label of the search. A list that can be searched has the number of results beside its heading. */
  search?: string;
  /** Called on Enter with the search; true if it has led elsewhere, such as to the user with this id. */
  onEnter?: (text: string) => boolean;
  filters?: readonly Filter<Name>[];
  /** Why there is nothing, and what to do next. */
  empty: string;
  /** Below the rows, if there are more than can be counted. */
  cappedNote?: string;
};

/** A screen that is one list. */
export const ListPage = <Row extends { id: string }, Name extends string = never>({
  title,
  breadcrumbs = [],
  actions,
  list,
  query,
  columns,
  search,
  onEnter,
  filters = [],
  empty,
  cappedNote,
}: ListPageProps<Row, Name>) => {
  const words = useWords(COMMON);
  const { data } = query;
  return (
    <Page
      title={title}
      breadcrumbs={breadcrumbs}
      aside={
        search !== undefined &&
        data && <span className="muted small number">{formatTotal(data.total, data.totalCapped)}</span>
      }
      actions={actions}
    >
      <Filters>
        {search !== undefined && <SearchField list={list} label={search} {...(onEnter && { onEnter })} />}
        {filters.map(({ name, label, options }) => (
          <FilterSelect
            key={name}
            label={label}
            value={list.filters[name]}
            options={options}
            onChange={(value) => list.setFilter(name, value)}
          />
        ))}
      </Filters>
      <ListResult
        query={query}
        total={(found) => found}
        empty={empty}
        emptyAction={list.isFiltered && <Button onClick={list.clear}>{words.removeFilters}</Button>}
      >
        {(found, isOld) => (
          <div>
            <Table caption={title} columns={columns} rows={found.data} isOld={isOld} />
            <Paging
              list={list}
              shown={found.data.length}
              total={found.total}
              totalCapped={found.totalCapped}
            />
            {found.totalCapped && cappedNote && <p className="muted small">{cappedNote}</p>}
          </div>
        )}
      </ListResult>
    </Page>
  );
};
