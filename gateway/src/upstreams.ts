const API = '/api/v1';
/**
 * The API page, OpenAPI document and static files of auth-service: `/api`, `/api/`, `/api/openapi.json`,
 * `/api/swagger-ui.css`.
 */
const AUTH_DOCS = /^\/api(?:\/(?:[\w-]+\.[\w.-]+)?)?$/;

/** A service behind the gateway. */
export type Upstream = {
  readonly name: string;
  /** The longest matching prefix of a path decides; a prefix matches whole segments. */
  readonly prefixes: readonly string[];
  /** Paths outside of the prefixes. */
  readonly pages?: RegExp;
  readonly urls: readonly string[];
  /** Any response below 500 shows that an instance works; it needs no token, database or Redis. */
  readonly healthPath: string;
  /** Whether it is part of the platform. If so, its instances have `/readyz`. */
  readonly isPlatform: boolean;
};

const PLATFORM = {
  'auth-service': {
    prefixes: [`${API}/customers/auth`, `${API}/employees/auth`, `${API}/auth`],
    pages: AUTH_DOCS,
    healthPath: '/healthz',
  },
  'admin-service': { prefixes: [API], healthPath: '/healthz' },
};
type PlatformUrls = Record<keyof typeof PLATFORM, readonly string[]>;
/** A service that is not part of the platform. */
export type OtherService = Pick<Upstream, 'name' | 'prefixes' | 'urls'>;

export const createUpstreams = (urls: PlatformUrls, services: readonly OtherService[]): Upstream[] => [
  { name: 'auth-service', ...PLATFORM['auth-service'], urls: urls['auth-service'], isPlatform: true },
  { name: 'admin-service', ...PLATFORM['admin-service'], urls: urls['admin-service'], isPlatform: true },
  ...services.map((service) => ({ ...service, healthPath: '/', isPlatform: false })),
];

/** The methods of other services. The platform's services decide for each path. */
export const SERVICE_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Matches paths that the gateway and an upstream could parse differently, so that a request could pass the
 * checks for one path and reach another: dot segments, empty segments, encoded dots, slashes and backslashes,
 * NUL, incomplete percent encoding, and characters that RFC 3986 does not allow in a path (`\`, `#`, control
 * and non-ASCII characters).
 */
const AMBIGUOUS = /[^\w\-.~!$&'()*+,;=:@%/]|\/\/|\/\.{1,2}(?:\/|$)|%(?:2e|2f|5c|00|(?![0-9a-f]{2}))/i;

export const stripQuery = (target: string): string => {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
};

/** The gateway's routes for load balancers. `url` includes the query, which these routes do not have. */
export const isHealthRoute = (url: string): boolean => url === '/healthz' || url === '/readyz';

/** Every path of the API is unambiguous, so rejecting all others breaks no client. */
export const isUnambiguousPath = (path: string): boolean => path.startsWith('/') && !AMBIGUOUS.test(path);

export const isWithin = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');

/** Finds the service for a path without its query; undefined if there is none. */
export const createUpstreamFinder = (upstreams: readonly Upstream[]) => {
  const routes = upstreams
    .flatMap((upstream) => upstream.prefixes.map((prefix) => ({ prefix, upstream })))
    .sort((one, other) => other.prefix.length - one.prefix.length);
  return (path: string): Upstream | undefined =>
    routes.find(({ prefix }) => isWithin(path, prefix))?.upstream ??
    upstreams.find(({ pages }) => pages?.test(path));
};

export type UpstreamFinder = ReturnType<typeof createUpstreamFinder>;
