import { STATUS_CODES } from 'node:http';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { type Operation, validateBody } from '../openapi-operations.ts';
import type { FuzzRequest } from './request.ts';

export type ReceivedResponse = Pick<HttpResponse, 'status' | 'headers' | 'text'> & {
  failure?: string | undefined;
};

/** The codes that an error of each status may have. */
const CODES: Record<number, string> = {
  400: 'VALIDATION_FAILED CODE_INVALID USER_ALREADY_BLOCKED USER_NOT_BLOCKED CURRENT_PASSWORD_WRONG',
  401:
    'TOKEN_INVALID USER_BLOCKED INVALID_CREDENTIALS REFRESH_TOKEN_SUPERSEDED REFRESH_TOKEN_REUSED ' +
    'SESSION_NOT_FOUND SECOND_FACTOR_REQUIRED SECOND_FACTOR_INVALID CHALLENGE_INVALID',
  403:
    'WORKSPACE_FORBIDDEN PLATFORM_ROLE_INVALID DOMAIN_NOT_ALLOWED USER_IS_ADMIN REGISTRATION_CLOSED ' +
    'OWN_SECOND_FACTOR EMAIL_NOT_VERIFIED',
  404:
    'ROUTE_NOT_FOUND USER_NOT_FOUND PROJECT_NOT_FOUND TEAM_NOT_FOUND SESSION_NOT_FOUND PASSKEY_NOT_FOUND ' +
    'PLATFORM_ROLE_NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  409:
    'EMAIL_TAKEN EMAIL_ALREADY_VERIFIED TEAM_NOT_ONBOARDING PLATFORM_ROLE_TAKEN SECOND_FACTOR_ENABLED ' +
    'PASSKEY_LIMIT_REACHED',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED RESEND_LOCKED',
  431: 'HEADERS_TOO_LARGE',
};
/** Allowed for every operation, documented or not. */
const GENERAL_STATUSES = new Set([400, 404, 405, 408, 413, 415, 429, 431]);
/** The header that must come with a status. */
const REQUIRED_HEADERS: Record<number, [name: string, pattern: RegExp]> = {
  401: ['www-authenticate', /^Bearer$/],
  405: ['allow', /./],
  429: ['retry-after', /./],
};
const INTERNALS =
  /postgres|ECONN|127\.0\.0\.1|node_modules|\.ts:|\bat \/|syntax error|SELECT |duplicate key/i;
const SECRETS =
  /"(?:password|passwordHash|jti|tokenId|accessTokenId|refreshTokenId|refreshToken)":|\$2[aby]\$/i;
const DETAIL_PATH = /^\/(?:body|query|params|headers)(?:\/|$)/;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

const parseJson = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    return error;
  }
};

/** The messages of the conditions that are true. */
const collect = (conditions: Record<string, boolean | undefined>): string[] =>
  Object.entries(conditions).flatMap(([message, holds]) => (holds ? [message] : []));

type ErrorBody = {
  statusCode: number;
  error: string;
  code: string;
  requestId: string;
  details?: { path: string }[];
};

const checkErrorBody = ({ status, headers, text }: ReceivedResponse): string[] => {
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null || body instanceof Error)
    return [`error without the error body: ${text.slice(0, 80)}`];
  const { statusCode, error, code, requestId, details = [] } = body as ErrorBody;
  const [header = '', pattern = /(?:)/] = REQUIRED_HEADERS[status] ?? [];
  return collect({
    'the body has another status': statusCode !== status || error !== STATUS_CODES[status],
    [`status ${status} with the code ${code}`]: !CODES[status]?.split(' ').includes(code),
    'the body has another request id than the header': requestId !== headers['x-request-id'],
    [`details name ${details[0]?.path}`]: details.some(({ path }) => !DETAIL_PATH.test(path)),
    [`status ${status} without ${header}`]: !pattern.test(String(headers[header] ?? '')),
    [`internal text: ${text.slice(0, 160)}`]: INTERNALS.test(text),
  });
};

/** The problems of any response; what the HTTP parser rejects has no rate limit. */
export const checkAnyResponse = (response: ReceivedResponse, mayLackRateLimit = true): string[] => {
  const { status, failure, headers, text } = response;
  if (failure !== undefined) return [`no response: ${failure}`];
  const problems = collect({
    [`status ${status}: ${text.slice(0, 200)}`]: status >= 500 || status < 200,
    'no X-Request-Id': !REQUEST_ID.test(String(headers['x-request-id'] ?? '')),
    'no RateLimit': !(mayLackRateLimit || headers['ratelimit']),
    [`secret in the body: ${text.slice(0, 160)}`]: SECRETS.test(text),
  });
  return text !== '' && status >= 400 ? [...problems, ...checkErrorBody(response)] : problems;
};

const checkContract = (operation: Operation, { status, headers, text }: ReceivedResponse): string[] => {
  const invalid = validateBody(operation, status, parseJson(text));
  return collect({
    [`undocumented status ${status}`]: !(
      String(status) in operation.responses || GENERAL_STATUSES.has(status)
    ),
    [`status ${status}: ${invalid}`]: invalid !== undefined,
    'not JSON': text !== '' && !/^application\/json/.test(headers['content-type'] as string),
    [`Cache-Control: ${headers['cache-control']}`]: status < 300 && headers['cache-control'] !== 'no-store',
  });
};

const hasOtherRequestId = (request: FuzzRequest, response: ReceivedResponse): boolean => {
  const ids = request.headers.filter(([name]) => name.toLowerCase() === 'x-request-id').map(([, id]) => id);
  return ids.length === 1 && REQUEST_ID.test(ids[0] ?? '') && response.headers['x-request-id'] !== ids[0];
};

const isRejection = ({ status, text }: ReceivedResponse): boolean =>
  [413, 415, 431].includes(status) || (status === 400 && text.includes('"VALIDATION_FAILED"'));

type Exchange = {
  request: FuzzRequest;
  /** Not mutated, and with the caller's own token. */
  isValid: boolean;
  /** That the request reaches. */
  operation: Operation | undefined;
  response: ReceivedResponse;
};

/** The problems of the response to a generated request. */
export const checkResponse = ({ request, isValid, operation, response }: Exchange): string[] => {
  const { status, failure, headers, text } = response;
  const isFromParser = status === 431 || (status === 400 && !headers['ratelimit']);
  const mustBeEmpty = request.method === 'HEAD' || (request.method === 'OPTIONS' && status === 204);
  const problems = checkAnyResponse(response, isFromParser);
  if (failure !== undefined) return problems;
  if (operation && !mustBeEmpty) problems.push(...checkContract(operation, response));
  return problems.concat(
    collect({
      'the X-Request-Id of the request was replaced': !isFromParser && hasOtherRequestId(request, response),
      [`rejects a valid request: ${text.slice(0, 200)}`]: isValid && isRejection(response),
      'a body that the method forbids': mustBeEmpty && text !== '',
      [`status ${status} without an operation`]:
        !(operation || mustBeEmpty) && status < 400 && request.path.startsWith('/api/v1/'),
    }),
  );
};
