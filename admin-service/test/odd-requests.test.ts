import { expectError } from '@platform/shared/testing/responses';
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

  for (const [name, text] of [
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800b'],
    ['a lone low surrogate', '\udc00'],
  ] as const)
    it(`with ${name} in a text is 400 and names the field`, async () => {
      const id = await service().records.project();
      const edit = await admin().api.patch(`/projects/${id}`, { title: `Shop ${text}` });
      expectError(edit, 400, 'VALIDATION_FAILED', '/body/title');
      const support = { email: 'ada@example.com', subject: 'Help', message: text };
      const form = await service().api().post('/contact/support', support);
      expectError(form, 400, 'VALIDATION_FAILED', '/body/message');
    });

  it('with NUL in a query parameter is 400 and names the parameter', async () => {
    for (const [path, name] of [
      ['/users', 'search'],
      ['/projects', 'search'],
      ['/administrator/audit-log', 'targetId'],
    ])
      expectError(await admin().api.get(`${path}?${name}=a%00b`), 400, 'VALIDATION_FAILED', `/query/${name}`);
  });

  it('for the audit log may name a target of any characters', async () => {
    const { status } = await admin().api.get("/administrator/audit-log?targetId=it's+(not)+a+UUID:/?@!$*,;");
    expect(status).to.equal(200);
  });
});
