import { type AppError, bodyTooLarge } from '@platform/shared/errors/app-error';
import { BODY_LIMIT_BYTES, hasBody } from '@platform/shared/http/body-validation';
import { getClientAddress, toClientSubnet } from '@platform/shared/http/client-address';
import type { Request, RequestHandler } from 'express';
import { requestTimeout } from '../proxy/upstream-errors.ts';
import { type BodyQuota, createBodyQuotas } from './body-quota.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** The whole body, if the request has one. */
    wholeBody?: Buffer;
  }
}

const TIMEOUT_MILLISECONDS = 10_000;
/** An ordinary body arrives together with the headers, or within a round trip. */
const SLOW_AFTER_MILLISECONDS = 1_000;
const LINGER_MILLISECONDS = 2_000;

/**
 * Collects the chunks in one buffer: kept one by one, chunks of a byte would take a hundred times their size.
 * `add` returns the error that ends the body: 413, 429 or 503.
 */
const createCollector = (declaredBytes: number, quota: BodyQuota) => {
  let buffer = Buffer.alloc(0);
  let length = 0;

  const grow = (capacity: number): AppError | undefined => {
    const refusal = quota.reserve(capacity - buffer.length);
    if (refusal) return refusal;
    const larger = Buffer.allocUnsafe(capacity);
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
    return undefined;
  };

  return {
    add: (chunk: Buffer): AppError | undefined => {
      const needed = length + chunk.length;
      if (needed > BODY_LIMIT_BYTES) return bodyTooLarge();
      if (needed > buffer.length) {
        const doubled = Math.min(Math.max(needed, 2 * buffer.length), BODY_LIMIT_BYTES);
        const refusal = grow(declaredBytes || doubled);
        if (refusal) return refusal;
      }
      chunk.copy(buffer, length);
      length = needed;
      return undefined;
    },
    whole: (): Buffer => buffer.subarray(0, length),
  };
};

/** Calls `done` once: with the body, or with the error that ended it; not at all when the client has left. */
const collectBody = (
  req: Request,
  quota: BodyQuota,
  done: (error: AppError | undefined, body: Buffer) => void,
): { stop: () => void } => {
  const collector = createCollector(Number(req.headers['content-length'] ?? 0), quota);
  const stop = () => {
    clearTimeout(timer);
    req.off('data', onData).off('end', end);
    quota.endArrival();
  };
  const end = (error?: AppError) => {
    stop();
    done(error, collector.whole());
  };
  const onData = (chunk: Buffer) => {
    const error = collector.add(chunk);
    if (error) end(error);
  };
  const onSlow = () => {
    const refusal = quota.markSlow();
    if (refusal) return end(refusal);
    timer = setTimeout(end, TIMEOUT_MILLISECONDS - SLOW_AFTER_MILLISECONDS, requestTimeout());
  };
  let timer = setTimeout(onSlow, SLOW_AFTER_MILLISECONDS);
  req.on('data', onData).on('end', end);
  return { stop };
};

/**
 * Reads the whole body, so that a slow client never occupies a connection to a service.
 * Ends with 408 after 10 s, 413 over 102,400 bytes, 429 or 503 when bodies take too much (see body-quota.ts).
 */
export const createBodyReader = (): RequestHandler => {
  const openQuota = createBodyQuotas();
  return (req, res, next) => {
    if (!hasBody(req)) return next();
    const quota = openQuota(toClientSubnet(getClientAddress(req)));
    const { stop } = collectBody(req, quota, (error, body) => {
      if (error?.code === 'RATE_LIMITED') res.locals.exceededLimit = 'bodies';
      req.wholeBody = body;
      next(error);
    });
    res.once('close', () => {
      stop();
      quota.release();
    });
  };
};

/** Reads on after an early response, so that the client gets to see it; but not for long. */
export const discardBody = (req: Request): void => {
  req.resume();
  if (req.complete) return;
  setTimeout(() => {
    if (!req.complete) req.socket.destroy();
  }, LINGER_MILLISECONDS).unref();
};
