export const UPSTREAMS = ['auth-service', 'admin-service'] as const;
export type UpstreamName = (typeof UPSTREAMS)[number];

const API = '/api/v1';
const AUTH_PREFIXES = [`${API}/customers/auth`, `${API}/employees/auth`, `${API}/auth`];
/** API page, OpenAPI document and static files of auth-service: `/api`, `/api/`, `/api/openapi.json`, `/api/swagger-ui.css`. */
const AUTH_DOCS = /^\/api(?:\/(?:[\w-]+\.[\w.-]+)?)?$/;

/**
 * Matches paths that the gateway and an upstream could parse differently, so that a request could pass the checks for one
 * path and reach another: dot segments, empty segments, encoded dots, slashes and backslashes, NUL, incomplete percent
 * encoding, and characters that RFC 3986 does not allow in a path (`\`, `#`, control and non-ASCII characters).
 */
const AMBIGUOUS = /[^\w\-.~!$&'()*+,;=:@%/]|\/\/|\/\.{1,2}(?:\/|$)|%(?:2e|2f|5c|00|(?![0-9a-f]{2}))/i;

export const stripQuery = (target: string): string => {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
};

/** The gateway's own routes for load balancers; `url` includes the query, which they do not have. */
export const isHealthRoute = (url: string): boolean => url === '/healthz' || url === '/readyz';

/** Every path of the API is unambiguous, so rejecting all others breaks no client. */
export const isUnambiguousPath = (path: string): boolean => path.startsWith('/') && !AMBIGUOUS.test(path);

const isWithin = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');

/** Finds the service for a path without its query; undefined when neither serves it. */
export const findUpstream = (path: string): UpstreamName | undefined => {
  if (isWithin(path, API))
    return AUTH_PREFIXES.some((prefix) => isWithin(path, prefix)) ? 'auth-service' : 'admin-service';
  return AUTH_DOCS.test(path) ? 'auth-service' : undefined;
};
