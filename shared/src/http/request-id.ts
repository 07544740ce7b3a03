import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

declare module 'node:http' {
  interface IncomingMessage {
    /** Equals the X-Request-Id of the answer. */
    requestId: string;
  }
}

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

/** Takes a well-formed X-Request-Id from the caller, else makes one; the answer carries it. */
export const assignRequestId: RequestHandler = (req, res, next) => {
  const given = req.headers['x-request-id'];
  req.requestId = typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
  res.setHeader('X-Request-Id', req.requestId);
  next();
};
