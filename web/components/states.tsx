import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { COMMON } from '../words/common.ts';
import { formatSeconds, formatTime } from '../words/formats.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { Card, CardRow, EmptyRow } from './card.tsx';
import { useRetrySeconds } from './countdown.tsx';
import { CheckCircleIcon } from './form-icons.tsx';
import { SearchIcon } from './icons.tsx';
import { ErrorNotice, Notice } from './notice.tsx';
import { Strip } from './strip.tsx';
import { useIsSlow } from './waiting.tsx';

type EmptyProps = {
  children: ReactNode;
  /** The text below the sentence, such as where it was searched. */
  hint?: ReactNode;
  /** The default is a magnifying glass. */
  icon?: ReactNode;
  /** Nothing is left to do, which is good. */
  isDone?: boolean;
  action?: ReactNode;
};

/** Says why a list is empty, and what to do next. */
export const Empty = ({ children, hint, icon, isDone = false, action }: EmptyProps) => (
  <div className="empty">
    <span className={isDone ? 'empty-icon empty-icon-ok' : 'empty-icon'}>
      {icon ?? (isDone ? <CheckCircleIcon /> : <SearchIcon />)}
    </span>
    <p>{children}</p>
    {hint && <p>{hint}</p>}
    {action}
  </div>
);

/** Says that the page loads, to people who do not see the grey bars. */
const LoadingStatus = () => {
  const words = useWords(COMMON);
  return (
    <span className="visually-hidden" role="status">
      {words.loading}
    </span>
  );
};

const LINES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Grey bars during the first load, if it takes more than 300 ms. */
export const Skeleton = () => {
  const isShown = useIsSlow(true);
  if (!isShown) return null;
  return (
    <div className="stack">
      <LoadingStatus />
      {LINES.map((line, index) => (
        <span key={line} className={index % 3 === 2 ? 'skeleton skeleton-short' : 'skeleton'} />
      ))}
    </div>
  );
};

/** A line of bars with the height of its text. */
const SkeletonLine = () => <span className="skeleton skeleton-short skeleton-line" />;

const SkeletonCard = ({ title }: { title: string }) => (
  <Card title={title}>
    {['a', 'b'].map((row) => (
      <CardRow key={row}>
        <SkeletonLine />
        <span className="skeleton skeleton-line" />
      </CardRow>
    ))}
  </Card>
);

type PageSkeletonProps = {
  /** The labels of the facts in the strip, if the page has one. */
  strip?: readonly string[];
  /** The titles of the cards of each column. */
  columns: readonly (readonly string[])[];
};

/** The page while its first data loads: headings at once, grey bars after 300 ms. */
export const PageSkeleton = ({ strip = [], columns }: PageSkeletonProps) => {
  const isSlow = useIsSlow(true);
  const facts = strip.map((label) => ({ label, value: <SkeletonLine />, hint: <SkeletonLine /> }));
  return (
    <div className={isSlow ? 'stack' : 'stack skeleton-early'}>
      {isSlow && <LoadingStatus />}
      {facts.length > 0 && <Strip facts={facts} />}
      <div className="columns">
        {columns.map((titles) => (
          <div key={titles[0]} className="stack">
            {titles.map((title) => (
              <SkeletonCard key={title} title={title} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
};

/** Stands for a number or line that is not known yet, with its height. */
export const UnknownValue = () => (
  <span className={useIsSlow(true) ? 'skeleton skeleton-short' : undefined} aria-hidden="true">
    {'\u00a0'}
  </span>
);

/** The part of a TanStack query that its error needs. `dataUpdatedAt` is 0 if nothing was loaded. */
export type QueryState = {
  error: unknown;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch: () => unknown;
};
type QueryErrorProps = {
  query: QueryState;
  /** When the data that stays on the page was loaded, if not by this query: milliseconds since 1970. */
  loadedAt?: number | undefined;
};

/**
 * The message of a failed query, and a button that tries again. It renders nothing without an error, and the
 * data that was loaded stays below it. After too many requests, it counts down once and goes on by itself.
 */
export const QueryError = ({ query, loadedAt = query.dataUpdatedAt }: QueryErrorProps) => {
  const words = useWords(COMMON);
  const retrySeconds = useRetrySeconds(query.error);
  const isOver = retrySeconds === 0;
  const goOn = useEffectEvent(() => void query.refetch());
  useEffect(() => {
    if (isOver) goOn();
  }, [isOver]);
  if (query.error == null) return null;
  if (retrySeconds !== undefined)
    return (
      <Notice title={<span aria-hidden="true">{words.tooMany(formatSeconds(retrySeconds))}</span>}>
        <span role="status" className="visually-hidden">
          {words.tooManyNow}
        </span>
        {loadedAt ? words.asOf(formatTime(new Date(loadedAt))) : undefined}
      </Notice>
    );
  return (
    <div className="stack-small">
      <ErrorNotice error={query.error}>
        {loadedAt ? words.asOf(formatTime(new Date(loadedAt))) : words.cannotLoad}
      </ErrorNotice>
      <div>
        <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>
          {words.tryAgain}
        </Button>
      </div>
    </div>
  );
};

/** The error of a query in a row of a card. */
export const QueryErrorRow = ({ query }: { query: QueryState }) =>
  query.error == null ? null : (
    <CardRow>
      <QueryError query={query} />
    </CardRow>
  );

type QueryRowsProps<Item> = {
  query: QueryState & { data: { data: readonly Item[] } | undefined };
  /** The sentence if there are no items. */
  none: ReactNode;
  children: (item: Item) => ReactNode;
};

/** A row of a card for each item of a query, or why there is none. */
export const QueryRows = <Item,>({ query, none, children }: QueryRowsProps<Item>) => (
  <>
    <QueryErrorRow query={query} />
    {query.data?.data.length === 0 && <EmptyRow>{none}</EmptyRow>}
    {query.data?.data.map((item) => children(item))}
  </>
);
