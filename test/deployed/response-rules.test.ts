import type { HttpRequest, HttpResponse } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { createOperationFinder, loadOperations, type Operation } from '../openapi-operations.ts';
import { findProblems } from './response-rules.ts';

const HEADERS = {
  'x-request-id': 'request.1',
  ratelimit: '"all";r=599;t=60',
  'ratelimit-policy': '"all";q=600;w=60',
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
};
const COOKIE =
  'CustomerRefreshToken=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=None';
const SIGN_OUT = '/api/v1/customers/auth/sign-out';
const ERROR = {
  statusCode: 401,
  error: 'Unauthorized',
  code: 'TOKEN_INVALID',
  message: 'The token is missing',
  requestId: 'request.1',
};

describe('rules for the responses of a deployment', () => {
  let contract: { find: ReturnType<typeof createOperationFinder>; fallback: Operation };
  before(async () => {
    const operations = await loadOperations();
    const [fallback] = operations;
    if (!fallback) throw new Error('There are no operations');
    contract = { find: createOperationFinder(operations), fallback };
  });

  const respond = (status: number, body: unknown, headers: HttpResponse['headers'] = {}): HttpResponse => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const { code } = Object(body) as { code?: string };
    const sent = { ...HEADERS, ...headers };
    return { status, failure: undefined, headers: sent, text, body: body ?? {}, code, milliseconds: 1 };
  };
  const find = (request: HttpRequest, response: HttpResponse) => findProblems(contract, request, response);
  const signOut = (headers: HttpResponse['headers']) =>
    find({ path: SIGN_OUT }, respond(204, undefined, headers));

  it('accept a response as documented', () => {
    expect(find({ path: '/api/v1' }, respond(200, { message: 'Hello API' }))).to.deep.equal([]);
    expect(signOut({ 'set-cookie': [COOKIE] })).to.deep.equal([]);
    const unauthorized = respond(401, ERROR, { 'www-authenticate': 'Bearer' });
    expect(find({ path: '/api/v1/users' }, unauthorized)).to.deep.equal([]);
  });

  it('name an invalid value by its path and by the path of its schema', () => {
    expect(find({ path: '/api/v1' }, respond(200, { message: 'Hi' }))).to.deep.equal([
      '/message must be equal to constant (schema #/properties/message/const)',
    ]);
  });

  it('name an undocumented status, Content-Type and body', () => {
    expect(find({ path: '/api/v1' }, respond(201, { message: 'Hello API' }))).to.deep.equal([
      'the document has no response 201',
    ]);
    const page = respond(200, { message: 'Hello API' }, { 'content-type': 'text/html' });
    expect(find({ path: '/api/v1' }, page)).to.deep.equal([
      'Content-Type text/html where the document has application/json',
    ]);
    const deleted = respond(204, { message: 'Deleted' });
    expect(find({ method: 'DELETE', path: '/api/v1/projects/1' }, deleted)).to.deep.equal([
      'a body where the document has none',
    ]);
  });

  it('require every attribute of the refresh cookie', () => {
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=None', 'Path=/'])
      expect(signOut({ 'set-cookie': [COOKIE.replace(`; ${attribute}`, '')] })).to.deep.equal([
        `the cookie CustomerRefreshToken has not: ${attribute}`,
      ]);
    expect(signOut({ 'set-cookie': [`${COOKIE}; Domain=example.com`] })).to.deep.equal([
      'the cookie CustomerRefreshToken has not: no Domain',
    ]);
  });

  it('ignore the cookies of a load balancer', () => {
    expect(signOut({ 'set-cookie': [COOKIE, 'AWSALB=1; Path=/'] })).to.deep.equal([]);
  });

  it('require Retry-After in seconds with 429 and 503', () => {
    for (const [status, error, code] of [
      [429, 'Too Many Requests', 'RATE_LIMITED'],
      [503, 'Service Unavailable', 'SERVICE_UNAVAILABLE'],
    ] as const) {
      const body = { ...ERROR, statusCode: status, error, code };
      const problems = (value: string | undefined) =>
        find({ path: '/api/v1' }, respond(status, body, value === undefined ? {} : { 'retry-after': value }));
      expect(problems('7')).to.deep.equal([]);
      expect(problems(undefined)).to.include('no header Retry-After');
      expect(problems('soon')).to.include('the header Retry-After has an invalid value');
    }
  });

  it('require the X-Request-Id of the request', () => {
    const request = { path: '/api/v1', headers: { 'X-Request-Id': 'other' } };
    expect(find(request, respond(200, { message: 'Hello API' }))).to.deep.equal([
      'X-Request-Id is not that of the request',
    ]);
  });

  it('name internal text in a server error', () => {
    const body = { ...ERROR, statusCode: 500, error: 'Internal Server Error', code: 'INTERNAL_ERROR' };
    const problems = (message: string) => find({ path: '/api/v1' }, respond(500, { ...body, message }));
    expect(problems('Unexpected error')).to.deep.equal([]);
    expect(problems('connect ECONNREFUSED 10.0.0.1:5432')).to.deep.equal(['the body contains internal text']);
  });
});
