import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { expectError, expectNoTrailingSlashes, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { createAccountOfKind, useAuthService } from '../auth-service.ts';

describe('trailing slash at auth-service', () => {
  const service = useAuthService();

  it('returns 404 for every operation and every method', () =>
    expectNoTrailingSlashes(service().url, new URL(import.meta.resolve('@platform/openapi/auth.yaml'))));

  it('does not end the other sessions when the session id is empty', async () => {
    const client = service().client(CUSTOMER);
    const account = await createAccountOfKind(service(), CUSTOMER);
    const [mine, other] = [await client.openDevice(account), await client.openDevice(account)];
    const headers = { Authorization: `Bearer ${mine.accessToken}` };
    const response = await send(service().url, 'DELETE', `${CUSTOMER.path}/sessions/`, { headers });
    expectError(response, 404, 'ROUTE_NOT_FOUND');
    expect((await client.me(other)).status).to.equal(200);
  });

  it('returns 405 for TRACE with the Allow of its path, and 404 on an unknown path', async () => {
    const known = await send(service().url, 'TRACE', `${CUSTOMER.path}/sessions`);
    expectError(known, 405, 'METHOD_NOT_ALLOWED');
    expect(known.headers['allow']?.split(', ')).to.have.members(['GET', 'DELETE']);
    expectError(await send(service().url, 'TRACE', '/api/v1/nowhere'), 404, 'ROUTE_NOT_FOUND');
  });
});
