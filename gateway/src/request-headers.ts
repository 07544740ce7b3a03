import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { clientAddressOf } from '@platform/shared/http/client-address';
import type { Request } from 'express';
import { isHopByHop, namedInConnection } from './hop-by-hop.ts';

/**
 * What only a proxy may claim: where a request came from, where it goes, what its method is. And what this server has dealt
 * with already: `Expect`, and the transfer coding of a body that goes on whole.
 */
const DROPPED = new Set([
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

const isDropped = (name: string): boolean =>
  DROPPED.has(name) || isHopByHop(name) || name.startsWith('x-forwarded');

/** An address as the trusted balancers report it; the socket's where what they report is none. */
const clientAddress = (req: Request): string => {
  const reported = clientAddressOf(req);
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
    if (!isDropped(name) && !named.has(name)) headers[name] = value;
  if (req.wholeBody) headers['content-length'] = String(req.wholeBody.length);
  const host = forwardedHost(req);
  if (host !== undefined) headers['x-forwarded-host'] = host;
  headers['x-forwarded-for'] = clientAddress(req);
  headers['x-forwarded-proto'] = req.protocol === 'https' ? 'https' : 'http';
  headers['x-request-id'] = req.requestId;
  return headers;
};
