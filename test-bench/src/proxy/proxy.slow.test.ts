import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { createHttpClient, type HttpRequest } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { openRawConnection, sendRaw } from '@platform/shared/testing/raw-http';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { uniqueLabel, useTestBench } from '../../testing/use-test-bench.ts';

const SIGN_UP = '/api/v1/customers/auth/sign-up';

describe('proxy of the test bench', () => {
  const bench = useTestBench();
  const send = (request: HttpRequest, label?: string, network?: string) =>
    createHttpClient(bench().gatewayUrl).send({
      ...request,
      headers: { 'X-Test-Label': label, 'X-Test-Network': network, ...request.headers },
    });
  const signUp = (email: string, label: string) =>
    send({ method: 'POST', path: SIGN_UP, body: { email, password: PASSWORD } }, label);
  const countUsers = async (email: string) =>
    (await queryDatabase(bench().databaseUrl, 'select from users where email = $1', [email])).length;
  /** The requests that the network may still send within this minute. */
  const getRemaining = async (label?: string, network?: string, headers = {}) => {
    const response = await send({ path: '/api/v1/', headers }, label, network);
    return Number(/;r=(\d+)/.exec(String(response.headers['ratelimit']))?.[1]);
  };

  it('lets the requests of each label come from a network of its own', async () => {
    const [label, other] = [uniqueLabel(), uniqueLabel()];
    expect(await getRemaining(label)).to.equal(599);
    expect(await getRemaining(label, undefined, { 'X-Forwarded-For': '203.0.113.7' })).to.equal(598);
    expect(await getRemaining(other)).to.equal(599);
    const { status, body } = await bench().client.addNetwork({ label });
    expect(status).to.equal(201);
    expect(body.network).to.match(/^198\.1[89]\./);
    expect(await getRemaining(label, body.network)).to.equal(599);
    expect(await getRemaining(label), 'its own network').to.equal(597);
  });

  it('gives a label one network of its own, also to its first requests at the same time', async () => {
    const label = uniqueLabel();
    const remaining = await Promise.all(Array.from({ length: 5 }, () => getRemaining(label)));
    expect(remaining.sort()).to.deep.equal([595, 596, 597, 598, 599]);
  });

  it('rejects what is no label, and a network of another label', async () => {
    const { body } = await bench().client.addNetwork({ label: uniqueLabel() });
    const cases: [string | undefined, string | undefined, string][] = [
      ['Sign up', undefined, '/headers/x-test-label'],
      ['x'.repeat(41), undefined, '/headers/x-test-label'],
      [uniqueLabel(), body.network, '/headers/x-test-network'],
      [undefined, body.network, '/headers/x-test-network'],
    ];
    for (const [label, network, path] of cases) {
      const response = await send({ path: '/api/v1/' }, label, network);
      expectError(response, 400, 'VALIDATION_FAILED', path);
      expect(response.headers['x-test-bench']).to.equal('on');
    }
  });

  it('changes nothing else of a request and its response', async () => {
    const { gatewayUrl, proxiedGatewayUrl = '' } = bench();
    const json = 'Content-Type: application/json\r\nX-Fingerprint: device';
    const requests = [
      'GET /api/v1/ HTTP/1.1\r\nHOST: localhost',
      'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br',
      'HEAD /readyz HTTP/1.1\r\nHost: localhost',
      'OPTIONS /api/v1/users HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:5173\r\nAccess-Control-Request-Method: GET',
      `POST /api/v1/customers/auth/sign-in HTTP/1.1\r\nHost: localhost\r\n${json}\r\nContent-Length: 2`,
      `POST /api/v1/customers/auth/sign-in HTTP/1.1\r\nHost: localhost\r\n${json}\r\nTransfer-Encoding: chunked`,
      `POST /api/v1/customers/auth/sign-in HTTP/1.1\r\nHost: localhost\r\n${json}`,
      'DELETE /api/v1/nothing%20here?a=%C3%A4 HTTP/1.1\r\nHost: localhost\r\nCookie: a=1\r\nCookie: b=2',
      'GET http://other.localhost/api/v1/ HTTP/1.1\r\nHost: localhost',
    ];
    const toBody = (head: string) => {
      if (head.includes('chunked')) return '2\r\n{}\r\n0\r\n\r\n';
      return head.includes('Content-Length: 2') ? '{}' : '';
    };
    const exchange = async (url: string, head: string) => {
      const text = await sendRaw(
        url,
        `${head}\r\nX-Request-Id: same\r\nConnection: close\r\n\r\n${toBody(head)}`,
      );
      const [headers = '', ...body] = text.split('\r\n\r\n');
      const kept = headers
        .split('\r\n')
        .filter((line) => !/^(?:Date|RateLimit|Connection|X-Test-Bench):/i.test(line));
      return [...kept, body.join('\r\n\r\n')];
    };
    for (const head of requests)
      expect(await exchange(gatewayUrl, head), head).to.deep.equal(await exchange(proxiedGatewayUrl, head));
  });

  it('forwards a body while it arrives', async () => {
    const connection = openRawConnection(bench().gatewayUrl, { idleSeconds: 20 });
    connection.write(
      `POST ${SIGN_UP} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    // Never the end of the body: the gateway responds as soon as it is too large.
    connection.write(`${(150_000).toString(16)}\r\n${'x'.repeat(150_000)}`);
    expect(await connection.closed).to.match(/^HTTP\/1\.1 413 [\s\S]*BODY_TOO_LARGE/);
  });

  it('marks every response, also one to malformed HTTP', async () => {
    expect((await send({ path: '/api/v1/' })).headers['x-test-bench']).to.equal('on');
    expect(await sendRaw(bench().gatewayUrl, 'nonsense\r\n\r\n')).to.match(/\r\nX-Test-Bench: on\r\n/);
  });

  it('responds with a fault instead of the operation, that often, to that label alone', async () => {
    const [label, other] = [uniqueLabel(), uniqueLabel()];
    const answer = { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: 7 };
    const fault = { label, operation: 'customerSignUp', times: 1, answer };
    const { id } = (await bench().client.createFault({ body: fault })).body;
    const email = uniqueEmail();
    expect((await send({ path: '/api/v1/' }, label)).status, 'another operation').to.equal(200);
    expect((await signUp(uniqueEmail(), other)).status, 'another label').to.equal(201);
    const headers = { Origin: 'http://localhost:5173', 'X-Request-Id': 'faulted' };
    const body = { email, password: PASSWORD };
    const failed = await send({ method: 'POST', path: SIGN_UP, headers, body }, label);
    expectError(failed, 503, 'SERVICE_UNAVAILABLE');
    expect(failed.headers).to.include({
      'retry-after': '7',
      'access-control-allow-origin': 'http://localhost:5173',
      'x-request-id': 'faulted',
      'x-test-bench': 'on',
    });
    expect(failed.headers).to.include.keys('ratelimit', 'ratelimit-policy', 'content-security-policy');
    expect(await countUsers(email)).to.equal(0);
    expect((await signUp(email, label)).status).to.equal(201);
    const hits = await bench().client.getFault({ id });
    expect(hits.body).to.deep.equal({ hits: 1, requestIds: ['faulted'] });
  });

  it('loses a request, or the response to one that the platform has completed', async () => {
    const label = uniqueLabel();
    for (const [answer, count] of [
      ['lost-before', 0],
      ['lost-after', 1],
    ] as const) {
      await bench().client.createFault({ body: { label, times: 1, answer } });
      const email = uniqueEmail();
      const { status, failure } = await signUp(email, label);
      expect({ status, failure }).to.deep.equal({ status: 0, failure: 'reset' });
      expect(await countUsers(email), answer).to.equal(count);
    }
    expect((await signUp(uniqueEmail(), label)).status).to.equal(201);
  });

  it('closes the connections of a label with faults, so that no browser repeats a lost request', async () => {
    const label = uniqueLabel();
    const connection = openRawConnection(bench().gatewayUrl);
    const request = `GET /api/v1/ HTTP/1.1\r\nHost: localhost\r\nX-Test-Label: ${label}\r\n\r\n`;
    connection.write(request);
    const [answer, operation] = ['lost-before', 'customerSignUp'];
    await waitFor('the response', () => connection.received().includes('Hello API'));
    const { id } = (await bench().client.createFault({ body: { label, operation, answer } })).body;
    expect(await connection.closed).not.to.include('Connection: close');
    expect(await sendRaw(bench().gatewayUrl, request)).to.include('Connection: close');
    expect((await bench().client.deleteFault({ id })).status).to.equal(204);
    expectError(await bench().client.getFault({ id }), 404, 'FAULT_NOT_FOUND');
  });

  it('knows the operations of the platform', async () => {
    const fault = { label: uniqueLabel(), operation: 'signUp', answer: 'lost-before' };
    const response = await bench().client.createFault({ body: fault });
    expectError(response, 400, 'VALIDATION_FAILED', '/body/operation');
  });
});
