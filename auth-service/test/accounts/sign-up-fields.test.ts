import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../auth-service.ts';

const longEmail = (length: number): string => {
  const domain = `${'d'.repeat(60)}.example.com`;
  return `${uniqueEmail().split('@')[0]}`.padEnd(length - domain.length - 1, 'x').concat('@', domain);
};

const accepted: [string, () => object][] = [
  ['an e-mail of 254 characters', () => ({ email: longEmail(254) })],
  ['an e-mail with a plus sign and an apostrophe', () => ({ email: `o'neill+tag-${uniqueEmail()}` })],
  ['a first name of 100 characters of four bytes each', () => ({ firstName: '😀'.repeat(100) })],
  ['spaces around a first name', () => ({ firstName: ' Ada ' })],
  ['a last name of one character', () => ({ lastName: 'Ж' })],
  ['a phone of 32 characters', () => ({ phone: '1'.repeat(32) })],
];

const rejected: [string, object, string][] = [
  ['no e-mail', { email: undefined }, '/body/email'],
  ['an e-mail without @', { email: 'ada.example.com' }, '/body/email'],
  ['an e-mail with a space', { email: 'ada @example.com' }, '/body/email'],
  ['an e-mail of two addresses', { email: 'a@example.com,b@example.com' }, '/body/email'],
  ['an e-mail with a line break', { email: 'ada@example.com\nBcc: eve@example.com' }, '/body/email'],
  ['an e-mail of 255 characters', { email: longEmail(255) }, '/body/email'],
  ['a list as e-mail', { email: ['ada@example.com'] }, '/body/email'],
  ['an object as e-mail', { email: { toString: 'ada@example.com' } }, '/body/email'],
  ['no password', { password: undefined }, '/body/password'],
  ['a list as password', { password: ['Correct horse 1'] }, '/body/password'],
  ['an empty first name', { firstName: '' }, '/body/firstName'],
  ['a first name of 101 characters', { firstName: 'x'.repeat(101) }, '/body/firstName'],
  ['an empty last name', { lastName: '' }, '/body/lastName'],
  ['a last name of 101 characters', { lastName: 'x'.repeat(101) }, '/body/lastName'],
  ['an empty phone', { phone: '' }, '/body/phone'],
  ['a phone of 33 characters', { phone: '1'.repeat(33) }, '/body/phone'],
  ...['firstName', 'lastName', 'phone'].map((field): [string, object, string] => [
    `${field} without a visible character`,
    { [field]: ' \u200b\t\u3164' },
    `/body/${field}`,
  ]),
  ...['email', 'password', 'firstName', 'lastName', 'phone'].map((field): [string, object, string] => [
    `null as ${field}`,
    { [field]: null },
    `/body/${field}`,
  ]),
  ...['password', 'firstName', 'lastName', 'phone'].map((field): [string, object, string] => [
    `NUL within ${field}`,
    { [field]: 'before\0after' },
    `/body/${field}`,
  ]),
  ...['password', 'firstName', 'lastName', 'phone'].map((field): [string, object, string] => [
    `a lone surrogate within ${field}`,
    { [field]: 'before \ud83d after' },
    `/body/${field}`,
  ]),
];

describe('sign-up fields', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const valid = (fields: object) => ({ email: uniqueEmail(), password: PASSWORD, ...fields });

      for (const [name, fields] of accepted)
        it(`accepts ${name}`, async () => {
          const body = valid(fields());
          const response = await client().signUp(body);
          expect(response.status, response.text).to.equal(201);
          const { email, password: _password, ...profile } = body as Record<string, unknown>;
          expect(response.body.user.email).to.equal(email);
          expect(response.body.profile).to.include(profile);
        });

      for (const [name, fields, path] of rejected)
        it(`rejects ${name}`, async () => {
          expectError(await client().signUp(valid(fields)), 400, 'VALIDATION_FAILED', path);
        });

      it('returns all invalid fields', async () => {
        const response = await client().signUp({ email: 'ada', password: 'short', phone: '' });
        expectError(response, 400, 'VALIDATION_FAILED', '/body/email', '/body/password', '/body/phone');
      });

      it('stores nothing for an invalid request: the e-mail is still available', async () => {
        const email = uniqueEmail();
        await client().signUp({ email, password: PASSWORD, phone: '1'.repeat(33) });
        await client().createAccount({ email });
      });

      it('converts scalars to the declared type', async () => {
        const email = uniqueEmail();
        const { status, body } = await client().signUp({
          email,
          password: 1234567890,
          firstName: true,
          phone: 4420794609,
        });
        expect(status).to.equal(201);
        expect(body.profile).to.include({ firstName: 'true', phone: '4420794609' });
        await client().openDevice({ email, password: '1234567890' });
        expect((await client().signIn({ email, password: 1234567890 }, 'device')).status).to.equal(200);
      });
    });
});
