import { STATUS_CODES } from 'node:http';
import { type HttpRequest, type HttpResponse, parseSetCookies } from '@platform/shared/testing/http-client';
import {
  findResponse,
  type Operation,
  validateBody,
  validateValue,
} from '@platform/shared/testing/openapi-operations';
import type { Contract } from './contract.ts';

type Headers = HttpResponse['headers'];
type Received = { request: HttpRequest; operation: Operation | undefined; response: HttpResponse };

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const INTERNALS = /postgres|\bsql\b|ECONN|node_modules|\.ts:/i;
/** The text is JSON, so a line break is written ` `. */
const STACK_TRACE = /\\n\s+at /;
/** The header that a response with this status must have. */
const STATUS_HEADERS: Record<number, [name: string, pattern: RegExp]> = {
  401: ['WWW-Authenticate', /^Bearer$/],
  405: ['Allow', /^[A-Z]+(?:, [A-Z]+)*$/],
  429: ['Retry-After', /^[1-9]\d*$/],
  503: ['Retry-After', /^[1-9]\d*$/],
};
/** The headers of every response of the gateway, including data, pages and errors. */
const GATEWAY_HEADERS: readonly [name: string, pattern: RegExp][] = [
  ['RateLimit', /^"[\w-]+";r=\d+;t=\d+$/],
  ['RateLimit-Policy', /^"[\w-]+";q=\d+;w=\d+$/],
  ['Strict-Transport-Security', /^max-age=[1-9]\d{6,}/],
  ['Content-Security-Policy', /^(?!.*'unsafe-)default-src '(?:none|self)';.*frame-ancestors 'none'/],
  ['X-Content-Type-Options', /^nosniff$/],
  ['X-Frame-Options', /^(?:DENY|SAMEORIGIN)$/],
  ['Permissions-Policy', /camera=\(\)/],
  ['Referrer-Policy', /^no-referrer$/],
  ['Cross-Origin-Resource-Policy', /^same-origin$/],
];

/** Health can be read from other sites. */
const EXCEPTIONS: readonly [path: RegExp, name: string, pattern: RegExp][] = [
  [/^\/healthz$/, 'Cross-Origin-Resource-Policy', /^cross-origin$/],
];
const HEALTH_PATHS = ['/healthz', '/readyz'];

/** Returns the texts whose condition holds. */
export const collect = (problems: Record<string, unknown>): string[] =>
  Object.entries(problems).flatMap(([problem, exists]) => (exists ? [problem] : []));

const checkHeader = (headers: Headers, name: string, pattern: RegExp): string[] => {
  const value = headers[name.toLowerCase()];
  if (value === undefined) return [`no header ${name}`];
  return pattern.test(String(value)) ? [] : [`the header ${name} has an invalid value`];
};

const checkGatewayHeaders = ({ path }: HttpRequest, { headers }: HttpResponse): string[] =>
  GATEWAY_HEADERS.flatMap(([name, pattern]) => {
    const exception = EXCEPTIONS.find(([paths, other]) => other === name && paths.test(path));
    return checkHeader(headers, name, exception?.[2] ?? pattern);
  });

export const getHeader = (request: HttpRequest, name: string): unknown =>
  Object.entries(request.headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];

const checkRequestId = (request: HttpRequest, { headers }: HttpResponse): string[] => {
  const [sent, received] = [getHeader(request, 'x-request-id'), headers['x-request-id']];
  const isValid = typeof sent === 'string' && REQUEST_ID.test(sent);
  const isReplaced = isValid && received !== undefined && received !== sent;
  return isReplaced
    ? ['X-Request-Id is not that of the request']
    : checkHeader(headers, 'X-Request-Id', REQUEST_ID);
};

/**
 * Checks the headers that the document declares for the response, except for Set-Cookie, which has other
 * rules.
 */
const checkDeclaredHeaders = (operation: Operation, { status, headers }: HttpResponse): string[] => {
  const declared = Object.entries(findResponse(operation, status)?.headers ?? {});
  return declared.flatMap(([name, { required = false, schema }]) => {
    const value = headers[name.toLowerCase()];
    if (value === undefined) return required ? [`no header ${name}`] : [];
    if (Array.isArray(value)) return [];
    const isNumber = schema.type === 'integer' || schema.type === 'number';
    const error = validateValue(schema, isNumber ? Number(value) : value);
    return error === undefined ? [] : [`the header ${name}: ${error}`];
  });
};

/** Whether two problems concern the same header, for which one line is enough. */
const isSameHeader = (one: string, other: string): boolean => {
  const [name, otherName] = [one, other].map((text) => /\bheader ([\w-]+)/.exec(text)?.[1]);
  return name !== undefined && name === otherName;
};

/** The codes that the document names for this response or for any response. */
const listCodes = (operation: Operation, status: number): Set<string> => {
  const { responses } = operation;
  const text = `${findResponse(operation, status)?.description} ${responses['default']?.description}`;
  return new Set([...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, code = '']) => code));
};

const checkErrorBody = ({ operation, response }: Received, fallback: Operation): string[] => {
  const { status, headers, body, code, text } = response;
  const described = operation ?? fallback;
  const codes = listCodes(described, status);
  const invalid = validateBody(described, status, body);
  return [
    ...(invalid === undefined ? [] : [invalid]),
    ...collect({
      '/statusCode is not the status': body.statusCode !== status,
      '/error is not the text of the status': body.error !== STATUS_CODES[status],
      '/requestId is not the header X-Request-Id':
        headers['x-request-id'] !== undefined && body.requestId !== headers['x-request-id'],
      [`the document does not name ${code} for ${status}`]:
        code !== undefined && operation && !codes.has(code),
      'the body contains internal text': STACK_TRACE.test(text) || (status >= 500 && INTERNALS.test(text)),
    }),
  ];
};

const isDeclared = ({ responses }: Operation, status: number): boolean =>
  String(status) in responses || (status >= 400 && 'default' in responses);

/** Identities are sorted oldest first, sessions by the latest sign-in, and every other list newest first. */
const checkOrder = (items: unknown): string[] => {
  if (!Array.isArray(items)) return [];
  const times = items.map((item) =>
    String(item.linkedAt ?? (item.fingerprint ? item.updatedAt : item.createdAt)),
  );
  const sorted = times.toSorted();
  const isOrdered = String(times) === String(items[0]?.linkedAt ? sorted : sorted.reverse());
  return isOrdered ? [] : ['/data is not in the documented order'];
};

const checkSuccess = (operation: Operation, response: HttpResponse): string[] => {
  const { status, headers, text, body } = response;
  const content = findResponse(operation, status)?.content;
  if (!content) return text === '' ? [] : ['a body where the document has none'];
  const type = String(headers['content-type']).split(';', 1)[0] ?? '';
  if (!(type in content)) return [`Content-Type ${type} where the document has ${Object.keys(content)}`];
  const invalid = validateBody(operation, status, body);
  return [...(invalid === undefined ? [] : [invalid]), ...checkOrder(Object(body).data)];
};

/** A token expires with its record, which is stored at most this long before the token is signed. */
const MAX_SIGNING_SECONDS = 15;

/** Whether a cookie expires together with its token. The lifetime of other values is not checked. */
const isLifetimeOf = (token: string, maxAge: number): boolean => {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token) ?? [];
  if (payload === undefined) return maxAge > 0;
  const { iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    iat: number;
    exp: number;
  };
  const secondsLess = maxAge - (exp - iat);
  return secondsLess >= 0 && secondsLess <= MAX_SIGNING_SECONDS;
};

/** Checks the cookies of the platform, and ignores those of a load balancer. */
const checkCookies = (response: HttpResponse): string[] =>
  parseSetCookies(response).flatMap(({ name, value, attributes }) => {
    const isRefresh = /^(?:Customer|Employee|Admin)RefreshToken$/.test(name);
    if (!isRefresh) return [];
    const { httponly, secure, samesite, path, domain, 'max-age': maxAge, expires } = attributes;
    const isCleared = new Date(String(expires)).getTime() < Date.now();
    return collect({
      HttpOnly: httponly !== true,
      Secure: secure !== true,
      'SameSite=None': samesite !== 'None',
      'Path=/': path !== '/',
      'no Domain': domain !== undefined,
      'the lifetime of its token': value === '' ? !isCleared : !isLifetimeOf(value, Number(maxAge)),
    }).map((attribute) => `the cookie ${name} has not: ${attribute}`);
  });

/** Headers that tell an attacker which software and version is running. */
const checkSoftwareHeaders = ({ 'x-powered-by': framework, server }: Headers): string[] =>
  collect({
    'the header X-Powered-By names the software': framework !== undefined,
    'the header Server names the software': /\d|express|node/i.test(String(server ?? '')),
  });

/**
 * Whether the response contains the state of the platform, a token, personal data or anything else that only a
 * signed-in caller gets.
 */
const mustNotBeStored = (path: string, operation: Operation | undefined, response: HttpResponse): boolean => {
  const { status, headers } = response;
  if (HEALTH_PATHS.includes(path)) return true;
  return (
    status < 300 && operation !== undefined && (operation.scheme !== undefined || 'set-cookie' in headers)
  );
};

const checkOperation = (operation: Operation, response: HttpResponse): string[] => {
  const { status } = response;
  if (!isDeclared(operation, status)) return [`the document has no response ${status}`];
  return status < 400 ? checkSuccess(operation, response) : [];
};

/** The proxy of a test bench marks every response, so that nobody takes it for a production. */
export const checkTestBench = ({ failure, headers }: HttpResponse, isTestBench: boolean): string[] => {
  if (failure !== undefined || 'x-test-bench' in headers === isTestBench) return [];
  return [isTestBench ? 'no header X-Test-Bench' : 'the header X-Test-Bench: it is a test bench'];
};

/**
 * Returns the violations of the rules for every response of the gateway, including those of other services.
 */
export const findGatewayProblems = (request: HttpRequest, response: HttpResponse): string[] => {
  const { failure } = response;
  if (failure !== undefined) return [`no response: ${failure}`];
  return [
    ...checkRequestId(request, response),
    ...checkGatewayHeaders(request, response),
    ...checkCookies(response),
  ];
};

/** Returns the violations of the documents and of the rules for every response of the platform. */
export const findProblems = (
  { find, fallback }: Pick<Contract, 'find' | 'fallback'>,
  request: HttpRequest,
  response: HttpResponse,
): string[] => {
  const { status, failure, headers } = response;
  if (failure !== undefined) return findGatewayProblems(request, response);
  const { method = 'GET', path } = request;
  const operation = find({ method, path: path.split('?', 1)[0] ?? '' });
  const isStored = mustNotBeStored(path, operation, response) && headers['cache-control'] !== 'no-store';
  const isError = status >= 400 && method !== 'HEAD';
  const [name = '', pattern = /(?:)/] = STATUS_HEADERS[status] ?? [];
  const isJson = /^application\/json(?:;|$)/.test(String(headers['content-type']));
  const headerProblems = [
    ...findGatewayProblems(request, response),
    ...(name === '' ? [] : checkHeader(headers, name, pattern)),
  ];
  const isDescribed = operation !== undefined && method !== 'HEAD';
  const declared =
    isDescribed && isDeclared(operation, status) ? checkDeclaredHeaders(operation, response) : [];
  return [
    ...headerProblems,
    ...declared.filter((problem) => !headerProblems.some((other) => isSameHeader(problem, other))),
    ...checkSoftwareHeaders(headers),
    ...(isStored ? ['Cache-Control is not no-store'] : []),
    ...(isError && !isJson ? ['the error is not application/json'] : []),
    ...(isError && isJson ? checkErrorBody({ request, operation, response }, fallback) : []),
    ...(isDescribed ? checkOperation(operation, response) : []),
  ];
};
