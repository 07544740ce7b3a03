import { expectError } from '@platform/shared/testing/answers';
import { expect } from 'chai';
import { useAdministrator, useAdminService } from './admin-service.ts';

/** Texts that become a number which is not finite. */
const INFINITE = ['1e400', '-1e400', 'Infinity', '-Infinity', '9'.repeat(400)];

describe('An odd request', () => {
  const service = useAdminService();
  const admin = useAdministrator(service);

  for (const path of ['/users', '/projects', '/administrator/teams', '/administrator/audit-log'])
    for (const name of ['page', 'perPage'])
      it(`for ${path} with a ${name} beyond all numbers breaks the contract`, async () => {
        for (const value of INFINITE) {
          const answer = await admin().api.get(`${path}?${name}=${value}`);
          expectError(answer, 400, 'VALIDATION_FAILED', `/query/${name}`);
        }
      });

  it('that has the answer already, as it says, is answered nevertheless', async () => {
    for (const name of ['If-None-Match', 'If-Modified-Since']) {
      const value = name === 'If-None-Match' ? '*' : new Date().toUTCString();
      const { status, body } = await admin().api.get('/users/me', undefined, { [name]: value });
      expect({ status, id: body.id }).to.deep.equal({ status: 200, id: admin().id });
    }
  });

  it('for the audit log may name a target of any characters', async () => {
    const { status } = await admin().api.get("/administrator/audit-log?targetId=it's+(not)+a+UUID:/?@!$*,;");
    expect(status).to.equal(200);
  });
});
