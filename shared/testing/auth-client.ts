import { expect } from 'chai';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from './builders.ts';
import { type HttpClient, type HttpResponse, parseSetCookies } from './http-client.ts';
import { type RequestOptions, send } from './responses.ts';
import { createSecondFactorClient } from './second-factor-client.ts';

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
export const otherKind = (kind: AccountKind): AccountKind => (kind === CUSTOMER ? EMPLOYEE : CUSTOMER);

export type TestAccount = { email: string; password: string; userId: string; profileId: string };

/** The tokens and the session of a signed-in device, as its browser stores them. */
export type Device = { fingerprint: string; sessionId: string; accessToken: string; refreshToken: string };

type Headers = Record<string, string | undefined>;
type Access = Pick<Device, 'accessToken'>;
type Refresh = Pick<Device, 'refreshToken'>;
type Body = RequestOptions['body'];
type SendRequest = HttpClient['send'];

export const bearer = ({ accessToken }: Access): Headers => ({ Authorization: `Bearer ${accessToken}` });

const deviceHeaders = ({ fingerprint, sessionId }: Device): Headers => ({
  'X-Fingerprint': fingerprint,
  'X-Session-Id': sessionId,
});

export const accessHeaders = (device: Device): Headers => ({ ...bearer(device), ...deviceHeaders(device) });

const refreshCookieHeader = ({ refreshCookie }: AccountKind, { refreshToken }: Refresh): Headers => ({
  Cookie: `${refreshCookie}=${refreshToken}`,
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

/** The operations for e-mail codes and passwords. */
const createPasswordClient = (kind: AccountKind, sendRequest: SendRequest) => {
  const post = (route: string, options: RequestOptions) =>
    sendRequest({ method: 'POST', path: kind.path + route, ...options });
  const get = (route: string, headers: Headers) => sendRequest({ path: kind.path + route, headers });
  return {
    checkVerified: (device: Access, headers: Headers = {}) =>
      get('/verification/email/check', { ...bearer(device), ...headers }),
    sendVerificationCode: (device: Access, headers: Headers = {}) =>
      get('/verification/email/code', { ...bearer(device), ...headers }),
    verifyEmail: (device: Access, body: Body, headers: Headers = {}) =>
      post('/verification/email/code/check', { body, headers: { ...bearer(device), ...headers } }),
    /**
     * The refresh token alone identifies the session, so neither the fingerprint nor the session id is sent.
     */
    changePassword: (device: Refresh, body: Body, headers: Headers = {}) =>
      post('/reset-password/me', { body, headers: { ...refreshCookieHeader(kind, device), ...headers } }),
    sendResetCode: (body: Body, headers: Headers = {}) =>
      post('/reset-password/email/code/send', { body, headers }),
    resetPassword: (body: Body, headers: Headers = {}) =>
      post('/reset-password/email/code', { body, headers }),
  };
};

/**
 * A client of one kind's routes at a service or the gateway. Methods that return no response expect success.
 * Each response is validated, unless `sendRequest` replaces the client.
 * @param insertAccount in place of the sign-up, which administrators do not have
 */
export const createAuthClient = (
  baseUrl: string,
  kind: AccountKind,
  sendRequest: SendRequest = ({ method = 'GET', path, ...options }) => send(baseUrl, method, path, options),
  insertAccount?: () => Promise<TestAccount>,
) => {
  const { path, profileLink } = kind;
  const get = (route: string, headers: Headers) => sendRequest({ path: path + route, headers });
  const refreshHeaders = (device: Device): Headers => ({
    ...refreshCookieHeader(kind, device),
    ...deviceHeaders(device),
  });
  const signUp = (body: object | string) => sendRequest({ method: 'POST', path: `${path}/sign-up`, body });
  const signIn = (body: object | string, fingerprint: string | undefined, headers: Headers = {}) =>
    sendRequest({
      method: 'POST',
      path: `${path}/sign-in`,
      body,
      headers: { 'X-Fingerprint': fingerprint, ...headers },
    });
  const refresh = (device: Device, headers: Headers = {}) =>
    get('/refresh/token', { ...refreshHeaders(device), ...headers });
  const me = (device: Device, headers: Headers = {}) => get('/me', { ...accessHeaders(device), ...headers });
  const toDevice = (signedIn: HttpResponse): Device => ({
    ...readTokens(kind, signedIn),
    fingerprint: signedIn.body.session.fingerprint,
    sessionId: signedIn.body.session.id,
  });
  const afterRefresh = (device: Device, refreshed: HttpResponse): Device => ({
    ...device,
    ...readTokens(kind, refreshed),
  });
  const refreshed = async (device: Device) => afterRefresh(device, await refresh(device));

  const createAccount = async (fields: object = {}): Promise<TestAccount> => {
    if (insertAccount) return await insertAccount();
    const account = { email: uniqueEmail(), password: PASSWORD, ...fields };
    const { status, body, text } = await signUp(account);
    expect(status, text).to.equal(201);
    return { ...account, userId: body.user.id, profileId: body.user[profileLink] };
  };
  const openDevice = async (
    { email, password }: Pick<TestAccount, 'email' | 'password'>,
    fingerprint = uniqueFingerprint(),
  ): Promise<Device> => toDevice(await signIn({ email, password }, fingerprint));
  const createAccountAndDevice = async (): Promise<{ account: TestAccount; device: Device }> => {
    const account = await createAccount();
    return { account, device: await openDevice(account) };
  };

  return {
    kind,
    baseUrl,
    ...createPasswordClient(kind, sendRequest),
    ...createSecondFactorClient(path, sendRequest),
    signUp,
    signIn,
    refresh,
    refreshHeaders,
    toDevice,
    me,
    signOut: (device: Device, headers: Headers = {}) =>
      get('/sign-out', { ...accessHeaders(device), ...headers }),
    universalMe: (device: Access) => sendRequest({ path: '/api/v1/auth/me', headers: bearer(device) }),
    afterRefresh,
    refreshed,

    createAccount,
    openDevice,
    createAccountAndDevice,
    createDevice: async (): Promise<Device> => (await createAccountAndDevice()).device,
    /** Fails unless the e-mail and password are rejected as invalid credentials. */
    expectNoSignIn: async (
      { email, password }: Pick<TestAccount, 'email' | 'password'>,
      fingerprint = uniqueFingerprint(),
    ): Promise<void> => {
      const { status, body, text } = await signIn({ email, password }, fingerprint);
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
      for (const { status, body, text } of [await me(device), await refresh(device)])
        expect({ status, code: body.code }, text).to.deep.equal({ status: 401, code: 'TOKEN_INVALID' });
    },
  };
};

export type AuthClient = ReturnType<typeof createAuthClient>;
