/** Sends a request; resolves with the body of the success response. @throws PlatformError */
export type Send = (request: Request, call: SendOptions) => Promise<unknown>;
export type SendOptions = {
  /**
   * Not a property of the request, because in Node a copied request loses its signal
   * (https://github.com/nodejs/undici/issues/4068).
   */
  signal?: AbortSignal | undefined;
  /** Whether the operation needs no access token according to the documents. */
  isPublic: boolean;
};

type Method = 'get' | 'post' | 'patch' | 'delete';
type Parameters = { path?: Record<string, unknown>; query?: Record<string, unknown> };
type RequestOptions = {
  params?: Parameters;
  body?: unknown;
  /** The version that the change is based on. */
  ifMatch?: string | undefined;
  /** The platform chooses one otherwise. */
  requestId?: string | undefined;
  signal?: AbortSignal | undefined;
  keepalive?: boolean;
};
/** Responses have no types here, because the platform validates them against the documents. */
export type RequestFunction = (method: Method, path: string, options?: object) => Promise<never>;

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The paths whose operations need no token; a test compares them with the documents. */
export const PUBLIC_PATH =
  /^\/(contact\/|$)|\/(sign-(in|up)|reset-password\/email|oidc|invitations\/(check|accept)|bot-check)(\/|$)/;

/** Parameters in the documents are scalars, in queries also lists of them, whose name is repeated. */
const toUrl = (baseUrl: string, path: string, { path: values = {}, query = {} }: Parameters): string => {
  const pathname = path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const search = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((item) => [name, item] as const))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
  return baseUrl + pathname + (search && `?${search}`);
};

export const createRequestFunction =
  (gatewayUrl: string, send: Send): RequestFunction =>
  async (method, path, { params = {}, body, ifMatch, requestId, signal, ...init }: RequestOptions = {}) => {
    const headers: Record<string, string> = {
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      ...(requestId !== undefined && { 'X-Request-Id': requestId }),
    };
    const content =
      body === undefined
        ? { headers }
        : { body: JSON.stringify(body), headers: { ...JSON_TYPE, ...headers } };
    const request = new Request(toUrl(`${gatewayUrl}/api/v1`, path, params), {
      // Only `PATCH` must be upper case; the other methods are case-insensitive.
      method: method.toUpperCase(),
      credentials: 'include',
      redirect: 'error',
      ...content,
      ...init,
    });
    return (await send(request, { signal, isPublic: PUBLIC_PATH.test(path) })) as never;
  };
