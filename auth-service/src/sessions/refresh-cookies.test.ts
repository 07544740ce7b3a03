import { setTimeout } from 'node:timers/promises';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

const NAME = CUSTOMER.refreshCookie;
const toCookies = (values: string[]): string => values.map((value) => `${NAME}=${value}`).join('; ');

describe('several refresh cookies of one name', () => {
  const service = useAuthService({ REFRESH_REUSE_LEEWAY_SECONDS: '0' });
  const client = () => service().as('customer');
  const openTwo = async (): Promise<[Device, Device]> => [
    await client().createDevice(),
    await client().createDevice(),
  ];
  const refresh = (device: Device, values: string[], headers: Record<string, string | undefined> = {}) =>
    client().refreshToken({ ...device, headers: { Cookie: toCookies(values), ...headers } });
  const read = (values: string[], headers: Record<string, string> = {}) =>
    send(service().url, 'GET', `${CUSTOMER.path}/session`, {
      headers: { Cookie: toCookies(values), ...headers },
    });
  const changePassword = (values: string[]) =>
    send(service().url, 'POST', `${CUSTOMER.path}/reset-password/me`, {
      headers: { Cookie: toCookies(values) },
      body: { currentPassword: PASSWORD, newPassword: `${PASSWORD} new` },
    });
  const flips = ([one, other]: [string, string]): string[][] => [
    [one, other],
    [other, one],
  ];

  it('count only if they verify, in any order, and equal ones count once', async () => {
    const [device, other] = await openTwo();
    const [header = '', payload = ''] = other.refreshToken.split('.');
    const ignored = [
      ...['', 'garbage', `${header}.${payload}.x`, other.accessToken, '%E0%A4%A', 'j:{}'],
      device.refreshToken,
    ];
    for (const value of ignored)
      for (const values of flips([device.refreshToken, value]))
        expect((await read(values)).body.session?.id, value).to.equal(device.sessionId);
    expect((await refresh(device, ['garbage', device.refreshToken])).status).to.equal(200);
  });

  it('of one session count as the current one, and revoke nothing', async () => {
    const device = await client().createDevice();
    const next = await client().refreshed(device);
    for (const values of flips([device.refreshToken, next.refreshToken]))
      expect((await read(values)).body.session?.id).to.equal(device.sessionId);
    expect((await refresh(device, [device.refreshToken, next.refreshToken])).status).to.equal(200);
  });

  it('from before the last sign-in do not count', async () => {
    const account = await client().createAccount();
    const old = await client().openDevice(account);
    const current = await client().openDevice(account, old.fingerprint);
    expect(current.sessionId).to.equal(old.sessionId);
    for (const values of flips([old.refreshToken, current.refreshToken]))
      expect((await read(values)).body.session?.id).to.equal(old.sessionId);
  });

  it('of two sessions: a refresh takes the one of the session that it names', async () => {
    const [device, planted] = await openTwo();
    const values = [planted.refreshToken, device.refreshToken];
    expectError(
      await refresh(device, values, { 'X-Session-Id': (await client().createDevice()).sessionId }),
      401,
      'SESSION_NOT_FOUND',
    );
    expectError(await refresh(device, values, { 'X-Session-Id': undefined }), 400, 'VALIDATION_FAILED');
    const response = await refresh(device, values);
    expect(response.status, response.text).to.equal(200);
    expect((await refresh(planted, [planted.refreshToken])).status).to.equal(200);
    // Both are used now, but a request that names no session revokes neither.
    expectError(await refresh(device, values, { 'X-Session-Id': undefined }), 400, 'VALIDATION_FAILED');
  });

  it('of two sessions: any other operation returns 401 TOKEN_INVALID', async () => {
    const [device, planted] = await openTwo();
    for (const values of flips([device.refreshToken, planted.refreshToken]))
      for (const response of [await read(values), await changePassword(values)]) {
        expectError(response, 401, 'TOKEN_INVALID');
        expect(response.headers).not.to.have.property('set-cookie');
      }
    expect((await changePassword([device.refreshToken])).status).to.equal(204);
  });

  it('of many sessions are found by one statement, so that nobody makes others wait', async () => {
    const account = await client().createAccount();
    const values: string[] = [];
    for (let index = 0; index < 12; index += 1)
      values.push((await client().openDevice(account)).refreshToken);
    const lock = await holdLock(service().databaseUrl, 'lock table token_records in access exclusive mode');
    const response = read(values);
    await lock.untilWaiting(1);
    // Further statements would have begun together with the first one.
    await Promise.race([response, setTimeout(500)]);
    expect(await lock.untilWaiting(1)).to.have.lengthOf(1);
    await lock.release();
    expectError(await response, 401, 'TOKEN_INVALID');
  });

  it('take precedence over the Authorization header unless they are empty', async () => {
    const [device, other] = await openTwo();
    const authorization = { Authorization: `Bearer ${other.refreshToken}` };
    expectError(await read(['garbage'], authorization), 401, 'TOKEN_INVALID');
    expect((await read([device.refreshToken], authorization)).body.session?.id).to.equal(device.sessionId);
    for (const values of [[''], ['', '']])
      expect((await read(values, authorization)).body.session?.id).to.equal(other.sessionId);
  });
});
