import type { ReactNode } from 'react';
import { COMMON } from '../words/common.ts';
import { formatTime } from '../words/formats.ts';
import { useWords } from '../words/words.ts';
import { Button } from './button.tsx';
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

type BrokenProps = {
  error: unknown;
  /** When the data that stays on the page was loaded: milliseconds since 1970. */
  loadedAt?: number | undefined;
  isBusy?: boolean;
  onRetry: () => void;
};

/** The data that was loaded stays below it. */
export const Broken = ({ error, loadedAt, isBusy = false, onRetry }: BrokenProps) => {
  const words = useWords(COMMON);
  return (
    <div className="stack-small">
      <ErrorNotice error={error}>
        {loadedAt ? words.asOf(formatTime(new Date(loadedAt))) : words.cannotLoad}
      </ErrorNotice>
      <div>
        <Button isBusy={isBusy} onClick={onRetry}>
          {words.tryAgain}
        </Button>
      </div>
    </div>
  );
};
