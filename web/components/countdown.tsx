import { isPlatformError, type PlatformError } from '@platform/client';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { FORM } from '../words/form.ts';
import { formatClock, formatSeconds } from '../words/formats.ts';
import { useWords } from '../words/words.ts';

/** The seconds until `until` (milliseconds since 1970), and 0 afterwards. Renders once a second. */
export const useSecondsLeft = (until: number): number => {
  const readSeconds = () => Math.max(0, Math.ceil((until - Date.now()) / 1_000));
  const subscribe = useCallback(
    (render: () => void) => {
      if (until <= Date.now()) return () => undefined;
      const timer = setInterval(() => {
        render();
        if (until <= Date.now()) clearInterval(timer);
      }, 1_000);
      return () => clearInterval(timer);
    },
    [until],
  );
  return useSyncExternalStore(subscribe, readSeconds);
};

/**
 * When the same request may succeed: counted from when the error was shown first. Outside of the components, because
 * a form shows the same error at several places, which must agree.
 */
const retryTimes = new WeakMap<PlatformError, number>();

const toRetryTime = (error: PlatformError): number => {
  const time = retryTimes.get(error) ?? Date.now() + (error.retryAfterSeconds ?? 60) * 1_000;
  retryTimes.set(error, time);
  return time;
};

/** The seconds until the same request may succeed, undefined if the error is not about a limit. */
export const useRetrySeconds = (error: unknown): number | undefined => {
  const retryAt = isPlatformError(error, 'RATE_LIMITED', 'RESEND_LOCKED') ? toRetryTime(error) : undefined;
  const secondsLeft = useSecondsLeft(retryAt ?? 0);
  return retryAt === undefined ? undefined : secondsLeft;
};

/** Says in words how long to wait. Screen readers hear the end only, not every second. */
export const Countdown = ({ seconds }: { seconds: number }) => {
  const words = useWords(FORM);
  return (
    <span className="small">
      {seconds > 0 && <span className="number">{words.tryAgainIn(formatSeconds(seconds))}</span>}
      <span role="status">{seconds === 0 && words.canTryAgain}</span>
    </span>
  );
};

type ClockProps = { seconds: number; sentence: (time: string) => string };

/** Counts for the eye (`1:57`). A screen reader finds how long it was when the count began, in words. */
export const Clock = ({ seconds, sentence }: ClockProps) => {
  const [first] = useState(seconds);
  return (
    <span>
      <span aria-hidden="true">{sentence(formatClock(seconds))}</span>
      <span className="visually-hidden">{sentence(formatSeconds(first))}</span>
    </span>
  );
};
