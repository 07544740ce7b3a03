import { AppError, validationFailed } from '@platform/shared/errors/app-error';
import type { Request, RequestHandler } from 'express';
import { isUnambiguousPath, stripQuery } from '../upstreams.ts';

/** Node drops headers beyond its own limit (1,000 or 2,000), which could hide a Content-Length: stay far below it. */
const MAX_HEADERS = 100;

/** `rawHeaders` alternates names and values. */
const hasMultipleHosts = ({ rawHeaders }: Request): boolean => {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
};

const findAmbiguity = (req: Request): string | undefined => {
  const { url, headers, httpVersion } = req;
  // Node's parser accepts a request line without a version, and HTTP/2.0.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Unsupported HTTP version; use HTTP/1.1.';
  if (!isUnambiguousPath(stripQuery(url))) return 'Ambiguous path; send it in its normalized form.';
  if (headers.host === undefined && httpVersion !== '1.0') return 'Missing Host header.';
  if (hasMultipleHosts(req)) return 'More than one Host header.';
  const coding = headers['transfer-encoding'];
  // RFC 9112, 6.1: an HTTP/1.0 message with a transfer coding has faulty framing.
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return 'Unsupported transfer coding; use chunked over HTTP/1.1.';
  return undefined;
};

/** Rejects requests that an upstream could parse differently from the gateway (request smuggling). */
export const rejectAmbiguousRequest: RequestHandler = (req, res, next) => {
  if (req.rawHeaders.length > 2 * MAX_HEADERS)
    throw new AppError('HEADERS_TOO_LARGE', 431, `Too many headers; send at most ${MAX_HEADERS}.`);
  const ambiguity = findAmbiguity(req);
  if (ambiguity) {
    // The end of such a request is ambiguous too, and with it the start of the next one on this connection.
    res.set('Connection', 'close');
    throw validationFailed(ambiguity);
  }
  next();
};
