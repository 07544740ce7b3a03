import { expectError, expectNoTrailingSlashes, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdministrator, useAdminService } from './admin-service.ts';

describe('A path with a trailing slash at admin-service', () => {
  const service = useAdminService();
  const admin = useAdministrator(service);

  it('is 404 for every operation and every method', () =>
    expectNoTrailingSlashes(service().url, new URL(import.meta.resolve('@platform/openapi/admin.yaml'))));

  it('does not answer with the list when the id is empty', async () => {
    for (const path of ['/users/', '/projects/', '/administrator/teams/', '/administrator/audit-log/'])
      expectError(await admin().api.get(path), 404, 'ROUTE_NOT_FOUND');
  });

  it('is the same as /api/v1, for other methods too', async () => {
    expect((await send(service().url, 'GET', '/api/v1/')).status).to.equal(200);
    expectError(await send(service().url, 'PUT', '/api/v1/'), 405, 'METHOD_NOT_ALLOWED');
  });

  it('is the docs page all the same', async () => {
    for (const path of ['/api/v1/docs', '/api/v1/docs/'])
      expect((await fetch(service().url + path)).status).to.equal(200);
  });

  it('TRACE is 405 with the Allow of its path, and 404 on an unknown path', async () => {
    const known = await send(service().url, 'TRACE', '/api/v1/users');
    expectError(known, 405, 'METHOD_NOT_ALLOWED');
    expect(known.headers['allow']).to.equal('GET');
    expectError(await send(service().url, 'TRACE', '/api/v1/nowhere'), 404, 'ROUTE_NOT_FOUND');
  });
});
