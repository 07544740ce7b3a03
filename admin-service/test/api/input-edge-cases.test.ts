import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdministrator, useAdminService } from '../test-admin-service.ts';

/** Strings that parse to non-finite numbers. */
const NON_FINITE = ['1e400', '-1e400', 'Infinity', '-Infinity', '9'.repeat(400)];

describe('input edge cases', () => {
  const service = useAdminService();
  const admin = useAdministrator(service);

  for (const path of ['/users', '/projects', '/administrator/teams', '/administrator/audit-log'])
    for (const name of ['page', 'perPage'])
      it(`returns 400 for a non-finite ${name} of ${path}`, async () => {
        for (const value of NON_FINITE) {
          const response = await admin().api.get(`${path}?${name}=${value}`);
          expectError(response, 400, 'VALIDATION_FAILED', `/query/${name}`);
        }
      });

  it('returns 200 with a body for conditional requests', async () => {
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
    it(`returns 400 with the name of a field that contains ${name}`, async () => {
      const id = await service().records.project();
      const edit = await admin().api.patch(`/projects/${id}`, { title: `Shop ${text}` });
      expectError(edit, 400, 'VALIDATION_FAILED', '/body/title');
      const support = { email: 'ada@example.com', subject: 'Help', message: text };
      const form = await service().api().post('/contact/support', support);
      expectError(form, 400, 'VALIDATION_FAILED', '/body/message');
    });

  it('returns 400 with the name of a query parameter that contains NUL', async () => {
    for (const [path, name] of [
      ['/users', 'search'],
      ['/projects', 'search'],
      ['/administrator/audit-log', 'targetId'],
    ])
      expectError(await admin().api.get(`${path}?${name}=a%00b`), 400, 'VALIDATION_FAILED', `/query/${name}`);
  });

  it('accepts any characters in targetId of the audit log', async () => {
    const { status } = await admin().api.get("/administrator/audit-log?targetId=it's+(not)+a+UUID:/?@!$*,;");
    expect(status).to.equal(200);
  });
});
