import { randomBytes } from 'node:crypto';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ACCESS_SECRET, useAdminService } from './admin-service.ts';

const OLD_SECRET = randomBytes(36).toString('base64url');

describe('When the secret of the access tokens is replaced', () => {
  const service = useAdminService({ JWT_ADMIN_ACCESS_SECRET_KEY_PREVIOUS: OLD_SECRET });

  for (const [when, secret] of [
    ['before', OLD_SECRET],
    ['since', ACCESS_SECRET],
  ] as const)
    it(`Then a token that was signed ${when} is good`, async () => {
      const { api, records } = service();
      const { id } = await records.user(['ADMIN']);
      const token = await records.registeredToken(id, { secret, platformRole: 'ADMIN' });
      expect((await api(token).get('/administrator/me')).status).to.equal(200);
      expect((await api(token).get('/users')).status).to.equal(200);
    });

  it('Then a token that was signed before is judged as strictly: its registration, its end, its role', async () => {
    const { api, records } = service();
    const { id } = await records.user(['ADMIN']);
    const fields = { secret: OLD_SECRET, platformRole: 'ADMIN' };
    expectError(await api(records.unregisteredToken(id, fields)).get('/users'), 401, 'TOKEN_INVALID');
    const expired = await records.registeredToken(id, { ...fields, lifetimeSeconds: -1 });
    expectError(await api(expired).get('/users'), 401, 'TOKEN_INVALID');
    const operator = await records.registeredToken(id, { ...fields, platformRole: 'OPERATOR' });
    expectError(await api(operator).get('/users'), 403, 'WORKSPACE_FORBIDDEN');
    await records.block(id);
    const blocked = await records.registeredToken(id, fields);
    expectError(await api(blocked).get('/users'), 401, 'USER_BLOCKED');
  });

  it('Then a secret that is neither signs nothing', async () => {
    const { api, records } = service();
    const { id } = await records.user(['ADMIN']);
    const secret = randomBytes(36).toString('base64url');
    const token = await records.registeredToken(id, { secret, platformRole: 'ADMIN' });
    expectError(await api(token).get('/users'), 401, 'TOKEN_INVALID');
  });
});
