import { expect } from 'chai';
import type { Response } from 'supertest';
import { type AccountKind, createAuthClient, type Device } from './auth-client.ts';
import { type Call, send } from './responses.ts';

type Headers = Record<string, string | undefined>;
type Access = Pick<Device, 'accessToken'>;
type Refresh = Pick<Device, 'refreshToken'>;

/** A client of one kind's routes, those about e-mail codes and passwords included. */
export const createCodeClient = (baseUrl: string, kind: AccountKind) => {
  const { path, refreshCookie } = kind;
  const get = (route: string, headers: Headers) => send(baseUrl, 'GET', path + route, { headers });
  const post = (route: string, call: Call) => send(baseUrl, 'POST', path + route, call);
  const bearer = ({ accessToken }: Access): Headers => ({ Authorization: `Bearer ${accessToken}` });
  const cookie = ({ refreshToken }: Refresh): Headers => ({ Cookie: `${refreshCookie}=${refreshToken}` });
  const auth = createAuthClient(baseUrl, kind);

  return {
    ...auth,
    checkVerified: (device: Access, headers: Headers = {}) =>
      get('/verification/email/check', { ...bearer(device), ...headers }),
    sendVerificationCode: (device: Access, headers: Headers = {}) =>
      get('/verification/email/code', { ...bearer(device), ...headers }),
    verifyEmail: (device: Access, body: object | string | undefined, headers: Headers = {}) =>
      post('/verification/email/code/check', { body, headers: { ...bearer(device), ...headers } }),
    /** The refresh token alone names the session: neither the fingerprint nor the session id is sent. */
    changePassword: (device: Refresh, body: object | string | undefined, headers: Headers = {}) =>
      post('/reset-password/me', { body, headers: { ...cookie(device), ...headers } }),
    sendResetCode: (body: object | string | undefined) => post('/reset-password/email/code/send', { body }),
    resetPassword: (body: object | string | undefined, headers: Headers = {}) =>
      post('/reset-password/email/code', { body, headers }),

    /** Fails unless the device is signed in, with both of its tokens; returns what it keeps afterwards. */
    expectSignedIn: async (device: Device): Promise<Device> => {
      const { status, text } = await auth.me(device);
      expect(status, text).to.equal(200);
      return await auth.refreshed(device);
    },
    /** Fails unless both tokens of the device are dead. */
    expectSignedOut: async (device: Device): Promise<void> => {
      const answers = [await auth.me(device), await auth.refresh(device)];
      for (const { status, body, text } of answers)
        expect({ status, code: body.code }, text).to.deep.equal({ status: 401, code: 'TOKEN_INVALID' });
    },
  };
};

export type CodeClient = ReturnType<typeof createCodeClient>;

/** What of an answer tells one caller from another: all but the request's id, the time and what follows from them. */
export const observable = ({ status, text, headers }: Response) => ({
  status,
  body: text.replace(/"requestId":"[^"]*"/, ''),
  headers: Object.keys(headers).sort(),
});
