import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { parseBody, parseStatus, sendRaw } from '@platform/shared/testing/raw-http';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../testing/auth-service.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('encoding of a request body', () => {
  const service = useAuthService();

  const post = async (path: string, bytes: Buffer | string, type = JSON_TYPE) => {
    const body = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      `X-Fingerprint: ${uniqueFingerprint()}`,
      `Content-Type: ${type}`,
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    const text = await sendRaw(service().url, `${head.join('\r\n')}\r\n\r\n`, body);
    return { status: parseStatus(text), text, body: parseBody(text) as Record<string, never> };
  };
  const SIGN_UP = `${CUSTOMER.path}/sign-up`;
  const LOGOUT = '/api/v1/auth/oidc/example/backchannel-logout';
  const account = (password: string) => JSON.stringify({ email: uniqueEmail(), password });

  it('returns 400 for a password that is not UTF-8, at sign-up and at sign-in', async () => {
    for (const path of [SIGN_UP, `${CUSTOMER.path}/sign-in`])
      for (const byte of ['\xff', '\xe4', '\xc0\xaf', '\xed\xa0\x80', '\xc3'])
        expectError(await post(path, latin1(account(`abcdefgh${byte}`))), 400, 'VALIDATION_FAILED');
    const response = await post(SIGN_UP, latin1(account('abcdefgh\xff')));
    expect(response.body).not.to.have.property('details');
  });

  it('returns 400 for a byte order mark', async () => {
    expectError(await post(SIGN_UP, `\ufeff${account(PASSWORD)}`), 400, 'VALIDATION_FAILED');
    expectError(await post(SIGN_UP, '\ufeff'), 400, 'VALIDATION_FAILED');
  });

  it('accepts UTF-8 in each spelling of its charset', async () => {
    for (const charset of ['utf-8', 'UTF-8', 'utf8', '"utf-8"', '"UTF8"'])
      expect(
        (await post(SIGN_UP, account('pässwörter'), `${JSON_TYPE}; charset=${charset}`)).status,
      ).to.equal(201);
  });

  it('returns 415 for any other charset', async () => {
    for (const charset of ['us-ascii', 'iso-8859-1', 'utf-16', 'utf-7', 'utf_8', '"utf-8;x"', 'none'])
      expectError(
        await post(SIGN_UP, account(PASSWORD), `${JSON_TYPE}; charset=${charset}`),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      );
    expectError(
      await post(LOGOUT, 'logout_token=x', `${FORM_TYPE}; charset=iso-8859-1`),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
  });

  it('returns 400 for a form that is not UTF-8, as bytes or percent-encoded', async () => {
    for (const value of ['\xff', '%ff', '%', '%zz', '%ED%A0%80', '\xc3%a9']) {
      const bytes = latin1(`logout_token=${value}`);
      const response = await post(LOGOUT, bytes, FORM_TYPE);
      expectError(response, 400, 'VALIDATION_FAILED');
      expect(response.text, value).to.contain('The body is not UTF-8');
    }
  });
});

describe('encoding of a request path and query', () => {
  const service = useAuthService();
  const UNDECODABLE = ['%', '%z', '%zz', '%ff', '%c0%af', '%ED%A0%80', '%E0%A4%A'];

  it('returns 400 that names the parameter, before the token', async () => {
    for (const id of UNDECODABLE) {
      const response = await send(service().url, 'DELETE', `${CUSTOMER.path}/sessions/${id}`);
      expectError(response, 400, 'VALIDATION_FAILED', '/params/sessionId');
    }
  });

  it('returns 404 on an unknown path, and 405 for another method', async () => {
    for (const text of UNDECODABLE) {
      expectError(await send(service().url, 'GET', `/api/v1/${text}`), 404, 'ROUTE_NOT_FOUND');
      const other = await send(service().url, 'PUT', `${CUSTOMER.path}/sessions/${text}`);
      expectError(other, 405, 'METHOD_NOT_ALLOWED');
    }
  });

  it('returns 400 that names a query parameter, declared or not, after the token', async () => {
    const device = await service().as('customer').createDevice();
    for (const text of UNDECODABLE) {
      const path = `${CUSTOMER.path}/me?page=1&other=${text}`;
      expectError(await send(service().url, 'GET', path), 401, 'TOKEN_INVALID');
      const headers = { Authorization: `Bearer ${device.accessToken}` };
      const response = await send(service().url, 'GET', path, { headers });
      expectError(response, 400, 'VALIDATION_FAILED', '/query/other');
    }
  });
});
