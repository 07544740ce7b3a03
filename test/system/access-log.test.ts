import { randomUUID } from 'node:crypto';
import {
  type AccountKind,
  ADMINISTRATOR,
  accessHeaders,
  CUSTOMER,
  createAuthClient,
  type Device,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createHttpClient, type HttpResponse, parseSetCookies } from '@platform/shared/testing/http-client';
import type { UserRecord } from '@platform/shared/testing/records';
import { expect } from 'chai';
import { type LogLine, type ServiceName, waitForLogLine } from './service-logs.ts';
import { usePlatform } from './use-platform.ts';

type Method = 'GET' | 'PATCH' | 'POST';

const QUEUES = '/api/v1/administrator/queues';

describe('access log', () => {
  const platform = usePlatform();

  /** Sends a request; returns its line in the service's log. */
  const getLogLine = async (
    service: ServiceName,
    [method, path]: [Method, string],
    headers: Record<string, string | undefined>,
    body?: object,
  ): Promise<{ line: LogLine; response: HttpResponse }> => {
    const requestId = randomUUID();
    const client = createHttpClient(platform().gatewayUrl);
    const response = await client.send({
      method,
      path,
      headers: { ...headers, 'X-Request-Id': requestId },
      body,
    });
    const isOfRequest = (line: LogLine) => line.msg === 'request' && line['requestId'] === requestId;
    return { line: await waitForLogLine(platform().running, service, isOfRequest), response };
  };
  const signIn = async (kind: AccountKind) => {
    const user = await platform().records.user([kind === CUSTOMER ? 'CUSTOMER' : 'ADMIN']);
    const client = createAuthClient(platform().gatewayUrl, kind);
    return { user, client, device: await client.openDevice(user) };
  };
  const expectCaller = (line: LogLine, { id, email }: UserRecord, sessionId: string): void => {
    expect(line).to.include({ userId: id, sessionId });
    const text = JSON.stringify(line);
    expect(text).not.to.include(email);
    expect(text).not.to.match(/eyJ|Token":|Bearer/);
  };

  for (const kind of [CUSTOMER, ADMINISTRATOR]) {
    it(`logs user and session of a sign-in of ${kind.plural}`, async () => {
      const { email, id, ...user } = await platform().records.user([
        kind === CUSTOMER ? 'CUSTOMER' : 'ADMIN',
      ]);
      const headers = { 'X-Fingerprint': uniqueFingerprint() };
      const body = { email, password: PASSWORD };
      const { line, response } = await getLogLine(
        'auth-service',
        ['POST', `${kind.path}/sign-in`],
        headers,
        body,
      );
      expect(response.status).to.equal(200);
      expectCaller(line, { email, id, ...user }, response.body.session.id);
    });

    it(`logs user and session at each authenticated route of ${kind.plural}`, async () => {
      const { user, client, device } = await signIn(kind);
      const cookie = ({ refreshToken }: Device) => ({ Cookie: `${kind.refreshCookie}=${refreshToken}` });
      const me = await getLogLine('auth-service', ['GET', `${kind.path}/me`], accessHeaders(device));
      const refresh = await getLogLine(
        'auth-service',
        ['GET', `${kind.path}/refresh/token`],
        client.refreshHeaders(device),
      );
      const later = client.afterRefresh(device, refresh.response);
      const change = await getLogLine(
        'auth-service',
        ['POST', `${kind.path}/reset-password/me`],
        cookie(later),
        {
          currentPassword: PASSWORD,
          newPassword: 'Unmistakable horse 2',
        },
      );
      const signOut = await getLogLine(
        'auth-service',
        ['GET', `${kind.path}/sign-out`],
        accessHeaders(later),
      );
      for (const { line, response } of [me, refresh, change, signOut]) {
        expect(response.status).to.be.below(300);
        expectCaller(line, user, device.sessionId);
      }
    });
  }

  it('logs user and session at a route of the back-office', async () => {
    const { user, device } = await signIn(ADMINISTRATOR);
    const headers = { Authorization: `Bearer ${device.accessToken}` };
    const { line } = await getLogLine('admin-service', ['GET', '/api/v1/users/me'], headers);
    expectCaller(line, user, device.sessionId);
  });

  it('logs user and session at the queue dashboard, which a cookie authenticates', async () => {
    const { user, device } = await signIn(ADMINISTRATOR);
    const headers = { Authorization: `Bearer ${device.accessToken}` };
    const { response } = await getLogLine('admin-service', ['POST', `${QUEUES}/session`], headers);
    const [cookie] = parseSetCookies(response);
    const { line } = await getLogLine('admin-service', ['GET', `${QUEUES}/api/queues`], {
      Cookie: `${cookie?.name}=${cookie?.value}`,
    });
    expectCaller(line, user, device.sessionId);
  });

  it('logs the audit record of a password change and of a block, without details', async () => {
    const { user, client, device } = await signIn(CUSTOMER);
    const admin = await signIn(ADMINISTRATOR);
    const isAuditOf = (action: string) => (line: LogLine) =>
      line.msg === 'audit' && line['action'] === action && line['targetId'] === user.id;
    const passwords = { currentPassword: PASSWORD, newPassword: 'Unmistakable horse 2' };
    await getLogLine(
      'auth-service',
      ['POST', `${CUSTOMER.path}/reset-password/me`],
      client.refreshHeaders(device),
      passwords,
    );
    const change = await waitForLogLine(platform().running, 'auth-service', isAuditOf('PASSWORD_CHANGED'));
    const headers = { Authorization: `Bearer ${admin.device.accessToken}` };
    await getLogLine('admin-service', ['PATCH', `/api/v1/users/${user.id}/block`], headers);
    const block = await waitForLogLine(platform().running, 'admin-service', isAuditOf('USER_BLOCKED'));
    expect(change).to.include({ actorId: user.id, targetType: 'USER', address: '127.0.0.1' });
    expect(block).to.include({ actorId: admin.user.id, targetType: 'USER', address: '127.0.0.1' });
    for (const line of [change, block]) {
      expect(line).to.include.keys('requestId', 'time').and.not.to.have.property('details');
      expect(JSON.stringify(line)).not.to.include(user.email);
    }
  });

  it('logs neither user nor session of an unauthenticated request', async () => {
    const { email } = await platform().records.user(['CUSTOMER']);
    const headers = { 'X-Fingerprint': uniqueFingerprint() };
    const failed = await getLogLine('auth-service', ['POST', `${CUSTOMER.path}/sign-in`], headers, {
      email,
      password: 'another one',
    });
    const anonymous = await getLogLine('admin-service', ['GET', '/api/v1/users/me'], {});
    for (const { line, response } of [failed, anonymous]) {
      expect(response.status).to.equal(401);
      expect(line).not.to.have.any.keys('userId', 'sessionId');
    }
  });
});
