import { expect } from 'chai';
import { compileSnippets, readExamples } from './compile-snippets.ts';

const CLIENTS = `
import { createPlatformClient, isPlatformError } from '@platform/client';
import { completeSignIn, confirmEmailChange, deleteAccount, removeTotp } from '@platform/client/account';
import * as oidc from '@platform/client/oidc';
import { confirmWithPasskey } from '@platform/client/passkeys';
import type { AdministratorUser, AdminUser, AuditRecord, CustomerUser, Project, TeamDetail } from '@platform/client';
const gatewayUrl = 'https://api.example.com';
const customer = createPlatformClient({ gatewayUrl, kind: 'customer' });
const administrator = createPlatformClient({ gatewayUrl, kind: 'administrator' });
const credentials = { email: 'ada@example.com', password: 'Correct horse 1' };
const page = async () => await administrator.GET('/users', { params: { query: { page: 1 } } });
const me = async () => await customer.GET('/customers/auth/me');
const error: unknown = undefined;
const [currentPassword, totpCode, recoveryCode] = ['Correct horse 1', '042917', 'k3v7'];
const id = '5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11';
`;

/** A valid call, the same call with one mistake, and the expected compiler error. */
const CALLS: Record<string, { valid: string; invalid: string; error: RegExp }> = {
  'a wrong field of a sign-in': {
    valid: `customer.signIn({ email: 'ada@example.com', password: 'Correct horse 1' });`,
    invalid: `customer.signIn({ email: 'ada@example.com', passwort: 'Correct horse 1' });`,
    error: /passwort/,
  },
  'a missing field': {
    valid: `customer.POST('/contact/support', { body: { email: 'a@b.c', subject: 's', message: 'm' } });`,
    invalid: `customer.POST('/contact/support', { body: { email: 'a@b.c', subject: 's' } });`,
    error: /message/,
  },
  'a missing body': {
    valid: `customer.POST('/customers/auth/verification/email/code/check', { body: { code: '123456' } });`,
    invalid: `customer.POST('/customers/auth/verification/email/code/check');`,
    error: /Expected 2 arguments/,
  },
  'a path that does not exist': {
    valid: `customer.GET('/customers/auth/sessions');`,
    invalid: `customer.GET('/customers/auth/sesions');`,
    error: /"\/customers\/auth\/sesions"/,
  },
  'a path of another kind': {
    valid: `customer.GET('/auth/me');`,
    invalid: `customer.GET('/employees/auth/me');`,
    error: /"\/employees\/auth\/me"/,
  },
  'a back-office path for a customer': {
    valid: `administrator.GET('/users');`,
    invalid: `customer.GET('/users');`,
    error: /"\/users"/,
  },
  'a sign-in by POST instead of signIn()': {
    valid: `customer.signIn(credentials);`,
    invalid: `customer.POST('/customers/auth/sign-in', { body: credentials });`,
    error: /sign-in/,
  },
  'a path parameter of another name': {
    valid: `administrator.GET('/administrator/teams/{teamId}', { params: { path: { teamId: id } } });`,
    invalid: `administrator.GET('/administrator/teams/{teamId}', { params: { path: { id } } });`,
    error: /teamId/,
  },
  'a misspelt query parameter': {
    valid: `administrator.GET('/users', { params: { query: { page: 2, perPage: 50 } } });`,
    invalid: `administrator.GET('/users', { params: { query: { page: 2, perpage: 50 } } });`,
    error: /perpage/,
  },
  'a value that is not in the enum': {
    valid: `administrator.GET('/users', { params: { query: { role: 'EMPLOYEE' } } });`,
    invalid: `administrator.GET('/users', { params: { query: { role: 'EMPLOYER' } } });`,
    error: /EMPLOYER/,
  },
  'a field that the response does not have': {
    valid: `(await page()).data[0]?.isBlocked;`,
    invalid: `(await page()).data[0]?.blocked;`,
    error: /blocked/,
  },
  'a nullable field without a null check': {
    valid: `(await me()).profile.firstName?.length;`,
    invalid: `(await me()).profile.firstName.length;`,
    error: /null/,
  },
  'the access token of a sign-in': {
    valid: `(await customer.signIn(credentials)).user.customerId;`,
    invalid: `(await customer.signIn(credentials)).token;`,
    error: /token/,
  },
  'a code that does not exist': {
    valid: `isPlatformError(error, 'EMAIL_TAKEN', 'GATEWAY_UNREACHABLE');`,
    invalid: `isPlatformError(error, 'EMAIL_TAKEN', 'GATEWAY_UNREACHED');`,
    error: /GATEWAY_UNREACHED/,
  },
  'a code that this error cannot have': {
    valid: `if (isPlatformError(error, 'EMAIL_TAKEN')) error.code === 'EMAIL_TAKEN';`,
    invalid: `if (isPlatformError(error, 'EMAIL_TAKEN')) error.code === 'USER_BLOCKED';`,
    error: /no overlap/,
  },
  'a field of another kind of user': {
    valid: `const role = (user: AdministratorUser) => user.platformRole;`,
    invalid: `const role = (user: CustomerUser) => user.platformRole;`,
    error: /platformRole/,
  },
  'the user of a session that may have ended': {
    valid: `const session = customer.getSnapshot(); if (session.status === 'signed-in') session.user.customerId;`,
    invalid: `const session = customer.getSnapshot(); session.user.customerId;`,
    error: /undefined/,
  },
  'a wrong argument of a named call': {
    valid: `customer.resetPassword({ email: 'a@b.c', code: '123456', newPassword: 'Battery staple 2' });`,
    invalid: `customer.resetPassword({ email: 'a@b.c', newPassword: 'Battery staple 2' });`,
    error: /code/,
  },
  'a signal of another type': {
    valid: `customer.me({ signal: undefined }); administrator.GET('/users', { signal: undefined });`,
    invalid: `customer.me({ signal: 5_000 });`,
    error: /number/,
  },
  'a field that a named type does not have': {
    valid: `const read = (a: AdminUser, b: Project, c: TeamDetail, d: AuditRecord) => [a.isBlocked, b.title, c.members, d.action];`,
    invalid: `const read = (a: AdminUser) => a.password;`,
    error: /password/,
  },
  'the challenge of an error without a second step': {
    valid: `if (isPlatformError(error, 'SECOND_FACTOR_REQUIRED')) completeSignIn(customer, { challenge: error.challenge, totpCode });`,
    invalid: `if (isPlatformError(error, 'EMAIL_TAKEN')) completeSignIn(customer, { challenge: error.challenge, totpCode });`,
    error: /undefined/,
  },
  'a second step without a factor': {
    valid: `completeSignIn(customer, { challenge: 'c', recoveryCode });`,
    invalid: `completeSignIn(customer, { challenge: 'c' });`,
    error: /passkey|Code/,
  },
  'a second step by POST instead of completeSignIn()': {
    valid: `customer.POST('/customers/auth/sign-in/second-factor/options', { body: { challenge: 'c' } });`,
    invalid: `customer.POST('/customers/auth/sign-in/second-factor', { body: { challenge: 'c', totpCode } });`,
    error: /second-factor/,
  },
  'a sign-in with a provider by POST instead of completeSignIn()': {
    valid: `oidc.completeSignIn(customer, 'https://app.example.com/callback').then(({ user }) => user.customerId);`,
    invalid: `customer.POST('/customers/auth/oidc/{provider}/sign-in', { params: { path: { provider: 'company' } }, body: { callbackUrl: '' } });`,
    error: /sign-in/,
  },
  'a link without a redirect URI': {
    valid: `oidc.linkIdentity(customer, 'company', { redirectUri: gatewayUrl }); oidc.linkIdentity(customer, 'company', { redirectUri: gatewayUrl, totpCode });`,
    invalid: `oidc.linkIdentity(customer, 'company', { currentPassword });`,
    error: /redirectUri/,
  },
  'a deletion by POST instead of deleteAccount()': {
    valid: `deleteAccount(customer, { currentPassword });`,
    invalid: `customer.POST('/customers/auth/account/delete', { body: { currentPassword } });`,
    error: /account\/delete/,
  },
  'two factors at once': {
    valid: `removeTotp(administrator, { currentPassword, totpCode });`,
    invalid: `removeTotp(administrator, { currentPassword, totpCode, recoveryCode });`,
    error: /undefined|never/,
  },
  'a misspelt password of a confirmation': {
    valid: `confirmWithPasskey(customer).then((proof) => removeTotp(customer, { currentPassword, ...proof }));`,
    invalid: `confirmWithPasskey(customer).then((proof) => removeTotp(customer, { curentPassword: currentPassword, ...proof }));`,
    error: /curentPassword/,
  },
  'a field of another kind after a change of the e-mail': {
    valid: `confirmEmailChange(customer, '123456').then((user) => user.customerId);`,
    invalid: `confirmEmailChange(customer, '123456').then((user) => user.employeeId);`,
    error: /employeeId/,
  },
  'a kind that does not exist': {
    valid: `createPlatformClient({ gatewayUrl, kind: 'employee' });`,
    invalid: `createPlatformClient({ gatewayUrl, kind: 'operator' });`,
    error: /operator/,
  },
};

const getSnippets = (variant: 'valid' | 'invalid') =>
  Object.fromEntries(Object.entries(CALLS).map(([name, call]) => [name, CLIENTS + call[variant]]));

describe('client types', () => {
  describe('reject', () => {
    let errors: Record<string, string>;
    before('compile the invalid calls', async () => {
      errors = await compileSnippets(getSnippets('invalid'));
    });
    for (const [name, { error }] of Object.entries(CALLS))
      it(name, () => {
        expect(errors[name])
          .to.match(/error TS\d+/)
          .and.to.match(error);
      });
  });

  it('accept the valid variant of each call', async () => {
    const errors = await compileSnippets(getSnippets('valid'));
    expect(errors).to.deep.equal(Object.fromEntries(Object.keys(CALLS).map((name) => [name, ''])));
  });

  for (const compiler of ['typescript', 'typescript-native'] as const)
    it(`accept the examples of the README (${compiler})`, async () => {
      expect(await compileSnippets({ readme: await readExamples() }, compiler)).to.deep.equal({ readme: '' });
    });
});
