import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { getClientAddress } from '@platform/shared/http/client-address';
import type { Request, Response } from 'express';

/** RFC 9110, 7.6.1: of use to the next hop only, which is this gateway. */
const HOP_BY_HOP = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);

/** These say where a message ends and whom it is for: no client may have them removed. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'host']);

const NONE: ReadonlySet<string> = new Set();
const ORDINARY = /^(?:keep-alive|close)$/i;

export const isHopByHop = (name: string): boolean => HOP_BY_HOP.has(name);

/** The further headers that `Connection` declares to be hop-by-hop, in lower case. */
export const namedInConnection = ({ connection }: IncomingHttpHeaders): ReadonlySet<string> => {
  if (connection === undefined || ORDINARY.test(connection)) return NONE;
  const names = connection.split(',').map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => !FRAMING.has(name)));
};

/**
 * What only a proxy may claim: where a request came from, where it goes, what its method is. And what this server has dealt
 * with already: `Expect`, and the transfer coding of a body that goes on whole.
 */
const DROPPED_FROM_REQUEST = new Set([
  'cf-connecting-ip',
  'client-ip',
  'expect',
  'fastly-client-ip',
  'forwarded',
  'proxy',
  'transfer-encoding',
  'true-client-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-host',
  'x-original-url',
  'x-real-ip',
  'x-rewrite-url',
]);

const isDroppedFromRequest = (name: string): boolean =>
  DROPPED_FROM_REQUEST.has(name) || isHopByHop(name) || name.startsWith('x-forwarded');

/** An address as the trusted balancers report it; the socket's where what they report is none. */
const clientAddress = (req: Request): string => {
  const reported = getClientAddress(req);
  return isIP(reported) === 0 ? (req.socket.remoteAddress ?? '') : reported;
};

const forwardedHost = (req: Request): string | undefined => {
  const { host, 'x-forwarded-host': reported } = req.headers;
  const isTrusted = Number(req.app.get('trust proxy')) > 0;
  return isTrusted && typeof reported === 'string' ? reported : host;
};

/** The headers that go on to the upstream: the caller's, less what is not theirs to say, and the gateway's own. */
export const toUpstreamHeaders = (req: Request): IncomingHttpHeaders => {
  const named = namedInConnection(req.headers);
  const headers: IncomingHttpHeaders = {};
  for (const [name, value] of Object.entries(req.headers))
    if (!isDroppedFromRequest(name) && !named.has(name)) headers[name] = value;
  if (req.wholeBody) headers['content-length'] = String(req.wholeBody.length);
  const host = forwardedHost(req);
  if (host !== undefined) headers['x-forwarded-host'] = host;
  headers['x-forwarded-for'] = clientAddress(req);
  headers['x-forwarded-proto'] = req.protocol === 'https' ? 'https' : 'http';
  headers['x-request-id'] = req.requestId;
  return headers;
};

/** The gateway's own to say; `Transfer-Encoding` Node chooses anew for this connection. */
const DROPPED_FROM_RESPONSE = new Set(['transfer-encoding', 'vary', 'x-powered-by', 'x-request-id']);

const isDroppedFromResponse = (name: string): boolean =>
  DROPPED_FROM_RESPONSE.has(name) || isHopByHop(name) || name.startsWith('access-control-');

/** Passes an upstream's answer on; a header of its own replaces the gateway's. */
export const forwardAnswer = (answer: IncomingMessage, res: Response): void => {
  const { headers, statusCode = 502 } = answer;
  const named = namedInConnection(headers);
  res.statusCode = statusCode;
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !isDroppedFromResponse(name) && !named.has(name)) res.setHeader(name, value);
  if (headers.vary) res.vary(headers.vary);
  answer.pipe(res);
};
