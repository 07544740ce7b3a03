import { expect } from 'chai';
import type { Response } from 'supertest';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from './builders.ts';
import { type Call, send, setCookies } from './responses.ts';

/** What differs from one kind of account to the other, as a client sees it. */
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

export const ACCOUNT_KINDS: readonly AccountKind[] = [CUSTOMER, EMPLOYEE];
export const otherKind = (kind: AccountKind): AccountKind => (kind === CUSTOMER ? EMPLOYEE : CUSTOMER);

export type TestAccount = { email: string; password: string; userId: string; profileId: string };

/** A signed-in device, with all that its browser keeps. */
export type Device = { fingerprint: string; sessionId: string; accessToken: string; refreshToken: string };

type Headers = Record<string, string | undefined>;

export const accessHeaders = ({ accessToken, fingerprint, sessionId }: Device): Headers => ({
  Authorization: `Bearer ${accessToken}`,
  'X-Fingerprint': fingerprint,
  'X-Session-Id': sessionId,
});

const only = <Item>(items: Item[]): Item => {
  const [item] = items;
  if (item === undefined || items.length > 1) throw new Error(`One was expected, not ${items.length}`);
  return item;
};

/** A client of one kind's routes at `baseUrl`, a service's or the gateway's. Those that return no answer expect a success. */
export const createAuthClient = (baseUrl: string, kind: AccountKind) => {
  const { path, refreshCookie, profileLink } = kind;
  const post = (route: string, call: Call) => send(baseUrl, 'POST', path + route, call);
  const get = (route: string, headers: Headers) => send(baseUrl, 'GET', path + route, { headers });

  const refreshHeaders = ({ refreshToken, fingerprint, sessionId }: Device): Headers => ({
    Cookie: `${refreshCookie}=${refreshToken}`,
    'X-Fingerprint': fingerprint,
    'X-Session-Id': sessionId,
  });
  const signUp = (body: object | string) => post('/sign-up', { body });
  const signIn = (body: object | string, fingerprint: string | undefined, headers: Headers = {}) =>
    post('/sign-in', { body, headers: { 'X-Fingerprint': fingerprint, ...headers } });
  const refresh = (device: Device, headers: Headers = {}) =>
    get('/refresh/token', { ...refreshHeaders(device), ...headers });

  const tokensOf = (answer: Response) => {
    expect(answer.status, answer.text).to.equal(200);
    const { name, value } = only(setCookies(answer));
    expect(name).to.equal(refreshCookie);
    return { accessToken: String(answer.body.token), refreshToken: value };
  };
  /** What a device keeps of a sign-in. */
  const toDevice = (answer: Response): Device => ({
    ...tokensOf(answer),
    fingerprint: answer.body.session.fingerprint,
    sessionId: answer.body.session.id,
  });

  return {
    kind,
    baseUrl,
    signUp,
    signIn,
    refresh,
    refreshHeaders,
    toDevice,
    me: (device: Device, headers: Headers = {}) => get('/me', { ...accessHeaders(device), ...headers }),
    signOut: (device: Device, headers: Headers = {}) =>
      get('/sign-out', { ...accessHeaders(device), ...headers }),
    universalMe: ({ accessToken }: Pick<Device, 'accessToken'>) =>
      send(baseUrl, 'GET', '/api/v1/auth/me', { headers: { Authorization: `Bearer ${accessToken}` } }),

    /** What the device keeps after a refresh. */
    afterRefresh: (device: Device, answer: Response): Device => ({ ...device, ...tokensOf(answer) }),

    createAccount: async (fields: object = {}): Promise<TestAccount> => {
      const given = { email: uniqueEmail(), password: PASSWORD, ...fields };
      const { status, body, text } = await signUp(given);
      expect(status, text).to.equal(201);
      return { ...given, userId: body.user.id, profileId: body.user[profileLink] };
    },
    openDevice: async (
      { email, password }: Pick<TestAccount, 'email' | 'password'>,
      fingerprint = uniqueFingerprint(),
    ): Promise<Device> => toDevice(await signIn({ email, password }, fingerprint)),
    refreshed: async (device: Device): Promise<Device> => ({
      ...device,
      ...tokensOf(await refresh(device)),
    }),
  };
};

export type AuthClient = ReturnType<typeof createAuthClient>;
