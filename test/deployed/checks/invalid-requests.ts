import { randomUUID } from 'node:crypto';
import type { HttpRequest } from '@platform/shared/testing/http-client';
import type { Operation } from '@platform/shared/testing/openapi-operations';
import type { Contract } from '../contract.ts';
import type { Checks, Section } from '../probe.ts';

/** Fills the template with an unknown id, so that the request has no effect even if the check fails. */
export const toPath = ({ template }: Pick<Operation, 'template'>, id: string = randomUUID()): string =>
  template.replace(/\{\w+\}/g, id).replace(/\/$/, '');

/**
 * Whether the operation also accepts callers without a token, such as the registration of the first
 * administrator.
 */
const mayLackToken = ({ scheme }: Operation): boolean =>
  scheme === undefined || scheme === 'administratorRegistration';

const SIGN_IN = '/api/v1/customers/auth/sign-in';
const post = (body: HttpRequest['body'], path = SIGN_IN, type = 'application/json'): HttpRequest => ({
  method: 'POST',
  path,
  headers: { 'Content-Type': type },
  body,
});
/** One byte more than the platform accepts. */
const TOO_LARGE = 'x'.repeat(102_401);
type Expected = readonly [status: number, code: string, ...paths: string[]];
const INVALID: Expected = [400, 'VALIDATION_FAILED'];
const UNKNOWN = '/check-deployed';

const CASES: readonly [name: string, request: HttpRequest, ...Expected][] = [
  ['an unknown route', { path: UNKNOWN }, 404, 'ROUTE_NOT_FOUND'],
  ['an unknown route below /api/v1', { path: `/api/v1${UNKNOWN}` }, 404, 'ROUTE_NOT_FOUND'],
  ['a broken percent sign in the path', { path: '/api/v1/users/%zz' }, ...INVALID],
  ['a path that is not UTF-8', { path: '/api/v1/users/%ff' }, ...INVALID, '/params/id'],
  ['an empty segment in the path', { path: '/api/v1//users' }, ...INVALID],
  ['malformed JSON', post('{"email":'), ...INVALID],
  ['a body that is not UTF-8', post(Buffer.from('{"email":"\xff"}', 'latin1')), ...INVALID],
  ['another charset', post('{}', SIGN_IN, 'application/json; charset=latin1'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['an empty body', post(''), ...INVALID],
  ['a body that is not JSON', post('text', SIGN_IN, 'text/plain'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'no X-Fingerprint and no password',
    post({ email: 'check@check-deployed.invalid' }),
    ...INVALID,
    '/headers/x-fingerprint',
    '/body/password',
  ],
  [
    'a field that the back office does not declare',
    post({ undeclared: true }, '/api/v1/contact/lead'),
    ...INVALID,
    '/body/undeclared',
    '/body/name',
  ],
  ['a body over 100 KiB', post(TOO_LARGE), 413, 'BODY_TOO_LARGE'],
  // These requests have several errors: the body size is checked first, then the route, the token and the
  // contract.
  ['a body over 100 KiB on an unknown route', post(TOO_LARGE, UNKNOWN), 413, 'BODY_TOO_LARGE'],
];

const toCheck = ([name, request, status, code, ...paths]: (typeof CASES)[number]): Checks => ({
  [`${name}: ${status} ${code}`]: ({ call, expect }) => expect(call(request), status, code, ...paths),
});

const requestChecks: Checks = {
  async 'X-Request-Id: a valid one is returned, an invalid one replaced'({ call, check }) {
    await call({ path: '/api/v1', headers: { 'X-Request-Id': 'check-deployed.1' } });
    const response = await call({ path: '/api/v1', headers: { 'X-Request-Id': 'not a valid id' } });
    check(response.headers['x-request-id'] !== 'not a valid id', 'the invalid id is returned', response);
  },
  async 'a method that a path does not have: 405 METHOD_NOT_ALLOWED, with the others in Allow'(probe) {
    const { contract, call, expect, check } = probe;
    for (const [template, group] of Map.groupBy(contract.operations, (operation) => operation.template)) {
      const methods = group.map(({ method }) => method).sort();
      const method = methods.includes('PUT') ? 'TRACE' : 'PUT';
      const response = await expect(call({ method, path: toPath({ template }) }), 405, 'METHOD_NOT_ALLOWED');
      const allowed = String(response.headers.allow).split(/,\s*/).sort();
      // A later release may have more methods than the contract of an earlier one.
      const known =
        contract.release === undefined ? allowed : allowed.filter((each) => methods.includes(each));
      check(known.join() === methods.join(), `Allow is ${allowed} instead of ${methods}`, response);
    }
    await expect(call({ method: 'HEAD', path: '/api/v1' }), 405);
  },
};

/** Token errors take precedence over validation errors, so the requests need not be valid. */
const tokenCheck = (operation: Operation): Checks => ({
  async [`${operation.method} ${operation.template}: 401 TOKEN_INVALID without a token and with an invalid one`]({
    call,
    expect,
  }) {
    const request = { method: operation.method, path: toPath(operation, 'not-a-uuid') };
    await expect(call(request), 401, 'TOKEN_INVALID');
    await expect(
      call({ ...request, headers: { Authorization: 'Bearer not-a-token' } }),
      401,
      'TOKEN_INVALID',
    );
  },
});

export const invalidRequestSections = ({ operations }: Contract): Section[] => [
  { title: 'Invalid requests', checks: () => [...CASES.map(toCheck), requestChecks] },
  {
    title: 'Operations that need a token',
    checks: () => operations.filter((operation) => !mayLackToken(operation)).map(tokenCheck),
  },
];
