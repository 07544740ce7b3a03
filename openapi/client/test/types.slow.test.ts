import type {
  AdministratorUser,
  AdminUser,
  CustomerUser,
  ErrorCode,
  Kind,
  PlatformClient,
} from '@platform/client';
import { createPlatformClient, isPlatformError } from '@platform/client';
import {
  changeProfile,
  completeSignIn,
  confirmEmailChange,
  deleteAccount,
  removeTotp,
  sendSignInCode,
} from '@platform/client/account';
import * as oidc from '@platform/client/oidc';
import { confirmWithPasskey } from '@platform/client/passkeys';
import { expect } from 'chai';
import { compile, readExamples } from './compile.ts';

const gatewayUrl = 'https://api.example.com';
const redirectUri = 'https://app.example.com/callback';
const createCustomer = () => createPlatformClient({ gatewayUrl, kind: 'customer' });
const createAdministrator = () => createPlatformClient({ gatewayUrl, kind: 'administrator' });
type Customer = ReturnType<typeof createCustomer>;
type Administrator = ReturnType<typeof createAdministrator>;

const email = 'ada@example.com';
const [password, currentPassword, totpCode, recoveryCode] = ['Correct horse 1', 'Right', '042917', 'k3v7'];
const credentials = { email, password };
const code = '123456';
const error: unknown = undefined;
const id = '5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11';
const CALLBACK = { params: { path: { provider: 'company' } }, body: { callbackUrl: redirectUri } };
const inUsers = (query: { page?: number; perPage?: number; role?: 'EMPLOYEE' }) => ({ params: { query } });

/** Never called. The compiler checks that each call is valid, and that each marked one is an error. */
export const asCustomer = (customer: Customer) => [
  () => customer.signIn(credentials),
  // @ts-expect-error: a wrong field of a sign-in
  () => customer.signIn({ email, passwort: password }),
  () => 'USER_BLOCKED' satisfies ErrorCode,
  // @ts-expect-error: a mistyped code
  () => 'USER_BLOKED' satisfies ErrorCode,
  () => customer.POST('/contact/support', { body: { email, subject: 's', message: 'm' } }),
  // @ts-expect-error: a missing field
  () => customer.POST('/contact/support', { body: { email, subject: 's' } }),
  () => customer.POST('/customers/auth/verification/email/code/check', { body: { code } }),
  // @ts-expect-error: a missing body
  () => customer.POST('/customers/auth/verification/email/code/check'),
  () => customer.GET('/customers/auth/sessions'),
  // @ts-expect-error: a path that does not exist
  () => customer.GET('/customers/auth/sesions'),
  () => customer.GET('/auth/me'),
  // @ts-expect-error: a path of another kind
  () => customer.GET('/employees/auth/me'),
  // @ts-expect-error: a back-office path
  () => customer.GET('/users'),
  // @ts-expect-error: a sign-in by POST instead of signIn()
  () => customer.POST('/customers/auth/sign-in', { body: credentials }),
  async () => (await customer.GET('/customers/auth/me')).profile.firstName?.length,
  // @ts-expect-error: a nullable field without a null check
  async () => (await customer.GET('/customers/auth/me')).profile.firstName.length,
  async () => (await customer.signIn(credentials)).user.customerId,
  // @ts-expect-error: the access token of a sign-in
  async () => (await customer.signIn(credentials)).token,
  () => customer.resetPassword({ email, code, newPassword: password }),
  // @ts-expect-error: a missing argument of a named call
  () => customer.resetPassword({ email, newPassword: password }),
  () => customer.me({ signal: undefined }),
  // @ts-expect-error: a signal of another type
  () => customer.me({ signal: 5_000 }),
  // @ts-expect-error: the user of a session that may have ended
  () => customer.getSnapshot().user.customerId,
  () => completeSignIn(customer, { challenge: 'c', recoveryCode }),
  // @ts-expect-error: a second step without a factor
  () => completeSignIn(customer, { challenge: 'c' }),
  () => customer.POST('/customers/auth/sign-in/second-factor/options', { body: { challenge: 'c' } }),
  // @ts-expect-error: a second step by POST instead of completeSignIn()
  () => customer.POST('/customers/auth/sign-in/second-factor', { body: { challenge: 'c', totpCode } }),
  async () => (await oidc.completeSignIn(customer, redirectUri)).user.customerId,
  // @ts-expect-error: a sign-in with a provider by POST instead of completeSignIn()
  () => customer.POST('/customers/auth/oidc/{provider}/sign-in', CALLBACK),
  () => oidc.linkIdentity(customer, 'company', { redirectUri, totpCode }),
  // @ts-expect-error: a link without a redirect URI
  () => oidc.linkIdentity(customer, 'company', { currentPassword }),
  () => deleteAccount(customer, { currentPassword }),
  // @ts-expect-error: a deletion by POST instead of deleteAccount()
  () => customer.POST('/customers/auth/account/delete', { body: { currentPassword } }),
  async () => removeTotp(customer, { currentPassword, ...(await confirmWithPasskey(customer)) }),
  // @ts-expect-error: two factors at once
  () => removeTotp(customer, { currentPassword, totpCode, recoveryCode }),
  // @ts-expect-error: a misspelt password of a confirmation
  () => removeTotp(customer, { curentPassword: currentPassword, totpCode }),
  async () => (await confirmEmailChange(customer, code)).customerId,
  // @ts-expect-error: a field of another kind after a change of the e-mail
  async () => (await confirmEmailChange(customer, code)).employeeId,
];

/** A page of several kinds, whose kind is known only when it runs. */
export const asAnyKind = (client: PlatformClient<Kind>) => [
  () => sendSignInCode(client, email),
  () => changeProfile(client, { firstName: 'Ada' }),
];

export const asAdministrator = (administrator: Administrator) => [
  // @ts-expect-error: administrators have no mailed codes
  () => sendSignInCode(administrator, email),
  () => administrator.GET('/users', inUsers({ page: 2, perPage: 50, role: 'EMPLOYEE' })),
  // @ts-expect-error: a misspelt query parameter
  () => administrator.GET('/users', { params: { query: { perpage: 50 } } }),
  // @ts-expect-error: a value that is not in the enum
  () => administrator.GET('/users', { params: { query: { role: 'EMPLOYER' } } }),
  () => administrator.GET('/administrator/teams/{teamId}', { params: { path: { teamId: id } } }),
  // @ts-expect-error: a path parameter of another name
  () => administrator.GET('/administrator/teams/{teamId}', { params: { path: { id } } }),
  async () => (await administrator.GET('/users')).data[0]?.isBlocked,
  // @ts-expect-error: a field that the response does not have
  async () => (await administrator.GET('/users')).data[0]?.blocked,
];

export const withTypes = [
  () => isPlatformError(error, 'EMAIL_TAKEN', 'GATEWAY_UNREACHABLE') && error.code === 'EMAIL_TAKEN',
  // @ts-expect-error: a code that does not exist
  () => isPlatformError(error, 'GATEWAY_UNREACHED'),
  // @ts-expect-error: a code that this error cannot have
  () => isPlatformError(error, 'EMAIL_TAKEN') && error.code === 'USER_BLOCKED',
  (): string | undefined => (isPlatformError(error, 'SECOND_FACTOR_REQUIRED') ? error.challenge : undefined),
  () => isPlatformError(error, 'FACTOR_REQUIRED') && error.factors.includes('passkey'),
  // @ts-expect-error: the challenge of a change, which has none
  (): string => (isPlatformError(error, 'FACTOR_REQUIRED') ? error.challenge : ''),
  // @ts-expect-error: the challenge of an error without a second step
  (): string => (isPlatformError(error, 'EMAIL_TAKEN') ? error.challenge : ''),
  (): string | undefined => (isPlatformError(error, 'ACCOUNT_EXISTS') ? error.email : undefined),
  // @ts-expect-error: the address of an error that has none
  (): string => (isPlatformError(error, 'EMAIL_TAKEN') ? error.email : ''),
  (user: AdministratorUser) => user.platformRole,
  // @ts-expect-error: a field of another kind of user
  (user: CustomerUser) => user.platformRole,
  (user: AdminUser) => user.isBlocked,
  // @ts-expect-error: a field that a named type does not have
  (user: AdminUser) => user.password,
  // @ts-expect-error: a kind that does not exist
  () => createPlatformClient({ gatewayUrl, kind: 'operator' }),
];

describe('client types', () => {
  for (const compiler of ['typescript', 'typescript-native'] as const)
    it(`accept the examples of the README (${compiler})`, async () => {
      expect(await compile(await readExamples(), compiler)).to.equal('');
    });
});
