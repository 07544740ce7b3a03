import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';

/** Sends a request; resolves with the body of the success response. @throws PlatformError */
export type Send = (request: Request, call: SendOptions) => Promise<unknown>;
export type SendOptions = {
  /** Not a property of the request: in Node, a copied request loses its signal (https://github.com/nodejs/undici/issues/4068). */
  signal?: AbortSignal | undefined;
  /** Whether the documents have no token for the operation. */
  isPublic: boolean;
};

type Method = 'get' | 'post' | 'patch' | 'delete';
type RequestOptions = {
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> };
  body?: unknown;
  signal?: AbortSignal | undefined;
  keepalive?: boolean;
};
/** The response types are not checked here: the platform validates its responses against the documents. */
export type RequestFunction = (method: Method, path: string, options?: object) => Promise<never>;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const querySerializer = createQuerySerializer();

/** The paths whose operations need no token; a test compares them with the documents. */
export const PUBLIC_PATH = /^\/(contact\/|$)|\/(sign-(in|up)|reset-password\/email)(\/|$)/;

/** Of openapi-fetch only the URLs: its requests, middleware and responses would be a sixth of the client. */
export const createRequestFunction =
  (gatewayUrl: string, send: Send): RequestFunction =>
  async (method, path, { params = {}, body, signal, ...init }: RequestOptions = {}) => {
    const baseUrl = `${gatewayUrl}/api/v1`;
    const url = createFinalURL(path, {
      baseUrl,
      params,
      querySerializer,
      pathSerializer: defaultPathSerializer,
    });
    const content = body === undefined ? {} : { body: JSON.stringify(body), headers: JSON_TYPE };
    const request = new Request(url, {
      // Only the other methods are case-insensitive.
      method: method.toUpperCase(),
      credentials: 'include',
      redirect: 'error',
      ...content,
      ...init,
    });
    return (await send(request, { signal, isPublic: PUBLIC_PATH.test(path) })) as never;
  };
