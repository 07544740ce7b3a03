import type { ReactNode } from 'react';
import { COMMON } from '../words/common.ts';
import { formatTime } from '../words/formats.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
import { CardRow } from './card.tsx';
import { ErrorNotice } from './notice.tsx';
import { useIsSlow } from './waiting.tsx';

/** Why nothing is there, and what to do next. */
export const Empty = ({ children, action }: { children: ReactNode; action?: ReactNode }) => (
  <div className="empty">
    <p>{children}</p>
    {action}
  </div>
);

const LINES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** For the first load only, and only if it takes more than 300 ms. */
export const Skeleton = () => {
  const words = useWords(COMMON);
  const isShown = useIsSlow(true);
  if (!isShown) return null;
  return (
    <div className="stack">
      <span className="visually-hidden" role="status">
        {words.loading}
      </span>
      {LINES.map((line, index) => (
        <span key={line} className={index % 3 === 2 ? 'skeleton skeleton-short' : 'skeleton'} />
      ))}
    </div>
  );
};

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
 * data that was loaded stays below it.
 */
export const QueryError = ({ query, loadedAt = query.dataUpdatedAt }: QueryErrorProps) => {
  const words = useWords(COMMON);
  if (query.error == null) return null;
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

/** The same in a row of a card. */
export const QueryErrorRow = ({ query }: { query: QueryState }) =>
  query.error == null ? null : (
    <CardRow>
      <QueryError query={query} />
    </CardRow>
  );
