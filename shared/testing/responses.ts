import { STATUS_CODES } from 'node:http';
import { expect } from 'chai';
import { listOperations, loadOpenApiDocument } from '../src/openapi/openapi-document.ts';
import { createHttpClient, type HttpClient, type HttpRequest, type HttpResponse } from './http-client.ts';
import { createOperationFinder, loadPublishedOperations, validateBody } from './openapi-operations.ts';

const TIMEOUT_SECONDS = 60;

/** Internal fields, which no response may contain at any depth. */
const SECRET_FIELDS =
  /^(password|passwordHash|password_hash|hash|jti|tokenId|token_id|accessTokenId|refreshTokenId|refreshToken|accessTokenExpiredAt|refreshTokenExpiredAt)$/i;

export type RequestOptions = Pick<HttpRequest, 'headers' | 'body'>;

const listFields = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [name, ...listFields(inner)])
    : [];

type Received = Pick<HttpResponse, 'status' | 'body' | 'text' | 'headers'>;

/** Additional fields of an error body by its code. */
const EXTRA_FIELDS: Record<string, string[]> = {
  SECOND_FACTOR_REQUIRED: ['challenge', 'factors'],
  FACTOR_REQUIRED: ['factors'],
  ACCOUNT_EXISTS: ['email'],
};

const expectErrorBody = ({ status, body, headers, text }: Received): void => {
  expect(headers['content-type'], text).to.match(/^application\/json/);
  expect(Object.keys(body).filter((name) => name !== 'details')).to.have.members([
    'statusCode',
    'error',
    'code',
    'message',
    'requestId',
    ...(EXTRA_FIELDS[body.code] ?? []),
  ]);
  expect(body).to.include({ statusCode: status, error: STATUS_CODES[status] });
  expect(body.code).to.match(/^[A-Z]+(_[A-Z]+)*$/);
  expect(body.message).to.be.a('string').that.is.not.empty;
  expect(body.requestId).to.equal(headers['x-request-id']);
  if (status >= 500) expect(text).not.to.match(/postgres|sql|ECONN|127\.0\.0\.1|node_modules|\.ts|stack/i);
};

/** Checks the rules for every response of every route. */
const expectValid = (response: Received): void => {
  expect(response.headers['x-request-id']).to.match(/^[A-Za-z0-9._-]{1,128}$/);
  expect(listFields(response.body).filter((name) => SECRET_FIELDS.test(name))).to.deep.equal([]);
  expect(response.text ?? '', 'a bcrypt hash').not.to.include('$2b$');
  if (response.status >= 400 && response.text) expectErrorBody(response);
};

/** Sends a request on a new connection. Fails the test if the response violates a rule for every response. */
export const send = async (
  baseUrl: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<HttpResponse> => {
  const client = createHttpClient(baseUrl, { timeoutSeconds: TIMEOUT_SECONDS });
  const response = await client.sendOrThrow({ method, path, ...options });
  expectValid(response);
  return response;
};

let published: Promise<ReturnType<typeof createOperationFinder>> | undefined;

/** Services judge their responses by the strict form of the document. Clients judge them by the published form. */
const expectPublished = async (method: string, path: string, response: HttpResponse): Promise<void> => {
  published ??= loadPublishedOperations().then(createOperationFinder);
  const operation = (await published)({ method, path: path.replace(/\?.*/s, '') });
  const isJson = response.headers['content-type']?.startsWith('application/json');
  if (operation && isJson)
    expect(validateBody(operation, response.status, response.body)).to.equal(undefined);
};

/**
 * A sender for clients, which fails the test if a response violates a rule for every response, or the published
 * document.
 */
export const createValidatingSender =
  (baseUrl: string): HttpClient['send'] =>
  async ({ method = 'GET', path, ...options }) => {
    const response = await send(baseUrl, method, path, options);
    await expectPublished(method, path, response);
    return response;
  };

/** The same check for a response of `fetch`. It consumes the body. */
export const expectValidResponse = async (response: Response): Promise<void> => {
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true;
  const { status, headers } = response;
  expectValid({ status, text, body: isJson ? JSON.parse(text) : {}, headers: Object.fromEntries(headers) });
};

/** `paths` are the paths in the details of the error. */
export const expectError = (
  { status, body, text }: Pick<HttpResponse, 'status' | 'body' | 'text'>,
  expectedStatus: number,
  code: string,
  ...paths: string[]
): void => {
  expect({ status, code: body.code }, text).to.deep.equal({ status: expectedStatus, code });
  const details: { path: string }[] = body.details ?? [];
  if (paths.length > 0) expect([...new Set(details.map(({ path }) => path))]).to.have.members(paths);
};

/**
 * The part of a response that could distinguish callers. It excludes the request id and the values of the
 * headers.
 */
export const observable = ({ status, text, headers }: HttpResponse) => ({
  status,
  body: text.replace(/"requestId":"[^"]*"/, ''),
  headers: Object.keys(headers).sort(),
});

/** The root is also served with a trailing slash. */
const isExempt = (route: string): boolean => route === '/api/v1';

/**
 * Expects 404 for every other path of the document with a trailing slash, for each of its methods and any
 * other.
 */
export const expectNoTrailingSlashes = async (serviceUrl: string, document: URL): Promise<void> => {
  const operations = listOperations(await loadOpenApiDocument(document));
  for (const { method, route } of operations.filter(({ route }) => !isExempt(route))) {
    const path = `${route.replace(/:\w+/g, 'any')}/`;
    for (const tried of [method.toUpperCase(), 'PUT', 'TRACE'] as const)
      expectError(await send(serviceUrl, tried, path), 404, 'ROUTE_NOT_FOUND');
  }
};
