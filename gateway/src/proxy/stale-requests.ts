import { unavailable } from '@platform/shared/errors/app-error';
import { isDisconnected } from '@platform/shared/http/request-body';
import type { Log } from '@platform/shared/log/log';
import type { Request, RequestHandler } from 'express';

const BEAT_MILLISECONDS = 500;
/** No work of the gateway blocks the process for as long. */
const FROZEN_MILLISECONDS = 2_000;
/** How long the process may take to read what its connections have received meanwhile. */
const CATCH_UP_MILLISECONDS = { atLeast: 1_000, atMost: 10_000 };
/** The event loop waits only when it has read everything. */
const IDLE_MILLISECONDS = 1;

const readIdle = (): number => performance.eventLoopUtilization().idle;

/**
 * A process that was frozen, such as by a paused machine, has requests in its buffers whose clients have repeated
 * them elsewhere: a refresh that it forwards now looks like the theft of a token, and ends the session. After a
 * freeze that was longer than the time limit, it forwards nothing that may have waited; after a shorter one,
 * nothing whose client has left.
 */
export const createStaleFilter = (timeoutMilliseconds: number, log: Log) => {
  let lastBeat = performance.now();
  let resumed: { at: number; idle: number; frozenMilliseconds: number } | undefined;
  const isCaughtUp = (now: number, { at, idle }: { at: number; idle: number }): boolean => {
    const { atLeast, atMost } = CATCH_UP_MILLISECONDS;
    return now - at > atMost || (now - at > atLeast && readIdle() - idle > IDLE_MILLISECONDS);
  };
  const beat = (): void => {
    const now = performance.now();
    if (now - lastBeat > FROZEN_MILLISECONDS) {
      // A second freeze may come before what waited during a longer one has been read.
      const frozenMilliseconds = Math.max(now - lastBeat, resumed?.frozenMilliseconds ?? 0);
      resumed = { at: now, idle: readIdle(), frozenMilliseconds };
      log.warn({ seconds: Math.round(frozenMilliseconds / 1_000) }, 'the process was frozen');
    } else if (resumed && isCaughtUp(now, resumed)) resumed = undefined;
    lastBeat = now;
  };
  const timer = setInterval(beat, BEAT_MILLISECONDS).unref();
  /** Comes first: whatever waits for something, such as a body, may end after the process has caught up. */
  const markWaited = ({ state }: Request): void => {
    beat();
    if (resumed) state.frozenMilliseconds = resumed.frozenMilliseconds;
  };
  const rejectStale: RequestHandler = (req, _res, next) => {
    const { frozenMilliseconds } = req.state;
    if (frozenMilliseconds === undefined) return next();
    if (frozenMilliseconds > timeoutMilliseconds)
      throw unavailable('The request has waited too long; retry.', undefined, 1);
    // The end of a connection is read a turn after its last request.
    setImmediate(() =>
      setImmediate(() => {
        if (!isDisconnected(req)) next();
      }),
    );
  };
  return { markWaited, rejectStale, stop: () => clearInterval(timer) };
};

export type StaleFilter = ReturnType<typeof createStaleFilter>;
