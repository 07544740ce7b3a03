import { expect } from 'chai';
import { PASSWORD } from './builders.ts';
import type { HttpClient, HttpResponse } from './http-client.ts';
import type { RequestOptions } from './responses.ts';
import { totpCode } from './totp.ts';

type Headers = Record<string, string | undefined>;
type Access = { accessToken: string };
type Body = RequestOptions['body'];

export type EnabledTotp = { secret: string; usedCode: string; recoveryCodes: string[] };

/**
 * The second-factor operations of one kind. Each code is accepted once. `enableTotp` uses the code of the
 * current time step, so the next proof needs `totpCode(secret, 1)`.
 */
export const createSecondFactorClient = (path: string, sendRequest: HttpClient['send']) => {
  const request = (method: string, route: string, device: Access, body?: Body, headers: Headers = {}) =>
    sendRequest({
      method,
      path: `${path}/${route}`,
      headers: { Authorization: `Bearer ${device.accessToken}`, ...headers },
      ...(body !== undefined && { body }),
    });
  const setUpTotp = (device: Access, body: Body, headers?: Headers) =>
    request('POST', 'second-factor/totp', device, body, headers);
  const confirmTotp = (device: Access, body: Body, headers?: Headers) =>
    request('POST', 'second-factor/totp/confirm', device, body, headers);

  return {
    secondFactor: (device: Access) => request('GET', 'second-factor', device),
    setUpTotp,
    confirmTotp,
    removeTotp: (device: Access, body: Body, headers?: Headers) =>
      request('DELETE', 'second-factor/totp', device, body, headers),
    replaceRecoveryCodes: (device: Access, body: Body, headers?: Headers) =>
      request('POST', 'second-factor/recovery-codes', device, body, headers),
    signInSecondFactor: (body: Body, fingerprint: string | undefined, headers: Headers = {}) =>
      sendRequest({
        method: 'POST',
        path: `${path}/sign-in/second-factor`,
        headers: { 'X-Fingerprint': fingerprint, ...headers },
        ...(body !== undefined && { body }),
      }),
    listSessions: (device: Access) => request('GET', 'sessions', device),

    enableTotp: async (device: Access, currentPassword = PASSWORD): Promise<EnabledTotp> => {
      const created = await setUpTotp(device, { currentPassword });
      expect(created.status, created.text).to.equal(201);
      const { secret } = created.body;
      const usedCode = totpCode(secret);
      const confirmed = await confirmTotp(device, { code: usedCode });
      expect(confirmed.status, confirmed.text).to.equal(200);
      return { secret, usedCode, recoveryCodes: confirmed.body.recoveryCodes };
    },
  };
};

/** Reads the challenge of a sign-in that needs a second factor. */
export const readChallenge = ({ status, body, text }: HttpResponse): string => {
  expect({ status, code: body.code }, text).to.deep.equal({ status: 401, code: 'SECOND_FACTOR_REQUIRED' });
  return body.challenge;
};
