import { STATUS_CODES } from 'node:http';
import { expect } from 'chai';
import request, { type Response } from 'supertest';

const TIMEOUT_MILLISECONDS = 20_000;

/** What stays inside: no answer has a field of such a name, at any depth. */
const SECRET_FIELDS =
  /^(password|passwordHash|password_hash|hash|jti|tokenId|token_id|accessTokenId|refreshTokenId|refreshToken|accessTokenExpiredAt|refreshTokenExpiredAt)$/i;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'TRACE';
export type Call = {
  headers?: Record<string, string | undefined>;
  /** An object is sent as JSON, a text as it is. */
  body?: object | string | undefined;
};

const fieldsOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [name, ...fieldsOf(inner)])
    : [];

/** What is looked at of an answer, whoever received it. */
type Received = Pick<Response, 'status' | 'body' | 'text'> & { headers: Record<string, string> };

const expectErrorBody = ({ status, body, headers, text }: Received): void => {
  expect(headers['content-type'], text).to.match(/^application\/json/);
  expect(Object.keys(body).filter((name) => name !== 'details')).to.have.members([
    'statusCode',
    'error',
    'code',
    'message',
    'requestId',
  ]);
  expect(body).to.include({ statusCode: status, error: STATUS_CODES[status] });
  expect(body.code).to.match(/^[A-Z]+(_[A-Z]+)*$/);
  expect(body.message).to.be.a('string').that.is.not.empty;
  expect(body.requestId).to.equal(headers['x-request-id']);
  if (status >= 500) expect(text).not.to.match(/postgres|sql|ECONN|127\.0\.0\.1|node_modules|\.ts|stack/i);
};

/** What holds for every answer of every route. */
const expectSound = (answer: Received): void => {
  expect(answer.headers['x-request-id']).to.match(/^[A-Za-z0-9._-]{1,128}$/);
  expect(fieldsOf(answer.body).filter((name) => SECRET_FIELDS.test(name))).to.deep.equal([]);
  expect(answer.text ?? '', 'a bcrypt hash').not.to.include('$2b$');
  if (answer.status >= 400 && answer.text) expectErrorBody(answer);
};

/** One request of a client outside; fails the test when the answer breaks what holds for every answer. */
export const send = async (
  baseUrl: string,
  method: Method,
  path: string,
  { headers = {}, body }: Call = {},
): Promise<Response> => {
  const call = request(baseUrl)
    [method.toLowerCase() as Lowercase<Method>](path)
    .timeout(TIMEOUT_MILLISECONDS);
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) call.set(name, value);
  const answer = body === undefined ? await call : await call.send(body);
  expectSound(answer);
  return answer;
};

/** As of `send`, of what `fetch` received; the body is read. */
export const expectValidResponse = async (answer: globalThis.Response): Promise<void> => {
  const text = await answer.text();
  const isJson = answer.headers.get('Content-Type')?.startsWith('application/json') === true;
  const { status, headers } = answer;
  expectSound({ status, text, body: isJson ? JSON.parse(text) : {}, headers: Object.fromEntries(headers) });
};

/** The answer is this error and no other; `paths` are those of its details. */
export const expectError = (answer: Response, status: number, code: string, ...paths: string[]): void => {
  expect({ status: answer.status, code: answer.body.code }, answer.text).to.deep.equal({ status, code });
  const details: { path: string }[] = answer.body.details ?? [];
  if (paths.length > 0) expect([...new Set(details.map(({ path }) => path))]).to.have.members(paths);
};

export type SetCookie = { name: string; value: string; attributes: Record<string, string | true> };

/** The cookies that an answer sets or clears; the names of attributes in lower case. */
export const setCookies = ({ headers }: Pick<Response, 'headers'>): SetCookie[] =>
  ((headers['set-cookie'] as unknown as string[] | undefined) ?? []).map((line) => {
    const [[name = '', value = ''] = [], ...attributes] = line.split('; ').map((part) => part.split('='));
    const named = attributes.map(([key = '', text]) => [key.toLowerCase(), text ?? true] as const);
    return { name, value, attributes: Object.fromEntries(named) };
  });
