import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { COMMON } from '../../words/common.ts';
import { formatNumber } from '../../words/formats.ts';
import { PAGING } from '../../words/paging.ts';
import { useWords } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { FirstIcon, LastIcon, LeftIcon, RightIcon } from '../icons.tsx';
import { Empty, QueryError, type QueryState, Skeleton } from '../states.tsx';
import { PAGE_SIZES, useListState } from './list-state.ts';
import { useReturnToRow } from './return-to-row.ts';

type PagingState = {
  page: number;
  perPage: number;
  setPage: (page: number) => void;
  setPerPage: (size: number) => void;
};
type PagingProps = { list: PagingState; shown: number; total: number; totalCapped?: boolean | undefined };

export const formatTotal = (total: number, totalCapped = false): string =>
  totalCapped ? `${formatNumber(total)}+` : formatNumber(total);

type PageButtonProps = { label: string; isUnavailable: boolean; onClick: () => void; children: ReactNode };

const PageButton = ({ label, children, ...button }: PageButtonProps) => (
  <Button look="icon" aria-label={label} title={label} {...button}>
    {children}
  </Button>
);

/** `1–20 of 12,408`, the page size, and the neighbours, which are always in the same place. */
export const Paging = ({ list, shown, total, totalCapped = false }: PagingProps) => {
  const words = useWords(PAGING);
  const { page, perPage, setPage, setPerPage } = list;
  const first = (page - 1) * perPage + 1;
  const range = `${formatNumber(first)}–${formatNumber(first + shown - 1)}`;
  const pages = Math.max(1, Math.ceil(total / perPage));
  const isLast = page >= pages;
  return (
    <div className="paging">
      <span className="number">{shown > 0 && words.rangeOf(range, formatTotal(total, totalCapped))}</span>
      <div className="row">
        <select
          className="field-select"
          aria-label={words.pageSize}
          value={perPage}
          onChange={({ currentTarget }) => setPerPage(Number(currentTarget.value))}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              {words.perPage(formatNumber(size))}
            </option>
          ))}
        </select>
        <PageButton label={words.first} isUnavailable={page === 1} onClick={() => setPage(1)}>
          <FirstIcon />
        </PageButton>
        <PageButton label={words.previous} isUnavailable={page === 1} onClick={() => setPage(page - 1)}>
          <LeftIcon />
        </PageButton>
        <span className="number">{words.pageOf(formatNumber(page), formatTotal(pages, totalCapped))}</span>
        <PageButton label={words.next} isUnavailable={isLast} onClick={() => setPage(page + 1)}>
          <RightIcon />
        </PageButton>
        {/* If the total is not known, the last page is not known either. */}
        <PageButton label={words.last} isUnavailable={isLast || totalCapped} onClick={() => setPage(pages)}>
          <LastIcon />
        </PageButton>
      </div>
    </div>
  );
};

/** The part of a query of TanStack that a list shows. */
export type ListQuery<Page> = QueryState & { data: Page | undefined; isPlaceholderData: boolean };

type ListResultProps<Page extends { data: readonly unknown[] }> = {
  query: ListQuery<Page>;
  total: (page: Page) => { total: number; totalCapped?: boolean | undefined };
  /** Says why the list is empty, and what to do next. */
  empty: ReactNode;
  emptyAction?: ReactNode;
  isDone?: boolean | undefined;
  /** The table, and the paging below it. */
  children: (page: Page, isOld: boolean) => ReactNode;
};

/** Keeps the latest page that was loaded, with its time, while another page cannot be loaded. */
const useLastPage = <Page,>({ data, error, dataUpdatedAt }: ListQuery<Page>) => {
  const [last, setLast] = useState<{ data: Page; at: number }>();
  if (data !== undefined && dataUpdatedAt > 0 && last?.at !== dataUpdatedAt)
    setLast({ data, at: dataUpdatedAt });
  return data === undefined && error != null ? last : undefined;
};

/** Moves to the last page if the address has a later one, such as after its only row was deleted. */
const useExistingPage = (total: number | undefined): void => {
  const { page, perPage, setPage } = useListState();
  const lastPage = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage));
  const isMissing = lastPage !== undefined && page > lastPage;
  const leave = useEffectEvent(() => lastPage !== undefined && setPage(lastPage, { replace: true }));
  useEffect(() => {
    if (isMissing) leave();
  }, [isMissing]);
};

/** A list in each of its states: first load, nothing there, broken, old rows while new ones load. */
export const ListResult = <Page extends { data: readonly unknown[] }>({
  query,
  total,
  empty,
  emptyAction,
  isDone = false,
  children,
}: ListResultProps<Page>) => {
  const words = useWords(COMMON);
  const { error } = query;
  const kept = useLastPage(query);
  const data = query.data ?? kept?.data;
  const isOld = query.isPlaceholderData || kept !== undefined;
  const count = data && total(data);
  // A total can be capped, so pages after it may have rows.
  const isEmptyPage = data?.data.length === 0;
  useReturnToRow(data !== undefined && !isOld);
  useExistingPage(isEmptyPage && !isOld ? count?.total : undefined);
  const announcement = count ? words.results(formatTotal(count.total, count.totalCapped), count.total) : '';
  return (
    <div className="stack">
      <span role="status" className="visually-hidden">
        {!isOld && (count?.total === 0 ? words.noResults : announcement)}
      </span>
      <QueryError query={query} loadedAt={kept?.at} />
      {!data && error == null && <Skeleton />}
      {count?.total === 0 && (
        <Empty action={emptyAction} isDone={isDone}>
          {empty}
        </Empty>
      )}
      {data && count?.total !== 0 && children(data, isOld)}
    </div>
  );
};
