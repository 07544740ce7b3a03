import { randomUUID } from 'node:crypto';
import {
  type AccountKind,
  ADMINISTRATOR,
  accessHeaders,
  CUSTOMER,
  createAuthClient,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { createHttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import type { UserRecord } from '@platform/shared/testing/records';
import type { RequestOptions } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { type LogLine, type ServiceName, waitForLogLine } from './service-logs.ts';
import { usePlatform } from './use-platform.ts';

const toRefreshHeaders = ({ refreshCookie }: AccountKind, device: Device) => ({
  ...accessHeaders(device),
  Authorization: undefined,
  Cookie: `${refreshCookie}=${device.refreshToken}`,
});

describe('access log', () => {
  const platform = usePlatform();

  /** Sends a request, and returns its line in the log of the service. */
  const getLogLine = async (
    service: ServiceName,
    method: string,
    path: string,
    { headers, body }: RequestOptions = {},
  ): Promise<{ line: LogLine; response: HttpResponse }> => {
    const requestId = randomUUID();
    const response = await createHttpClient(platform().gatewayUrl).send({
      method,
      path,
      body,
      headers: { ...(headers as Record<string, string>), 'X-Request-Id': requestId },
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

  for (const kind of [CUSTOMER, ADMINISTRATOR])
    it(`names user and session at the sign-in and each authenticated route of ${kind.plural}`, async () => {
      const { user, client, device } = await signIn(kind);
      const { email, password } = user;
      const send = (method: string, route: string, options: RequestOptions) =>
        getLogLine('auth-service', method, kind.path + route, options);
      const signedIn = await send('POST', '/sign-in', {
        headers: { 'X-Fingerprint': device.fingerprint },
        body: { email, password },
      });
      const first = client.toDevice(signedIn.response);
      const me = await send('GET', '/me', { headers: accessHeaders(first) });
      const refresh = await send('GET', '/refresh/token', { headers: toRefreshHeaders(kind, first) });
      const later = client.afterRefresh(first, refresh.response);
      const change = await send('POST', '/reset-password/me', {
        headers: toRefreshHeaders(kind, later),
        body: { currentPassword: password, newPassword: 'Unmistakable horse 2' },
      });
      const signOut = await send('GET', '/sign-out', { headers: accessHeaders(later) });
      for (const { line, response } of [signedIn, me, refresh, change, signOut]) {
        expect(response.status).to.be.below(300);
        expectCaller(line, user, device.sessionId);
      }
    });

  it('names user and session at the back office', async () => {
    const { user, device } = await signIn(ADMINISTRATOR);
    const headers = { Authorization: `Bearer ${device.accessToken}` };
    const me = await getLogLine('admin-service', 'GET', '/api/v1/users/me', { headers });
    expectCaller(me.line, user, device.sessionId);
  });

  it('logs the audit record of a password change and of a block, without details', async () => {
    const { user, client, device } = await signIn(CUSTOMER);
    const admin = await signIn(ADMINISTRATOR);
    const isAuditOf = (action: string) => (line: LogLine) =>
      line.msg === 'audit' && line['action'] === action && line['targetId'] === user.id;
    const passwords = { currentPassword: PASSWORD, newPassword: 'Unmistakable horse 2' };
    await client.resetPasswordMe({ ...device, body: passwords });
    const change = await waitForLogLine(platform().running, 'auth-service', isAuditOf('PASSWORD_CHANGED'));
    const headers = { Authorization: `Bearer ${admin.device.accessToken}` };
    await getLogLine('admin-service', 'PATCH', `/api/v1/users/${user.id}/block`, { headers });
    const block = await waitForLogLine(platform().running, 'admin-service', isAuditOf('USER_BLOCKED'));
    expect(change).to.include({ actorId: user.id, targetType: 'USER', address: '127.0.0.1' });
    expect(block).to.include({ actorId: admin.user.id, targetType: 'USER', address: '127.0.0.1' });
    for (const line of [change, block]) {
      expect(line).to.include.keys('requestId', 'time').and.not.to.have.property('details');
      expect(JSON.stringify(line)).not.to.include(user.email);
    }
  });

  it('names neither user nor session of an unauthenticated request', async () => {
    const { email } = await platform().records.user(['CUSTOMER']);
    const failed = await getLogLine('auth-service', 'POST', `${CUSTOMER.path}/sign-in`, {
      headers: { 'X-Fingerprint': uniqueFingerprint() },
      body: { email, password: 'another one' },
    });
    const anonymous = await getLogLine('admin-service', 'GET', '/api/v1/users/me');
    for (const { line, response } of [failed, anonymous]) {
      expect(response.status).to.equal(401);
      expect(line).not.to.have.any.keys('userId', 'sessionId');
    }
  });
});
