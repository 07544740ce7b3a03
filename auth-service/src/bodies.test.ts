import { gzipSync } from 'node:zlib';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../testing/auth-service.ts';

const LIMIT_BYTES = 102_400;
const JSON_TYPE = 'application/json';

const otherTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/jsonp',
  'application/json-patch+json',
  'text/json',
  'application/octet-stream',
  '*/*',
];

const malformed: [string, string][] = [
  ['half an object', '{"email":'],
  ['a trailing comma', '{"email":"ada@example.com",}'],
  ['single quotes', "{'email':'ada@example.com'}"],
  ['text after the object', '{} {}'],
  ['a bare word', 'hello'],
  ['only spaces', '   '],
];

const otherShapes: [string, string][] = [
  ['null', 'null'],
  ['a list', '[{"email":"ada@example.com","password":"Correct horse 1"}]'],
  ['a text', '"ada@example.com"'],
  ['a number', '1'],
  ['a boolean', 'true'],
];

/** Returns a valid sign-up of exactly `bytes` bytes. */
const signUpOf = (bytes: number): string => {
  const body = { email: uniqueEmail(), password: PASSWORD, padding: '' };
  return JSON.stringify({ ...body, padding: 'x'.repeat(bytes - JSON.stringify(body).length) });
};

describe('request body', () => {
  const service = useAuthService();

  for (const route of ['/sign-up', '/sign-in'])
    describe(`of ${route}`, () => {
      const post = (body: string | undefined, headers: Record<string, string | undefined> = {}) =>
        send(service().url, 'POST', CUSTOMER.path + route, {
          headers: { 'X-Fingerprint': 'device', 'Content-Type': JSON_TYPE, ...headers },
          body,
        });
      /** Uses fetch because it can send bytes and streams. */
      const postRaw = async (body: RequestInit['body'], headers: Record<string, string> = {}) => {
        const response = await fetch(service().url + CUSTOMER.path + route, {
          method: 'POST',
          headers: { 'X-Fingerprint': 'device', 'Content-Type': JSON_TYPE, ...headers },
          body,
          duplex: 'half',
        } as RequestInit);
        const { code } = (await response.json()) as { code?: string };
        return { status: response.status, code };
      };

      it('returns 415 for another media type than JSON', async () => {
        for (const type of otherTypes)
          expectError(await post(signUpOf(200), { 'Content-Type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
      });

      it('accepts JSON in any spelling of the media type, and decodes it as UTF-8', async () => {
        for (const type of ['APPLICATION/JSON', 'application/json; charset=utf-8', 'application/json;v=1'])
          expect((await post(signUpOf(200), { 'Content-Type': type })).status).to.be.oneOf([201, 401]);
      });

      for (const [name, text] of malformed)
        it(`returns 400 for ${name} as invalid JSON`, async () => {
          expectError(await post(text), 400, 'VALIDATION_FAILED');
        });

      for (const [name, text] of otherShapes)
        it(`returns 400 for ${name} as an invalid body`, async () => {
          expectError(await post(text), 400, 'VALIDATION_FAILED');
        });

      it('returns 400 for a missing or empty body, with or without a media type', async () => {
        for (const type of [JSON_TYPE, 'text/plain', undefined])
          expectError(await post(undefined, { 'Content-Type': type }), 400, 'VALIDATION_FAILED');
        expectError(await post('{}'), 400, 'VALIDATION_FAILED', '/body/email', '/body/password');
      });

      it(`accepts ${LIMIT_BYTES} bytes and returns 413 for one more`, async () => {
        expect((await post(signUpOf(LIMIT_BYTES))).status).to.be.oneOf([201, 401]);
        expectError(await post(signUpOf(LIMIT_BYTES + 1)), 413, 'BODY_TOO_LARGE');
      });

      it('returns 413 at the same size for a chunked body', async () => {
        const stream = new Blob([signUpOf(LIMIT_BYTES + 1)]).stream();
        expect(await postRaw(stream)).to.deep.equal({ status: 413, code: 'BODY_TOO_LARGE' });
      });

      it('returns 413 for a compressed body that is too large when decompressed', async () => {
        const bomb = gzipSync(signUpOf(5_000_000));
        expect(bomb.length).to.be.below(LIMIT_BYTES);
        expect(await postRaw(bomb, { 'Content-Encoding': 'gzip' })).to.deep.equal({
          status: 413,
          code: 'BODY_TOO_LARGE',
        });
      });

      it('rejects a body that cannot be decompressed', async () => {
        for (const encoding of ['gzip', 'deflate', 'br'])
          for (const bytes of ['not packed', '', gzipSync(signUpOf(200)).subarray(0, 40)])
            expect(await postRaw(bytes, { 'Content-Encoding': encoding }), encoding).to.deep.equal({
              status: 400,
              code: 'VALIDATION_FAILED',
            });
        for (const encoding of ['zstd', 'unknown'])
          expect(await postRaw('{}', { 'Content-Encoding': encoding }), encoding).to.deep.equal({
            status: 415,
            code: 'UNSUPPORTED_MEDIA_TYPE',
          });
      });

      it('handles the deepest nesting that the size limit allows', async () => {
        const lists = `{"nested":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
        const objects = `${'{"a":'.repeat(17_000)}1${'}'.repeat(17_000)}`;
        for (const text of [lists, objects]) expectError(await post(text), 400, 'VALIDATION_FAILED');
      });
    });
});

describe('body of a DELETE', () => {
  const service = useAuthService();

  it('is subject to the limits and checks of every other body', async () => {
    const client = service().as('customer');
    const device = await client.createDevice();
    const path = `${CUSTOMER.path}/second-factor/totp`;
    const authorization = { Authorization: `Bearer ${device.accessToken}` };
    const remove = (body: string | undefined, type = JSON_TYPE) =>
      send(service().url, 'DELETE', path, { headers: { ...authorization, 'Content-Type': type }, body });
    const tooLarge = JSON.stringify({ currentPassword: 'x'.repeat(LIMIT_BYTES) });

    expectError(await remove('currentPassword=x', 'text/plain'), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectError(await remove(tooLarge), 413, 'BODY_TOO_LARGE');
    expectError(await remove(undefined), 400, 'VALIDATION_FAILED');
    expectError(await remove('{'), 400, 'VALIDATION_FAILED');
    expectError(await remove('{"totpCode":"1"}'), 400, 'VALIDATION_FAILED', '/body/totpCode');
    const chunked = await fetch(service().url + path, {
      method: 'DELETE',
      headers: { ...authorization, 'Content-Type': JSON_TYPE },
      body: new Blob([tooLarge]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status, await chunked.text()).to.equal(413);
    // Without a token, the body is not checked at all.
    for (const body of [tooLarge, '{'])
      expectError(await send(service().url, 'DELETE', path, { body }), 401, 'TOKEN_INVALID');
  });
});
