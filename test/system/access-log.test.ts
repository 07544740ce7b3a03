import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR } from '@platform/shared/testing/administrator';
import {
  type AccountKind,
  accessHeaders,
  CUSTOMER,
  createAuthClient,
  type Device,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createRecords, type Records, type UserRecord } from '@platform/shared/testing/records';
import { setCookies } from '@platform/shared/testing/responses';
import { type RunningStack, sharedStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import request, { type Response } from 'supertest';
import { type LogLine, type ServiceName, untilLogged } from './service-logs.ts';

type Method = 'get' | 'post' | 'delete';

const QUEUES = '/api/v1/administrator/queues';

describe('access log', () => {
  let running: RunningStack;
  let records: Records;
  before('start the stack', async function () {
    this.timeout(60_000);
    running = await sharedStack();
    records = createRecords(running.stack.databaseUrl);
  });
  after('close the database', () => records?.close());

  /** Sends one request; returns its line of the service's log. */
  const lineOf = async (
    service: ServiceName,
    [method, path]: [Method, string],
    headers: Record<string, string | undefined>,
    body?: object,
  ): Promise<{ line: LogLine; answer: Response }> => {
    const requestId = randomUUID();
    const given = Object.entries(headers).filter(([, value]) => value !== undefined) as [string, string][];
    const answer = await request(running.stack.gatewayUrl)
      [method](path)
      .set({ ...Object.fromEntries(given), 'X-Request-Id': requestId })
      .send(body);
    const isIt = (line: LogLine) => line.msg === 'request' && line['requestId'] === requestId;
    return { line: await untilLogged(running, service, isIt), answer };
  };
  const signIn = async (kind: AccountKind) => {
    const user = await records.user([kind === CUSTOMER ? 'CUSTOMER' : 'ADMIN']);
    const client = createAuthClient(running.stack.gatewayUrl, kind);
    return { user, client, device: await client.openDevice(user) };
  };
  const expectCaller = (line: LogLine, { id, email }: UserRecord, sessionId: string): void => {
    expect(line).to.include({ userId: id, sessionId });
    const text = JSON.stringify(line);
    expect(text).not.to.include(email);
    expect(text).not.to.match(/eyJ|Token":|Bearer/);
  };

  for (const kind of [CUSTOMER, ADMINISTRATOR]) {
    it(`names user and session of a sign-in of ${kind.plural}`, async () => {
      const { email, id, ...user } = await records.user([kind === CUSTOMER ? 'CUSTOMER' : 'ADMIN']);
      const headers = { 'X-Fingerprint': uniqueFingerprint() };
      const body = { email, password: PASSWORD };
      const { line, answer } = await lineOf('auth-service', ['post', `${kind.path}/sign-in`], headers, body);
      expect(answer.status).to.equal(200);
      expectCaller(line, { email, id, ...user }, answer.body.session.id);
    });

    it(`names user and session at each route of ${kind.plural} that a token opens`, async () => {
      const { user, client, device } = await signIn(kind);
      const cookie = ({ refreshToken }: Device) => ({ Cookie: `${kind.refreshCookie}=${refreshToken}` });
      const me = await lineOf('auth-service', ['get', `${kind.path}/me`], accessHeaders(device));
      const refresh = await lineOf(
        'auth-service',
        ['get', `${kind.path}/refresh/token`],
        client.refreshHeaders(device),
      );
      const later = client.afterRefresh(device, refresh.answer);
      const change = await lineOf('auth-service', ['post', `${kind.path}/reset-password/me`], cookie(later), {
        currentPassword: PASSWORD,
        newPassword: 'Unmistakable horse 2',
      });
      const signOut = await lineOf('auth-service', ['get', `${kind.path}/sign-out`], accessHeaders(later));
      for (const { line, answer } of [me, refresh, change, signOut]) {
        expect(answer.status).to.be.below(300);
        expectCaller(line, user, device.sessionId);
      }
    });
  }

  it('names user and session at a route of the back-office', async () => {
    const { user, device } = await signIn(ADMINISTRATOR);
    const headers = { Authorization: `Bearer ${device.accessToken}` };
    const { line } = await lineOf('admin-service', ['get', '/api/v1/users/me'], headers);
    expectCaller(line, user, device.sessionId);
  });

  it('names user and session at the pages of queues, which a cookie opens', async () => {
    const { user, device } = await signIn(ADMINISTRATOR);
    const headers = { Authorization: `Bearer ${device.accessToken}` };
    const { answer } = await lineOf('admin-service', ['post', `${QUEUES}/session`], headers);
    const [cookie] = setCookies(answer);
    const { line } = await lineOf('admin-service', ['get', `${QUEUES}/api/queues`], {
      Cookie: `${cookie?.name}=${cookie?.value}`,
    });
    expectCaller(line, user, device.sessionId);
  });

  it('names nobody where nobody is signed in', async () => {
    const { email } = await records.user(['CUSTOMER']);
    const headers = { 'X-Fingerprint': uniqueFingerprint() };
    const failed = await lineOf('auth-service', ['post', `${CUSTOMER.path}/sign-in`], headers, {
      email,
      password: 'another one',
    });
    const anonymous = await lineOf('admin-service', ['get', '/api/v1/users/me'], {});
    for (const { line, answer } of [failed, anonymous]) {
      expect(answer.status).to.equal(401);
      expect(line).not.to.have.any.keys('userId', 'sessionId');
    }
  });
});
