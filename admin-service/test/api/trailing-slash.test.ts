import { expectError, expectNoTrailingSlashes, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdministrator, useAdminService } from '../test-admin-service.ts';

describe('trailing slash at admin-service', () => {
  const service = useAdminService();
  const admin = useAdministrator(service);

  it('returns 404 for every operation and every method', () =>
    expectNoTrailingSlashes(service().url, new URL(import.meta.resolve('@platform/openapi/admin.yaml'))));

  it('returns 404 instead of the list when the id is empty', async () => {
    for (const path of ['/users/', '/projects/', '/administrator/teams/', '/administrator/audit-log/'])
      expectError(await admin().api.get(path), 404, 'ROUTE_NOT_FOUND');
  });

  it('is accepted after /api/v1, for other methods too', async () => {
    expect((await send(service().url, 'GET', '/api/v1/')).status).to.equal(200);
    for (const path of ['/api/v1', '/api/v1/'])
      expectError(await send(service().url, 'PUT', path), 405, 'METHOD_NOT_ALLOWED');
  });

  it('is accepted after the docs page', async () => {
    for (const path of ['/api/v1/docs', '/api/v1/docs/'])
      expect((await fetch(service().url + path)).status).to.equal(200);
  });

  it('TRACE returns 405 with Allow, and 404 on an unknown path', async () => {
    const known = await send(service().url, 'TRACE', '/api/v1/users');
    expectError(known, 405, 'METHOD_NOT_ALLOWED');
    expect(known.headers['allow']).to.equal('GET');
    expectError(await send(service().url, 'TRACE', '/api/v1/nowhere'), 404, 'ROUTE_NOT_FOUND');
  });
});
