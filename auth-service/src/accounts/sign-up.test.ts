import { ACCOUNT_KINDS, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { describeEachKind, useAuthService } from '../../testing/auth-service.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('sign-up', () => {
  const service = useAuthService();

  describeEachKind(ACCOUNT_KINDS, service, (client, kind) => {
    it('returns the new user and the profile', async () => {
      const email = uniqueEmail();
      const names = { firstName: 'Ada', lastName: 'Lovelace', phone: '+44 20 7946 0958' };
      const response = await client().signUp({ body: { email, password: PASSWORD, ...names } });
      const { status, body } = response;

      expect(status).to.equal(201);
      expect(body).to.have.all.keys('user', 'profile');
      expect(parseSetCookies(response)).to.deep.equal([]);
      const { id, createdAt, ...user } = body.user;
      expect(id).to.match(UUID);
      expect(createdAt).to.match(UTC);
      const profileId = body.profile.id;
      expect(user).to.deep.equal({
        email,
        isEmailVerified: false,
        roles: [kind.role],
        [kind.profileLink]: profileId,
      });
      const { createdAt: since, updatedAt, ...profile } = body.profile;
      expect(profileId).to.match(UUID);
      expect([since, updatedAt]).to.satisfy((times: string[]) => times.every((time) => UTC.test(time)));
      expect(profile).to.include({ id: profileId, userId: id, ...names });
    });
  });

  const client = () => service().as('customer');

  it('stores the e-mail in lower case and accepts any letter case at sign-in', async () => {
    const email = uniqueEmail();
    const { body } = await client().signUp({ body: { email: email.toUpperCase(), password: PASSWORD } });
    expect(body.user.email).to.equal(email);
    expect(body.profile).to.include({ firstName: null, lastName: null, phone: null });
    for (const typed of [email, email.toUpperCase(), email.replace('user', 'User')])
      await client().openDevice({ email: typed, password: PASSWORD });
  });

  it('returns 409 for an existing e-mail in any letter case, and keeps its password', async () => {
    const account = await client().createAccount();
    const password = 'Something else 3';
    for (const email of [account.email, account.email.toUpperCase()])
      expectError(await client().signUp({ body: { email, password } }), 409, 'EMAIL_TAKEN');
    await client().openDevice(account);
  });

  it('returns 409 for an e-mail of another kind, which cannot sign in as this one', async () => {
    const other = EMPLOYEE;
    const account = await service().as(other).createAccount();
    expectError(await client().signUp({ body: { ...account } }), 409, 'EMAIL_TAKEN');
    await client().expectNoSignIn({ ...account });
    await service().as(other).openDevice(account);
  });

  it('succeeds for one of ten concurrent requests with the same e-mail', async () => {
    const email = uniqueEmail();
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        client().signUp({ body: { email: n % 2 ? email : email.toUpperCase(), password: PASSWORD } }),
      ),
    );
    const created = responses.filter(({ status }) => status === 201);
    expect(created).to.have.length(1);
    for (const response of responses)
      if (!created.includes(response)) expectError(response, 409, 'EMAIL_TAKEN');
  });

  it('drops undeclared fields, so that nobody can become an administrator', async () => {
    const email = uniqueEmail();
    const undeclared =
      '"roles":["ADMIN"],"platformRole":"ADMIN","isEmailVerified":true,"isBlocked":true,' +
      '"id":"11111111-1111-4111-8111-111111111111","__proto__":{"roles":["ADMIN"]},"constructor":{"x":1}';
    const { status, body } = await client().signUp({
      body: {
        email,
        password: PASSWORD,
        ...JSON.parse(`{${undeclared}}`),
      },
    });
    expect(status).to.equal(201);
    const device = await client().openDevice({ email, password: PASSWORD });
    const { user } = (await client().me(device)).body;
    expect(user).to.deep.equal(body.user);
    expect(user.roles).to.deep.equal([CUSTOMER.role]);
    expect(user.isEmailVerified).to.equal(false);
    expect(user.id).not.to.match(/^1{8}/);
  });
});

/** With 64 characters before the `@`. */
const longEmail = (length: number): string => {
  const local = `${uniqueEmail().split('@')[0]}`.padEnd(64, 'x');
  return `${local}@${'d.'.repeat(length)}`.slice(0, length - 1).concat('e');
};

const accepted: [string, () => object][] = [
  ['an e-mail of 254 characters', () => ({ email: longEmail(254) })],
  ['an e-mail with a plus sign and an apostrophe', () => ({ email: `o'neill+tag-${uniqueEmail()}` })],
  ['a first name of 100 characters of four bytes each', () => ({ firstName: '😀'.repeat(100) })],
  ['a last name of one character', () => ({ lastName: 'Ж' })],
  ['a phone of 32 characters', () => ({ phone: '1'.repeat(32) })],
];

const rejected: [string, object, string][] = [
  ['no e-mail', { email: undefined }, '/body/email'],
  ['an e-mail without @', { email: 'ada.example.com' }, '/body/email'],
  ['an e-mail of two addresses', { email: 'a@example.com,b@example.com' }, '/body/email'],
  ['an e-mail with a line break', { email: 'ada@example.com\nBcc: eve@example.com' }, '/body/email'],
  ['an e-mail of 255 characters', { email: longEmail(255) }, '/body/email'],
  ['an object as e-mail', { email: { toString: 'ada@example.com' } }, '/body/email'],
  ['a password of 7 characters', { password: '1234567' }, '/body/password'],
  ['a password of 4 characters that JavaScript counts as 8', { password: '😀'.repeat(4) }, '/body/password'],
  ['a password of 73 bytes', { password: `${'€'.repeat(24)}x` }, '/body/password'],
  ['an address with 65 characters before the @', { email: `${'a'.repeat(65)}@example.com` }, '/body/email'],
  ['an empty first name', { firstName: '' }, '/body/firstName'],
  ['a first name of 101 characters', { firstName: 'x'.repeat(101) }, '/body/firstName'],
  ['an empty phone', { phone: '' }, '/body/phone'],
  ['a phone of 33 characters', { phone: '1'.repeat(33) }, '/body/phone'],
  ...['firstName', 'lastName', 'phone'].map((field): [string, object, string] => [
    `${field} without a visible character`,
    { [field]: ' \u200b\t\u3164' },
    `/body/${field}`,
  ]),
  ...['firstName', 'lastName', 'phone'].flatMap((field): [string, object, string][] => [
    [`a line break within ${field}`, { [field]: 'before\nafter' }, `/body/${field}`],
    [`a change of direction within ${field}`, { [field]: 'before\u202eafter' }, `/body/${field}`],
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
  ['a lone surrogate within a name', { firstName: 'before \ud83d after' }, '/body/firstName'],
];

describe('sign-up fields', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const valid = (fields: object) => ({ email: uniqueEmail(), password: PASSWORD, ...fields });

  for (const [name, fields] of accepted)
    it(`accepts ${name}`, async () => {
      const body = valid(fields());
      const response = await client().signUp({ body });
      expect(response.status, response.text).to.equal(201);
      const { email, password: _password, ...profile } = body as Record<string, unknown>;
      expect(response.body.user.email).to.equal(email);
      expect(response.body.profile).to.include(profile);
    });

  for (const [name, fields, path] of rejected)
    it(`rejects ${name}`, async () => {
      expectError(await client().signUp({ body: valid(fields) }), 400, 'VALIDATION_FAILED', path);
    });

  it('trims names and phone, and counts their length then', async () => {
    const [firstName, lastName, phone] = [`\u00a0${'x'.repeat(100)} `, 'Love\u200blace\t', ' +44 20 '];
    const { body } = await client().signUp({ body: valid({ firstName, lastName, phone }) });
    expect(body.profile).to.include({ firstName: 'x'.repeat(100), lastName: 'Lovelace', phone: '+44 20' });
  });

  it('returns all invalid fields', async () => {
    const response = await client().signUp({ body: { email: 'ada', password: 'short', phone: '' } });
    expectError(response, 400, 'VALIDATION_FAILED', '/body/email', '/body/password', '/body/phone');
  });

  it('converts scalars to the declared type', async () => {
    const email = uniqueEmail();
    const { status, body } = await client().signUp({
      body: {
        email,
        password: 1234567890,
        firstName: true,
        phone: 4420794609,
      },
    });
    expect(status).to.equal(201);
    expect(body.profile).to.include({ firstName: 'true', phone: '4420794609' });
    await client().openDevice({ email, password: '1234567890' });
    expect(
      (await client().signIn({ fingerprint: 'device', body: { email, password: 1234567890 } })).status,
    ).to.equal(200);
  });
});
