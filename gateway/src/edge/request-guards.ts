import { AppError, validationFailed } from '@platform/shared/errors/app-error';
import type { Request, RequestHandler } from 'express';
import { isClearPath, pathOf } from '../upstreams.ts';

/** What the API's operations answer to. */
export const API_METHODS = ['GET', 'POST', 'PATCH', 'DELETE'];

/** Node hides headers past a limit of its own (1,000 or 2,000), a Content-Length among them: never come near it. */
const MAX_HEADERS = 100;

/** Of names and values in turn. */
const hasSecondHost = ({ rawHeaders }: Request): boolean => {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
};

const findFault = (req: Request): string | undefined => {
  const { url, headers, httpVersion } = req;
  // Node's parser takes a request line without a version, and one of HTTP/2.0.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Only HTTP/1.1 and HTTP/1.0 are spoken here';
  if (!isClearPath(pathOf(url))) return 'The path is not in its plain form';
  if (headers.host === undefined && httpVersion !== '1.0') return 'The Host header is missing';
  if (hasSecondHost(req)) return 'There is more than one Host header';
  const coding = headers['transfer-encoding'];
  // RFC 9112, 6.1: an HTTP/1.0 message with a transfer coding is framed wrongly.
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0'))
    return 'The only transfer coding is chunked, over HTTP/1.1';
  return undefined;
};

/** Nothing that an upstream could understand differently from the gateway gets further than this. */
export const refuseUnclear: RequestHandler = (req, res, next) => {
  if (req.rawHeaders.length > 2 * MAX_HEADERS)
    throw new AppError('HEADERS_TOO_LARGE', 431, `There are more than ${MAX_HEADERS} headers`);
  const fault = findFault(req);
  if (fault) {
    // Nor is there trust in where such a request ends and the next one on the connection begins.
    res.set('Connection', 'close');
    throw validationFailed(fault);
  }
  next();
};
