import type { Operation } from '@platform/shared/testing/openapi-operations';
import fc from 'fast-check';

export type Field = readonly [name: string, value: string];

export const createEmptyFields = (prefix: string, count: number): Field[] =>
  Array.from({ length: count }, (_, index) => [`${prefix}${index}`, '']);

/**
 * A request as it is sent. `json` is serialized as JSON, or as a form if the operation has one, unless
 * `bytes` replaces it. The object is immutable.
 */
export type FuzzRequest = {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  /** The query in percent-encoding. */
  readonly query: readonly Field[];
  readonly headers: readonly Field[];
  readonly json: unknown;
  readonly bytes: Buffer | undefined;
};

const toForm = (fields: object): string => {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  return form.toString();
};

export const getBody = ({ operation, json, bytes }: FuzzRequest): Buffer | undefined => {
  if (bytes || json === undefined) return bytes;
  const isForm = operation.body?.type === 'application/x-www-form-urlencoded';
  return Buffer.from(isForm ? toForm(Object(json)) : JSON.stringify(json));
};

const getTarget = ({ path, query }: FuzzRequest): string =>
  query.length === 0 ? path : `${path}?${query.map((field) => field.join('=')).join('&')}`;

/**
 * The bytes of the request, because an HTTP client would repair some mutations. The server closes the
 * connection after its response.
 */
export const toBytes = (request: FuzzRequest, host: string): Buffer => {
  const { method } = request;
  const body = getBody(request);
  // Otherwise a body would be missing, for which some servers wait.
  const length = body?.length ?? (/^(?:POST|PUT|PATCH)$/.test(method) ? 0 : undefined);
  const isClosing = hasHeader(request, 'connection');
  const headers = request.headers.map(([name, value]) =>
    name.toLowerCase() === 'connection' ? `${name}: ${value}, close` : `${name}: ${value}`,
  );
  const lines = [
    `${method} ${getTarget(request)} HTTP/1.1`,
    ...(hasHeader(request, 'host') ? [] : [`Host: ${host}`]),
    ...headers,
    ...(isClosing ? [] : ['Connection: close']),
    ...(length === undefined || hasHeader(request, 'transfer-encoding') ? [] : [`Content-Length: ${length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]);
};

const hasHeader = ({ headers }: Pick<FuzzRequest, 'headers'>, name: string): boolean =>
  headers.some(([other]) => other.toLowerCase() === name.toLowerCase());

export const removeHeader = (request: FuzzRequest, name: string): FuzzRequest => ({
  ...request,
  headers: request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
});

export const setHeader = (request: FuzzRequest, name: string, value: string): FuzzRequest => {
  const { headers, ...others } = removeHeader(request, name);
  return { ...others, headers: [...headers, [name, value]] };
};

/** Labels the body as JSON unless the request already names a type. */
export const withBytes = (request: FuzzRequest, bytes: Buffer): FuzzRequest => ({
  ...(hasHeader(request, 'content-type') ? request : setHeader(request, 'Content-Type', 'application/json')),
  bytes,
});

const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`;

/** The request in a few lines, for a failure message. */
export const formatRequest = (request: FuzzRequest): string => {
  const headers = request.headers.map(([name, value]) => `${name}: ${shorten(value, 80)}`);
  const lines = [`${request.method} ${shorten(getTarget(request), 300)}`, ...headers.slice(0, 20)];
  const body = getBody(request);
  if (body) lines.push(shorten(JSON.stringify(body.toString('utf8')), 400));
  return lines.join('\n');
};

/** A change of a valid request. */
export type Mutation = {
  readonly name: string;
  /** Returns the same request if there is nothing to change. */
  readonly apply: (request: FuzzRequest) => FuzzRequest;
};

/** A mutation with generated values, which can shrink. */
export const mutation = <Value>(
  name: string,
  values: fc.Arbitrary<Value>,
  apply: (request: FuzzRequest, value: Value) => FuzzRequest,
): fc.Arbitrary<Mutation> => values.map((value) => ({ name, apply: (request) => apply(request, value) }));

/** A mutation without a generated value. */
export const fixedMutation = (name: string, apply: Mutation['apply']): fc.Arbitrary<Mutation> =>
  fc.constant({ name, apply });

/** Chooses an item of a list. */
export const oneOf = <Value>(values: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);
