import { unavailable } from '@platform/shared/errors/app-error';
import { isDisconnected } from '@platform/shared/http/request-body';
import type { Log } from '@platform/shared/log/log';
import type { RequestHandler } from 'express';

const BEAT_MILLISECONDS = 500;
/** No work of the gateway blocks the process for as long. */
const FROZEN_MILLISECONDS = 2_000;
/** Enough to read what the connections have received meanwhile. */
const CATCH_UP_MILLISECONDS = 1_000;

/**
 * A process that was frozen, such as by a paused machine, has requests in its buffers whose clients have repeated
 * them elsewhere: a refresh that it forwards now looks like the theft of a token, and ends the session. After a
 * freeze that was longer than the time limit, it forwards nothing that may have waited; after a shorter one,
 * nothing whose client has left.
 */
export const createStaleFilter = (timeoutMilliseconds: number, log: Log) => {
  let lastBeat = performance.now();
  let frozenMilliseconds = 0;
  let caughtUpAt = 0;
  const beat = (): number => {
    const now = performance.now();
    if (now - lastBeat > FROZEN_MILLISECONDS) {
      frozenMilliseconds = now - lastBeat;
      caughtUpAt = now + CATCH_UP_MILLISECONDS;
      log.warn({ seconds: Math.round(frozenMilliseconds / 1_000) }, 'the process was frozen');
    }
    lastBeat = now;
    return now;
  };
  const timer = setInterval(beat, BEAT_MILLISECONDS).unref();
  const rejectStale: RequestHandler = (req, _res, next) => {
    if (beat() > caughtUpAt) return next();
    if (frozenMilliseconds > timeoutMilliseconds)
      throw unavailable('The request has waited too long; retry.', undefined, 1);
    // The end of a connection is read a turn after its last request.
    setImmediate(() =>
      setImmediate(() => {
        if (!isDisconnected(req)) next();
      }),
    );
  };
  return { rejectStale, stop: () => clearInterval(timer) };
};
