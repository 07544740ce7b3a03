import { useSyncExternalStore } from 'react';
import { COMMON } from '../words/common.ts';
import { formatAge, formatDateAndTime, formatExactly } from '../words/formats.ts';
import { useWords } from '../words/words.ts';

type TimeProps = {
  /** ISO 8601, or null for "never". */
  at: string | null | undefined;
  /** Shows date and time, for the page of one thing; lists say "5 min ago". */
  isFull?: boolean;
};

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

const subscribe = (render: () => void): (() => void) => {
  const timer = setInterval(render, MINUTE / 2);
  return () => clearInterval(timer);
};

/** Renders again as the minutes pass, so that "now" does not stay. */
export const useMinutes = (): number =>
  useSyncExternalStore(subscribe, () => Math.floor(Date.now() / MINUTE));

/** The start of the day of UTC that was so many days ago. It is the same for a whole day, as the address of a request. */
export const useDaysAgo = (): ((days: string) => string) => {
  const today = useSyncExternalStore(subscribe, () => Math.floor(Date.now() / DAY));
  return (days) => new Date((today - Number(days)) * DAY).toISOString();
};

/** Shows a moment in the reader's time zone, with the exact one on hover. */
export const Time = ({ at, isFull = false }: TimeProps) => {
  // Renders again when the language changes.
  const words = useWords(COMMON);
  useMinutes();
  if (!at) return <>{words.never}</>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatExactly(moment)}>
      {isFull ? formatDateAndTime(moment) : formatAge(moment)}
    </time>
  );
};
