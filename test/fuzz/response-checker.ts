import type { HttpRequest, HttpResponse } from '@platform/shared/testing/http-client';
import type { createOperationFinder, Operation } from '@platform/shared/testing/openapi-operations';
import { collect, findProblems } from '../deployed/response-rules.ts';
import type { FuzzRequest } from './request.ts';

const INTERNALS =
  /postgres|ECONN|127\.0\.0\.1|node_modules|\.ts:|\bat \/|syntax error|relation "|SELECT |duplicate key/i;
const SECRETS =
  /"(?:password|passwordHash|jti|tokenId|accessTokenId|refreshTokenId|refreshToken)":|\$2[aby]\$/i;
const DETAIL_PATH = /^\/(?:body|query|params|headers)(?:\/|$)/;

type Contract = {
  find: ReturnType<typeof createOperationFinder>;
  /** Describes the errors of requests that reach no operation. */
  fallback: Operation;
};

/**
 * Problems that are expected when the HTTP parser rejects a request: the response has no rate limit, and the
 * request no readable id.
 */
const PARSER_PROBLEM = /RateLimit|X-Request-Id is not that of the request/;
const isFromParser = ({ status, headers }: HttpResponse): boolean =>
  status === 408 || status === 431 || (status === 400 && !headers['ratelimit']);

/** The problems of any response. */
export const checkAnyResponse = (
  contract: Contract,
  request: HttpRequest,
  response: HttpResponse,
): string[] => {
  const { status, failure, text, body } = response;
  if (failure !== undefined) return [`no response: ${failure}`];
  const details: { path: string }[] = Array.isArray(body?.details) ? body.details : [];
  return [
    ...findProblems(contract, request, response).filter(
      (problem) => !(isFromParser(response) && PARSER_PROBLEM.test(problem)),
    ),
    ...collect({
      [`status ${status}: ${text.slice(0, 200)}`]: status >= 500 || status < 200,
      [`secret in the body: ${text.slice(0, 160)}`]: SECRETS.test(text),
      [`internal text: ${text.slice(0, 160)}`]: status >= 400 && INTERNALS.test(text),
      [`details name ${details[0]?.path}`]: details.some(({ path }) => !DETAIL_PATH.test(path)),
    }),
  ];
};

/** The headers of the request, or none if names repeat. */
const toHeaders = ({ headers }: FuzzRequest): Record<string, string> => {
  const named = Map.groupBy(headers, ([name]) => name.toLowerCase());
  return Object.fromEntries(
    [...named.values()].flatMap(([first, second]) => (first && !second ? [first] : [])),
  );
};

/**
 * The rule `logout-token` does not count: a schema cannot express whether the provider signed a token.
 */
const isRejection = ({ status, code, body }: HttpResponse): boolean =>
  [413, 415, 431].includes(status) ||
  (status === 400 && code === 'VALIDATION_FAILED' && body.details?.[0]?.rule !== 'logout-token');

type Exchange = {
  request: FuzzRequest;
  /** The request was not mutated, and has the caller's own token. */
  isValid: boolean;
  response: HttpResponse;
};

/** The problems of the response to a generated request. */
export const checkResponse = (contract: Contract, { request, isValid, response }: Exchange): string[] => {
  const { status, text } = response;
  const { method, path } = request;
  const mustBeEmpty = method === 'HEAD' || (method === 'OPTIONS' && status === 204);
  const isSuccess = status >= 200 && status < 400;
  return [
    ...checkAnyResponse(contract, { method, path, headers: toHeaders(request) }, response),
    ...collect({
      [`rejects a valid request: ${text.slice(0, 200)}`]: isValid && isRejection(response),
      'a body that the method forbids': mustBeEmpty && text !== '',
      [`status ${status} without an operation`]:
        isSuccess && !mustBeEmpty && path.startsWith('/api/v1/') && !contract.find({ method, path }),
    }),
  ];
};
