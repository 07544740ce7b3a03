/** The services behind the gateway. */
export const UPSTREAMS = ['auth-service', 'admin-service'] as const;
export type UpstreamName = (typeof UPSTREAMS)[number];

const API = '/api/v1';
const AUTH_PREFIXES = [`${API}/customers/auth`, `${API}/employees/auth`, `${API}/auth`];
/** auth-service's page, its document and its files: `/api`, `/api/`, `/api/openapi.json`, `/api/swagger-ui.css`. */
const AUTH_DOCS = /^\/api(?:\/(?:[\w-]+\.[\w.-]+)?)?$/;

/**
 * Whatever an upstream could read differently from the gateway, and so take for a path of other rights: dot segments,
 * empty segments, encoded dots, slashes and backslashes, NUL, a broken percent sign, and all that RFC 3986 keeps out of
 * a path (`\`, `#`, control and non-ASCII characters).
 */
const UNCLEAR = /[^\w\-.~!$&'()*+,;=:@%/]|\/\/|\/\.{1,2}(?:\/|$)|%(?:2e|2f|5c|00|(?![0-9a-f]{2}))/i;

/** The target's part before the query. */
export const pathOf = (target: string): string => {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
};

/** True when the path can be read in one way only. Nothing that the API answers needs another form. */
export const isClearPath = (path: string): boolean => path.startsWith('/') && !UNCLEAR.test(path);

const isWithin = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');

/** The service that answers `path`, without its query; undefined for a path of neither. */
export const findUpstream = (path: string): UpstreamName | undefined => {
  if (isWithin(path, API))
    return AUTH_PREFIXES.some((prefix) => isWithin(path, prefix)) ? 'auth-service' : 'admin-service';
  return AUTH_DOCS.test(path) ? 'auth-service' : undefined;
};
