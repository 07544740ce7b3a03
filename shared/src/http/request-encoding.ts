import { isUtf8 } from 'node:buffer';
import { parse } from 'node:querystring';
import { MIMEType } from 'node:util';
import type { Request, RequestHandler } from 'express';
import { type ErrorDetail, escapeKey, validationFailed } from '../errors/app-error.ts';
import { isDecodable } from '../network/url-login.ts';

// All input is UTF-8. Decoders replace other bytes with U+FFFD, so that different passwords would become equal.

const toDetail = (path: string): ErrorDetail => ({
  path,
  message: 'must be percent-encoded UTF-8',
  rule: 'unstorable',
});

/** Lets the router match a path that cannot be decoded. `requireDecodablePath` rejects it if there is a route. */
export const escapeUndecodablePath: RequestHandler = (req, _res, next) => {
  const [path = '', ...query] = req.url.split('?');
  if (!isDecodable(path)) {
    req.state.isPathUndecodable = true;
    req.url = [path.replaceAll('%', '%25'), ...query].join('?');
  }
  next();
};

/** @throws AppError 400 that names the parameters */
export const requireDecodablePath = ({ state, params }: Request): void => {
  if (!state.isPathUndecodable) return;
  const undecodable = Object.entries(params).filter(([, value]) => !isDecodable(String(value)));
  const details = undecodable.map(([name]) => toDetail(`/params/${name}`));
  throw validationFailed('The path is not properly encoded', details);
};

/** @throws AppError 400 that names the parameters */
export const rejectUndecodableQuery: RequestHandler = (req, _res, next) => {
  const [, query = ''] = req.url.split(/\?(.*)/s, 2);
  if (isDecodable(query)) return next();
  const undecodable = query.split('&').filter((part) => !isDecodable(part));
  const names = new Set(undecodable.flatMap((part) => Object.keys(parse(part))));
  const details = [...names].map((name) => toDetail(`/query/${escapeKey(name)}`));
  throw validationFailed('The query is not properly encoded', details);
};

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Parsers of bodies call it with the bytes. @throws Error for a body that is not UTF-8, or begins with a byte order mark */
export const requireUtf8Body = ({ headers }: { headers: Request['headers'] }, bytes: Buffer): void => {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  const isEncoded = isUtf8(bytes) && (!isForm || isDecodable(bytes.toString()));
  if (!isEncoded || bytes.subarray(0, 3).equals(BYTE_ORDER_MARK)) throw new Error('The body is not UTF-8');
};

/** Returns the media type, in lower case and without parameters, of a body in UTF-8, otherwise undefined. */
export const parseUtf8MediaType = (contentType: string | undefined): string | undefined => {
  if (contentType === undefined) return undefined;
  try {
    const { essence, params } = new MIMEType(contentType);
    return /^utf-?8$/i.test(params.get('charset') ?? 'utf-8') ? essence : undefined;
  } catch {
    return undefined;
  }
};
