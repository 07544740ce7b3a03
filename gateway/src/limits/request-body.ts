import { AppError, BODY_LIMIT_BYTES, bodyTooLarge } from '@platform/shared/errors/app-error';
import { hasBody, isDisconnected } from '@platform/shared/http/request-body';
import { getClientNetworks } from '@platform/shared/network/client-address';
import type { Request, RequestHandler } from 'express';
import type { LimitMetrics } from './limit-metrics.ts';
import type { BodyShare, NetworkShares } from './network-share.ts';

const TIMEOUT_MILLISECONDS = 10_000;
/** An ordinary body arrives together with the headers, or within a round trip. */
const SLOW_AFTER_MILLISECONDS = 1_000;
const DISCARD_MILLISECONDS = 2_000;

/** Closes the connection, because the rest of the body would be parsed as the next request. */
const requestTimeout = (): AppError =>
  new AppError('REQUEST_TIMEOUT', 408, 'The request body did not arrive within 10 s; send it again.', {
    headers: { Connection: 'close' },
  });

const NO_BYTES = Buffer.alloc(0);

/**
 * Copies the chunks into one growing buffer, because a list of one-byte chunks would take a hundred times the
 * memory of its bytes. The buffer grows with the received bytes, to at most twice their number, so a declared
 * length reserves nothing. `append` returns the error that aborts the body: 413, 429 or 503.
 */
const createBodyBuffer = (share: BodyShare) => {
  let buffer = NO_BYTES;
  let length = 0;

  const grow = (capacity: number): AppError | undefined => {
    const error = share.reserve(capacity - buffer.length);
    if (error) return error;
    const larger = Buffer.allocUnsafe(capacity);
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
    return undefined;
  };

  return {
    append: (chunk: Buffer): AppError | undefined => {
      const needed = length + chunk.length;
      if (needed > BODY_LIMIT_BYTES) return bodyTooLarge();
      const error =
        needed > buffer.length
          ? grow(Math.min(Math.max(needed, 2 * buffer.length), BODY_LIMIT_BYTES))
          : undefined;
      if (error) return error;
      chunk.copy(buffer, length);
      length = needed;
      return undefined;
    },
    /** Returns the bytes and keeps no reference to them. */
    take: (): Buffer => {
      const bytes = buffer.subarray(0, length);
      buffer = NO_BYTES;
      return bytes;
    },
  };
};

type BodyReader = { stop: () => void; abort: (error: AppError) => void };

/**
 * Calls `done` once, with the body or the error that aborted it. Never calls it if the client disconnects.
 */
const readBody = (
  req: Request,
  share: BodyShare,
  done: (error: AppError | undefined, body: Buffer) => void,
): BodyReader => {
  const bodyBuffer = createBodyBuffer(share);
  const stop = () => {
    clearTimeout(timer);
    req.off('data', onData).off('end', end);
    share.endTransfer();
  };
  const end = (error?: AppError) => {
    stop();
    done(error, bodyBuffer.take());
  };
  const onData = (chunk: Buffer) => {
    const error = bodyBuffer.append(chunk);
    if (error) end(error);
  };
  const onSlow = () => {
    const error = share.markSlow();
    if (error) return end(error);
    timer = setTimeout(end, TIMEOUT_MILLISECONDS - SLOW_AFTER_MILLISECONDS, requestTimeout());
  };
  let timer = setTimeout(onSlow, SLOW_AFTER_MILLISECONDS);
  req.on('data', onData).on('end', end);
  return { stop, abort: end };
};

/**
 * Reads the complete body before forwarding, so that a slow client never occupies an upstream connection.
 * Responds with 408 after 10 s, with 413 beyond 102,400 bytes, and with 429 or 503 if a share of the bodies
 * is exhausted (network-share.ts).
 */
export const createBodyReader =
  ({ openBody }: NetworkShares, metrics: LimitMetrics): RequestHandler =>
  (req, res, next) => {
    if (!hasBody(req)) return next();
    // The body would never end, because Node has destroyed the request.
    if (isDisconnected(req)) return;
    const share = openBody(getClientNetworks(req), (error) => reader.abort(error));
    const reader = readBody(req, share, (error, body) => {
      if (error?.code === 'RATE_LIMITED') metrics.countRateLimited({ limit: 'bodies' });
      if (!error) req.state.bodyBuffer = body;
      next(error);
    });
    res.once('close', () => {
      reader.stop();
      share.release();
    });
  };

/**
 * Keeps reading for 2 s after an early error response. Closing a socket with unread data would reset it and
 * lose the response.
 */
export const discardBody = (req: Request): void => {
  req.resume();
  if (req.complete) return;
  setTimeout(() => {
    if (!req.complete) req.socket.destroy();
  }, DISCARD_MILLISECONDS).unref();
};
