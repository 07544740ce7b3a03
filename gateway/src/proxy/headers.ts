import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ERROR_CODE_HEADER } from '@platform/shared/http/error-responses';
import { getClientAddress } from '@platform/shared/network/client-address';
import type { Request, Response } from 'express';
import { isWithin, stripQuery, type Upstream } from '../upstreams.ts';
import {
  isServiceHeader,
  removePlatformCookies,
  SERVICE_POLICY,
  toServiceCookies,
} from './service-headers.ts';

/** These headers apply to one connection and are never forwarded (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
];

/**
 * Request headers that are dropped in addition to the hop-by-hop headers. Only a trusted proxy may set the
 * client address, the target and the method. The gateway itself handles `Expect`, and `Transfer-Encoding`,
 * because the forwarded body has a length.
 */
const DROPPED_FROM_REQUEST = new Set([
  ...HOP_BY_HOP,
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

/**
 * Response headers that are dropped in addition to the hop-by-hop headers, because the gateway sets them
 * itself. Node chooses `Transfer-Encoding` for each connection.
 */
const DROPPED_FROM_RESPONSE = new Set([
  ...HOP_BY_HOP,
  'transfer-encoding',
  'vary',
  'x-powered-by',
  'x-request-id',
]);

/** A service of the platform sends it to the gateway only. Another service may use the name for its clients. */
const ERROR_CODE = ERROR_CODE_HEADER.toLowerCase();
const ERROR_CODE_FORM = /^[A-Z_]{1,64}$/;

/** Keeps the error code of the platform for the access log; the gateway does not parse the body. */
export const noteErrorCode = (
  { headers }: IncomingMessage,
  { state }: Request,
  { isPlatform }: Upstream,
): void => {
  const { [ERROR_CODE]: code } = headers;
  if (state.forwarded && isPlatform && typeof code === 'string' && ERROR_CODE_FORM.test(code))
    state.forwarded.errorCode = code;
};

/** Many servers read `X_Request_Id` as `X-Request-Id`, so no name with `_` is forwarded. */
const isDroppedFromRequest = (name: string): boolean =>
  DROPPED_FROM_REQUEST.has(name) || name.startsWith('x-forwarded') || name.includes('_');

const isDroppedFromResponse = (name: string): boolean =>
  DROPPED_FROM_RESPONSE.has(name) || name.startsWith('access-control-');

/** `Connection` cannot drop these headers, because they define the end of the message and its target host. */
const END_TO_END = new Set(['content-length', 'transfer-encoding', 'host']);
const CONNECTION_OPTION = /^(?:keep-alive|close)$/i;
const NO_HEADERS: ReadonlySet<string> = new Set();

const getConnectionHeaders = ({ connection }: IncomingHttpHeaders): ReadonlySet<string> => {
  if (connection === undefined || CONNECTION_OPTION.test(connection)) return NO_HEADERS;
  const names = connection.split(',').map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => !END_TO_END.has(name)));
};

const getForwardedHost = (req: Request): string | undefined => {
  const { host, 'x-forwarded-host': forwardedHost } = req.headers;
  const isTrusted = Number(req.app.get('trust proxy')) > 0;
  return isTrusted && typeof forwardedHost === 'string' ? forwardedHost : host;
};

/**
 * Returns the client's headers that may be forwarded, and the headers that the gateway sets for the upstream.
 */
export const toUpstreamHeaders = (req: Request, { isPlatform }: Upstream): IncomingHttpHeaders => {
  const connectionHeaders = getConnectionHeaders(req.headers);
  const headers: IncomingHttpHeaders = {};
  for (const name of Object.keys(req.headers)) {
    // The services reject, in development, the host names by which frontends reach the gateway.
    if (isDroppedFromRequest(name) || connectionHeaders.has(name) || (isPlatform && name === 'host'))
      continue;
    headers[name] = req.headers[name];
  }
  if (!isPlatform && headers.cookie !== undefined) {
    headers.cookie = removePlatformCookies(headers.cookie);
    if (headers.cookie === '') delete headers.cookie;
  }
  const { bodyBuffer, requestId } = req.state;
  if (bodyBuffer) headers['content-length'] = String(bodyBuffer.length);
  const host = getForwardedHost(req);
  if (host !== undefined) headers['x-forwarded-host'] = host;
  headers['x-forwarded-for'] = getClientAddress(req);
  headers['x-forwarded-proto'] = req.protocol === 'https' ? 'https' : 'http';
  headers['x-request-id'] = requestId;
  return headers;
};

const setServiceHeaders = (cookies: readonly string[], res: Response, { prefixes }: Upstream): void => {
  res.setHeader('Content-Security-Policy', SERVICE_POLICY);
  const path = stripQuery(res.req.originalUrl);
  const prefix = prefixes.find((own) => isWithin(path, own)) ?? '';
  const allowed = toServiceCookies(cookies, prefixes, prefix);
  if (allowed.length > 0) res.setHeader('Set-Cookie', allowed);
};

/**
 * Copies the headers that may be forwarded. They replace headers of the gateway with the same name, except
 * for `Vary`.
 */
export const copyResponseHeaders = (
  { headers }: IncomingMessage,
  res: Response,
  upstream: Upstream,
): void => {
  const connectionHeaders = getConnectionHeaders(headers);
  for (const name of Object.keys(headers)) {
    const { [name]: value } = headers;
    if (value === undefined || isDroppedFromResponse(name) || connectionHeaders.has(name)) continue;
    if (upstream.isPlatform ? name !== ERROR_CODE : isServiceHeader(name, value)) res.setHeader(name, value);
  }
  if (!upstream.isPlatform) setServiceHeaders(headers['set-cookie'] ?? [], res, upstream);
  // Unlike `res.vary`, this does not throw if the value is not a list of names.
  if (headers.vary) res.setHeader('Vary', `${res.getHeader('Vary')}, ${headers.vary}`);
};
