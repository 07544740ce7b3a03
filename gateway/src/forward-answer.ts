import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { isHopByHop, namedInConnection } from './hop-by-hop.ts';

/** The gateway's own to say; `Transfer-Encoding` Node chooses anew for this connection. */
const DROPPED = new Set(['transfer-encoding', 'vary', 'x-powered-by', 'x-request-id']);

const isDropped = (name: string): boolean =>
  DROPPED.has(name) || isHopByHop(name) || name.startsWith('access-control-');

/** Passes an upstream's answer on; a header of its own replaces the gateway's. */
export const forwardAnswer = (answer: IncomingMessage, res: Response): void => {
  const { headers, statusCode = 502 } = answer;
  const named = namedInConnection(headers);
  res.statusCode = statusCode;
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !isDropped(name) && !named.has(name)) res.setHeader(name, value);
  if (headers.vary) res.vary(headers.vary);
  answer.pipe(res);
};
