import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import request from 'supertest';
import { useAuthService } from '../testing/auth-service.ts';

type Rule = { rule: string; params?: object };
type Case = [field: string, value: unknown, expected: Rule];

const cases: Case[] = [
  ['email', undefined, { rule: 'required', params: { missingProperty: 'email' } }],
  ['email', 'ada', { rule: 'format', params: { format: 'email' } }],
  ['email', `${'a'.repeat(250)}@example.com`, { rule: 'maxLength', params: { limit: 254 } }],
  ['email', ['ada@example.com', 'eve@example.com'], { rule: 'type', params: { type: ['string'] } }],
  ['password', 'short', { rule: 'minLength', params: { limit: 8 } }],
  ['password', 'ä'.repeat(60), { rule: 'max-bytes', params: { limit: 72 } }],
  ['firstName', '\u200b ', { rule: 'blank' }],
  ['firstName', 'a\u2028b', { rule: 'control-character' }],
  ['lastName', 'a\u2029b', { rule: 'control-character' }],
  ['firstName', 'a\u202eb', { rule: 'control-character' }],
  ['phone', '+44 20\r\n7946', { rule: 'control-character' }],
  ['firstName', null, { rule: 'not-null' }],
  ['firstName', 'a\0', { rule: 'unstorable' }],
];

describe('details of a validation error', () => {
  const service = useAuthService();

  for (const [field, value, expected] of cases)
    it(`name the rule ${expected.rule} of ${field} ${JSON.stringify(value)?.slice(0, 20)}`, async () => {
      const body = { email: uniqueEmail(), password: PASSWORD, [field]: value };
      const response = await send(service().url, 'POST', '/api/v1/customers/auth/sign-up', { body });
      const details: { path: string; message: string }[] = response.body.details;
      const found = details.map(({ message: _message, ...detail }) => detail);
      expect(found).to.deep.include({ path: `/body/${field}`, ...expected });
    });

  it('are explained on a page, like every error code', async () => {
    const page = (await request(service().url).get('/api/errors.html')).text;
    const { components } = (await request(service().url).get('/api/openapi.json')).body;
    for (const schema of ['ErrorCode', 'ErrorRule'])
      for (const name of components.schemas[schema]['x-known-values'])
        expect(page).to.match(
          new RegExp(`<tr id="${name}"><th scope="row"><code>${name}</code></th><td[^>]*>\\w`),
        );
  });

  it('name the blank text before its length, since clients show the first of a field', async () => {
    const { url } = service();
    const body = { email: 'ada@example.com', password: 'a long passphrase 42', firstName: '' };
    const response = await request(url).post('/api/v1/customers/auth/sign-up').send(body);
    expect(response.body.details.map(({ rule }: Rule) => rule)).to.deep.equal(['blank', 'minLength']);
  });
});
