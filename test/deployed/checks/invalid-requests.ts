import { randomUUID } from 'node:crypto';
import type { HttpRequest } from '@platform/shared/testing/http-client';
import type { Operation } from '../../openapi-operations.ts';
import type { Contract } from '../contract.ts';
import type { Check, Probe, Section } from '../probe.ts';

/** One byte more than the platform accepts. */
const TOO_LARGE_BYTES = 102_401;
const SIGN_IN = '/api/v1/customers/auth/sign-in';
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** The dashboard below it has its own paths, which no document describes. */
const QUEUES = '/api/v1/administrator/queues';

/** A path of the template whose ids exist nowhere, so that a request without effect stays one in a broken deployment. */
export const toPath = ({ template }: Pick<Operation, 'template'>, id: string = randomUUID()): string =>
  template.replace(/\{\w+\}/g, id).replace(/\/$/, '');

/** Whether the operation also has callers without a token, such as the first administrator's registration. */
const mayLackToken = ({ scheme }: Operation): boolean =>
  scheme === undefined || scheme === 'administratorRegistration';

type Case = [name: string, request: HttpRequest, status: number, code: string, ...paths: string[]];

const CASES: readonly Case[] = [
  ['an unknown route', { path: '/check-deployed' }, 404, 'ROUTE_NOT_FOUND'],
  ['an unknown route below /api/v1', { path: '/api/v1/check-deployed' }, 404, 'ROUTE_NOT_FOUND'],
  ['a broken percent sign in the path', { path: '/api/v1/users/%zz' }, 400, 'VALIDATION_FAILED'],
  ['an empty segment in the path', { path: '/api/v1//users' }, 400, 'VALIDATION_FAILED'],
  ['malformed JSON', { path: SIGN_IN, headers: JSON_TYPE, body: '{"email":' }, 400, 'VALIDATION_FAILED'],
  ['an empty body', { path: SIGN_IN, headers: JSON_TYPE, body: '' }, 400, 'VALIDATION_FAILED'],
  [
    'a body that is not JSON',
    { path: SIGN_IN, headers: { 'Content-Type': 'text/plain', 'X-Fingerprint': 'check' }, body: 'text' },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'no X-Fingerprint and no password',
    { path: SIGN_IN, body: { email: 'check@check-deployed.invalid' } },
    400,
    'VALIDATION_FAILED',
    '/headers/x-fingerprint',
    '/body/password',
  ],
  [
    'a field that the back-office does not declare',
    { path: '/api/v1/contact/lead', body: { undeclared: true } },
    400,
    'VALIDATION_FAILED',
    '/body/undeclared',
    '/body/name',
  ],
  [
    'a body over 100 KiB',
    { path: SIGN_IN, headers: JSON_TYPE, body: 'x'.repeat(TOO_LARGE_BYTES) },
    413,
    'BODY_TOO_LARGE',
  ],
  // The order of the checks: a body declared too large, the route, the token, the contract.
  [
    'a body over 100 KiB on an unknown route',
    { path: '/check-deployed', headers: JSON_TYPE, body: 'x'.repeat(TOO_LARGE_BYTES) },
    413,
    'BODY_TOO_LARGE',
  ],
];

const toCheck = ([name, request, status, code, ...paths]: Case): Check => ({
  name: `${name}: ${status} ${code}`,
  run: async ({ call, expect }) => {
    const method = request.body === undefined ? 'GET' : 'POST';
    expect(await call({ method, ...request }), status, code, ...paths);
  },
});

const requestIdCheck: Check = {
  name: 'X-Request-Id: a valid one is returned, an invalid one replaced',
  run: async ({ call, check }) => {
    await call({ path: '/api/v1', headers: { 'X-Request-Id': 'check-deployed.1' } });
    const response = await call({ path: '/api/v1', headers: { 'X-Request-Id': 'not a valid id' } });
    check(response.headers['x-request-id'] !== 'not a valid id', 'the invalid id is returned', response);
  },
};

const checkMethods = ({ operations }: Contract): Check => ({
  name: 'a method that a path does not have: 405 METHOD_NOT_ALLOWED, with the others in Allow',
  run: async ({ call, expect, check }: Probe) => {
    for (const [template, group] of Map.groupBy(operations, (operation) => operation.template)) {
      if (template.startsWith(QUEUES)) continue;
      const methods = group.map(({ method }) => method).sort();
      const method = methods.includes('PUT') ? 'TRACE' : 'PUT';
      const response = await call({ method, path: toPath({ template }) });
      expect(response, 405, 'METHOD_NOT_ALLOWED');
      const allowed = String(response.headers.allow).split(/,\s*/).sort();
      check(allowed.join() === methods.join(), `Allow is ${allowed} instead of ${methods}`, response);
    }
    expect(await call({ method: 'HEAD', path: '/api/v1' }), 405);
  },
});

/** A token error precedes the errors of the contract, so the requests need not be valid. */
const checkToken = (operation: Operation): Check => ({
  name: `${operation.method} ${operation.template}: 401 TOKEN_INVALID without a token and with an invalid one`,
  run: async ({ call, expect }) => {
    const { method } = operation;
    const path = toPath(operation, 'not-a-uuid');
    expect(await call({ method, path }), 401, 'TOKEN_INVALID');
    const headers = { Authorization: 'Bearer not-a-token' };
    expect(await call({ method, path, headers }), 401, 'TOKEN_INVALID');
  },
});

export const invalidRequestSections = (contract: Contract): Section[] => [
  {
    title: 'Invalid requests',
    checks: () => [...CASES.map(toCheck), requestIdCheck, checkMethods(contract)],
  },
  {
    title: 'Operations that need a token',
    checks: () => contract.operations.filter((operation) => !mayLackToken(operation)).map(checkToken),
  },
];
