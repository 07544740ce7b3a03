import { randomBytes } from 'node:crypto';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ACCESS_SECRET, useAdminService } from '../test-admin-service.ts';

const OLD_SECRET = randomBytes(36).toString('base64url');

describe('access secret rotation', () => {
  const service = useAdminService({ JWT_ADMIN_ACCESS_SECRET_KEY_PREVIOUS: OLD_SECRET });

  for (const [which, secret] of [
    ['previous', OLD_SECRET],
    ['current', ACCESS_SECRET],
  ] as const)
    it(`accepts a token that was signed with the ${which} secret`, async () => {
      const { api, records } = service();
      const { id } = await records.user(['ADMIN']);
      const token = await records.registeredToken(id, { secret, platformRole: 'ADMIN' });
      expect((await api(token).get('/administrator/me')).status).to.equal(200);
      expect((await api(token).get('/users')).status).to.equal(200);
    });

  it('checks registration, expiry, role and block of tokens with the previous secret', async () => {
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

  it('returns 401 for a token with another secret', async () => {
    const { api, records } = service();
    const { id } = await records.user(['ADMIN']);
    const secret = randomBytes(36).toString('base64url');
    const token = await records.registeredToken(id, { secret, platformRole: 'ADMIN' });
    expectError(await api(token).get('/users'), 401, 'TOKEN_INVALID');
  });
});
