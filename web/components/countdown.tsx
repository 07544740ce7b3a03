import { isPlatformError } from '@platform/client';
import { useEffect, useMemo, useState } from 'react';
import { COMMON } from '../words/common.ts';
import { formatSeconds } from '../words/formats.ts';
import { useWords } from '../words/words.ts';

/** The seconds until `until` (milliseconds since 1970), and 0 afterwards. Renders once a second. */
export const useSecondsLeft = (until: number): number => {
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((until - now) / 1_000));
  useEffect(() => {
    setNow(Date.now());
    if (until <= Date.now()) return;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (until <= Date.now()) clearInterval(timer);
    }, 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return left;
};

/** The seconds until the same request may succeed, undefined if the error is not about a limit. */
export const useRetrySeconds = (error: unknown): number | undefined => {
  const retryAt = useMemo(
    () =>
      isPlatformError(error, 'RATE_LIMITED', 'RESEND_LOCKED')
        ? Date.now() + (error.retryAfterSeconds ?? 60) * 1_000
        : undefined,
    [error],
  );
  const secondsLeft = useSecondsLeft(retryAt ?? 0);
  return retryAt === undefined ? undefined : secondsLeft;
};

/** Says in words how long to wait. Screen readers hear the end only, not every second. */
export const Countdown = ({ seconds }: { seconds: number }) => {
  const words = useWords(COMMON);
  return (
    <span className="small">
      {seconds > 0 && <span className="number">{words.waitFor(formatSeconds(seconds))}</span>}
      <span role="status">{seconds === 0 && words.possibleAgain}</span>
    </span>
  );
};
