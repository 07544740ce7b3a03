import type { handledOperations as AuthOperations } from '@platform/openapi/types/auth';
import { expect } from 'chai';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from './builders.ts';
import { createContractClient, readContract } from './contract-client.ts';
import type { Device, TestAccount } from './device.ts';
import { createFactorFlows } from './factor-flows.ts';
import { type HttpClient, type HttpResponse, parseSetCookies } from './http-client.ts';
import type { Records } from './records.ts';
import { createValidatingSender } from './responses.ts';

/** The differences between the kinds of accounts for a client. */
export type AccountKind = {
  kind: 'customer' | 'employee' | 'administrator';
  plural: string;
  path: string;
  refreshCookie: string;
  role: string;
  /** The field of `user` that only this kind has. */
  profileLink: 'customerId' | 'employeeId' | 'platformRole';
};

export const CUSTOMER: AccountKind = {
  kind: 'customer',
  plural: 'customers',
  path: '/api/v1/customers/auth',
  refreshCookie: 'CustomerRefreshToken',
  role: 'CUSTOMER',
  profileLink: 'customerId',
};

export const EMPLOYEE: AccountKind = {
  kind: 'employee',
  plural: 'employees',
  path: '/api/v1/employees/auth',
  refreshCookie: 'EmployeeRefreshToken',
  role: 'EMPLOYEE',
  profileLink: 'employeeId',
};

/** Administrators are registered by another one, and have a platform role instead of a profile. */
export const ADMINISTRATOR: AccountKind = {
  kind: 'administrator',
  plural: 'administrators',
  path: '/api/v1/auth/admin',
  refreshCookie: 'AdminRefreshToken',
  role: 'ADMIN',
  profileLink: 'platformRole',
};

export const PLATFORM_ROLES = ['ADMIN', 'OPERATOR', 'ARBITER'] as const;
export type PlatformRole = (typeof PLATFORM_ROLES)[number];

/** The kinds with a sign-up. */
export const ACCOUNT_KINDS: readonly AccountKind[] = [CUSTOMER, EMPLOYEE];
export const ALL_KINDS: readonly AccountKind[] = [...ACCOUNT_KINDS, ADMINISTRATOR];
/** A kind, or its name. */
export type Kind = AccountKind | AccountKind['kind'];
const KINDS = { customer: CUSTOMER, employee: EMPLOYEE, administrator: ADMINISTRATOR };
export const otherKind = (kind: AccountKind): AccountKind => (kind === CUSTOMER ? EMPLOYEE : CUSTOMER);

type Credentials = Pick<TestAccount, 'email' | 'password'>;

export const bearer = ({ accessToken }: Pick<Device, 'accessToken'>) => ({
  Authorization: `Bearer ${accessToken}`,
});

/** The headers of a browser with this device, for requests that no contract describes. */
export const accessHeaders = (device: Device) => ({
  ...bearer(device),
  'X-Fingerprint': device.fingerprint,
  'X-Session-Id': device.sessionId,
});

/**
 * Reads the tokens of a successful sign-in or refresh, which sets no cookie except the one with the refresh
 * token.
 */
const readTokens = ({ refreshCookie }: AccountKind, response: HttpResponse) => {
  expect(response.status, response.text).to.equal(200);
  const cookies = parseSetCookies(response);
  expect(cookies.map(({ name }) => name)).to.deep.equal([refreshCookie]);
  return { accessToken: String(response.body.token), refreshToken: cookies[0]?.value ?? '' };
};

const contract = await readContract('auth');

/**
 * The client of one kind of accounts at a service or the gateway. It has a method for each operation of the
 * contract, which returns the response, and methods for several steps, which expect success.
 * @param sendRequest by default validates each response
 * @param records inserts administrators, who have no sign-up, and verifies addresses
 */
export const createAuthClient = (
  baseUrl: string,
  ofKind: Kind,
  sendRequest: HttpClient['send'] = createValidatingSender(baseUrl),
  records?: Pick<Records, 'user' | 'verifyEmail'>,
) => {
  const kind = typeof ofKind === 'string' ? KINDS[ofKind] : ofKind;
  const operations = createContractClient<AuthOperations>(contract, sendRequest, { kind: kind.kind });
  const { signUp, signIn, me, refreshToken } = operations;
  const toDevice = (signedIn: HttpResponse): Device => ({
    ...readTokens(kind, signedIn),
    fingerprint: signedIn.body.session.fingerprint,
    sessionId: signedIn.body.session.id,
  });
  const afterRefresh = (device: Device, refreshed: HttpResponse): Device => ({
    ...device,
    ...readTokens(kind, refreshed),
  });
  const refreshed = async (device: Device) => afterRefresh(device, await refreshToken(device));

  const createAccount = async (fields: object = {}): Promise<TestAccount> => {
    if (kind === ADMINISTRATOR && records) {
      const { id, email, password } = await records.user(['ADMIN']);
      return { email, password, userId: id, profileId: '' };
    }
    const account = { email: uniqueEmail(), password: PASSWORD, ...fields };
    const { status, body, text } = await signUp({ body: account });
    expect(status, text).to.equal(201);
    return { ...account, userId: body.user.id, profileId: body.user[kind.profileLink] };
  };
  const openDevice = async (
    { email, password }: Credentials,
    fingerprint = uniqueFingerprint(),
  ): Promise<Device> => toDevice(await signIn({ fingerprint, body: { email, password } }));
  const createVerifiedAccount = async (): Promise<TestAccount> => {
    const account = await createAccount();
    await records?.verifyEmail(account.userId);
    return account;
  };
  const openVerifiedAccount = async () => {
    const account = await createVerifiedAccount();
    return { account, device: await openDevice(account) };
  };
  const createAccountAndDevice = async (): Promise<{ account: TestAccount; device: Device }> => {
    const account = await createAccount();
    return { account, device: await openDevice(account) };
  };

  return {
    kind,
    baseUrl,
    ...operations,
    ...createFactorFlows(operations, openVerifiedAccount),
    toDevice,
    afterRefresh,
    refreshed,
    createAccount,
    /** Second factors need a verified address. */
    createVerifiedAccount,
    openVerifiedAccount,
    openDevice,
    createAccountAndDevice,
    createDevice: async (): Promise<Device> => (await createAccountAndDevice()).device,
    /** Fails unless the e-mail and password are rejected as invalid credentials. */
    expectNoSignIn: async ({ email, password }: Credentials, fingerprint = uniqueFingerprint()) => {
      const { status, body, text } = await signIn({ fingerprint, body: { email, password } });
      expect({ status, code: body.code }, text).to.deep.equal({ status: 401, code: 'INVALID_CREDENTIALS' });
    },
    /** Fails unless both tokens are valid. Returns the device with the tokens of the refresh. */
    expectSignedIn: async (device: Device): Promise<Device> => {
      const { status, text } = await me(device);
      expect(status, text).to.equal(200);
      return await refreshed(device);
    },
    /** Fails unless both tokens are revoked. */
    expectSignedOut: async (device: Device): Promise<void> => {
      for (const { status, body, text } of [await me(device), await refreshToken(device)])
        expect({ status, code: body.code }, text).to.deep.equal({ status: 401, code: 'TOKEN_INVALID' });
    },
  };
};

export type AuthClient = ReturnType<typeof createAuthClient>;
