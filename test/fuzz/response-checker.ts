import { STATUS_CODES } from 'node:http';
import type { Operation } from './contract.ts';
import type { Draft } from './draft.ts';
import type { FuzzAnswer } from './send.ts';

type ErrorBody = {
  statusCode: number;
  error: string;
  code: string;
  requestId: string;
  details?: { path: string }[];
};

/** Which status each code comes with. */
const STATUS_OF_CODE: Record<string, readonly number[]> = {
  VALIDATION_FAILED: [400],
  CODE_INVALID: [400],
  USER_ALREADY_BLOCKED: [400],
  USER_NOT_BLOCKED: [400],
  CURRENT_PASSWORD_WRONG: [400],
  TOKEN_INVALID: [401],
  USER_BLOCKED: [401],
  INVALID_CREDENTIALS: [401],
  REFRESH_TOKEN_SUPERSEDED: [401],
  REFRESH_TOKEN_REUSED: [401],
  SESSION_NOT_FOUND: [401, 404],
  WORKSPACE_FORBIDDEN: [403],
  PLATFORM_ROLE_INVALID: [403],
  DOMAIN_NOT_ALLOWED: [403],
  USER_IS_ADMIN: [403],
  REGISTRATION_CLOSED: [403],
  ROUTE_NOT_FOUND: [404],
  USER_NOT_FOUND: [404],
  PROJECT_NOT_FOUND: [404],
  TEAM_NOT_FOUND: [404],
  METHOD_NOT_ALLOWED: [405],
  REQUEST_TIMEOUT: [408],
  EMAIL_TAKEN: [409],
  EMAIL_ALREADY_VERIFIED: [409],
  TEAM_NOT_ONBOARDING: [409],
  BODY_TOO_LARGE: [413],
  UNSUPPORTED_MEDIA_TYPE: [415],
  RATE_LIMITED: [429],
  RESEND_LOCKED: [429],
  HEADERS_TOO_LARGE: [431],
};

/** What any operation may answer beside what it documents. */
const OF_ANY_OPERATION = new Set([400, 404, 405, 408, 413, 415, 429, 431]);
const INTERNALS =
  /postgres|ECONN|127\.0\.0\.1|node_modules|\.ts:|\bat \/|syntax error|SELECT |duplicate key/i;
const SECRETS =
  /"(?:password|passwordHash|jti|tokenId|accessTokenId|refreshTokenId|refreshToken)"|\$2[aby]\$/i;
const DETAIL_PATH = /^\/(?:body|query|params|headers)(?:\/|$)/;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error instanceof SyntaxError ? undefined : error;
  }
};

/** What holds for every error, whatever was asked. */
const judgeError = ({ status, headers, text }: FuzzAnswer, body: unknown): string[] => {
  if (typeof body !== 'object' || body === null)
    return [`an error without the error body: ${text.slice(0, 80)}`];
  const { statusCode, error, code, requestId, details = [] } = body as ErrorBody;
  const faults: string[] = [];
  if (statusCode !== status || error !== STATUS_CODES[status]) faults.push('the body names another status');
  if (!STATUS_OF_CODE[code]?.includes(status)) faults.push(`code ${code} with status ${status}`);
  if (requestId !== headers['x-request-id']) faults.push('the body names another request id than the header');
  if (details.some(({ path }) => !DETAIL_PATH.test(path))) faults.push(`details name ${details[0]?.path}`);
  if (status === 401 && headers['www-authenticate'] !== 'Bearer') faults.push('401 without WWW-Authenticate');
  if (status === 405 && !headers['allow']) faults.push('405 without Allow');
  if (status === 429 && !headers['retry-after']) faults.push('429 without Retry-After');
  if (INTERNALS.test(text)) faults.push(`internal text: ${text.slice(0, 160)}`);
  return faults;
};

/** What holds for every answer of the gateway; those that its parser makes bear no limits. */
export const judgeAny = (answer: FuzzAnswer, isParsers = false): string[] => {
  const { status, headers, text } = answer;
  const faults: string[] = [];
  if (status >= 500 || status < 200) faults.push(`status ${status}: ${text.slice(0, 200)}`);
  if (!REQUEST_ID.test(headers['x-request-id'] ?? '')) faults.push('no X-Request-Id');
  if (!(isParsers || headers['ratelimit'])) faults.push('no RateLimit');
  if (SECRETS.test(text)) faults.push(`a secret: ${text.slice(0, 160)}`);
  if (text !== '' && status >= 400) faults.push(...judgeError(answer, parseJson(text)));
  return faults;
};

const toPattern = (template: string): RegExp =>
  new RegExp(`^${template.replace(/\/$/, '').replace(/\{\w+\}/g, '[^/]+')}/?$`);

/** Finds the operation that a request comes to, be it another one than was meant. `/users/me` comes before `/users/{id}`. */
export const createOperationFinder = (operations: readonly Operation[]) => {
  const sorted = [...operations].sort(
    (one, other) => Number(one.template.includes('{')) - Number(other.template.includes('{')),
  );
  const known = sorted.map((operation) => ({ operation, pattern: toPattern(operation.template) }));
  return ({ method, path }: Pick<Draft, 'method' | 'path'>): Operation | undefined =>
    known.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation;
};

const judgeByContract = (operation: Operation, { status, headers, text }: FuzzAnswer): string[] => {
  const faults: string[] = [];
  if (!operation.statuses.has(status) && !OF_ANY_OPERATION.has(status))
    faults.push(`undocumented status ${status}`);
  const body = text === '' ? undefined : parseJson(text);
  const fault = operation.findFault(status, body);
  if (fault !== undefined) faults.push(`${status}: ${fault}`);
  if (text !== '' && !/^application\/json/.test(headers['content-type'] ?? '')) faults.push('not JSON');
  if (status < 300 && headers['cache-control'] !== 'no-store')
    faults.push(`Cache-Control: ${headers['cache-control']}`);
  return faults;
};

const judgeRequestId = ({ headers }: Draft, answer: FuzzAnswer): string[] => {
  const [given, ...others] = headers
    .filter(([name]) => name.toLowerCase() === 'x-request-id')
    .map(([, value]) => value);
  if (given === undefined || others.length > 0 || !REQUEST_ID.test(given)) return [];
  return answer.headers['x-request-id'] === given ? [] : ['another X-Request-Id than the request has'];
};

const isRefusal = ({ status, text }: FuzzAnswer): boolean =>
  [413, 415, 431].includes(status) || (status === 400 && text.includes('"VALIDATION_FAILED"'));

type Judged = { draft: Draft; operation: Operation | undefined; answer: FuzzAnswer };

/** Everything that is wrong with an answer. */
export const judge = ({ draft, operation, answer }: Judged): string[] => {
  const { status, text } = answer;
  const isParsers = status === 431 || (status === 400 && !answer.headers['ratelimit']);
  const faults = [...judgeAny(answer, isParsers), ...(isParsers ? [] : judgeRequestId(draft, answer))];
  if (draft.mutations.length === 0 && draft.isAuthorized && isRefusal(answer))
    faults.push(`a request that the contract allows is refused: ${text.slice(0, 200)}`);
  if (draft.method === 'HEAD' || (draft.method === 'OPTIONS' && status === 204))
    return text === '' ? faults : [...faults, 'a body where there can be none'];
  if (operation) faults.push(...judgeByContract(operation, answer));
  else if (status < 400 && draft.path.startsWith('/api/v1/')) faults.push(`${status} where nothing is`);
  return faults;
};
