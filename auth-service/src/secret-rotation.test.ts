import { randomBytes } from 'node:crypto';
import {
  type AccountKind,
  ALL_KINDS,
  CUSTOMER,
  createAuthClient,
} from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import jsonwebtoken, { type JwtPayload } from 'jsonwebtoken';
import {
  CODE_SECRET,
  type ComposedAuthService,
  composeAuthService,
  getEnvironment,
  type RunningAuthService,
  startAuthService,
} from '../testing/auth-service.ts';
import { getOtherCode } from '../testing/mailed-codes.ts';

const NAMES = Object.keys(getEnvironment('')).filter((name) => name.endsWith('_SECRET_KEY'));
const random = (): string => randomBytes(36).toString('base64url');
const variableOf = ({ kind }: AccountKind, use: 'ACCESS' | 'REFRESH') =>
  `JWT_${kind === 'administrator' ? 'ADMIN' : kind.toUpperCase()}_${use}_SECRET_KEY`;

type Environment = Record<string, string>;

const OLD: Environment = { ...getEnvironment(''), CODE_SECRET_KEY: CODE_SECRET };
const NEW: Environment = Object.fromEntries(NAMES.map((name) => [name, random()]));
const pickSecrets = (from: Environment, suffix = ''): Environment =>
  Object.fromEntries(NAMES.map((name) => [`${name}${suffix}`, from[name] ?? '']));

const isSignedWith = (token: string, secret: string | undefined): boolean => {
  try {
    jsonwebtoken.verify(token, secret ?? '', { algorithms: ['HS256'] });
    return true;
  } catch {
    return false;
  }
};

describe('secret rotation', () => {
  /** This instance has the old secrets. */
  let original: RunningAuthService;
  /** This instance has the new secrets, and uses the old ones only for verification. */
  let rotated: ComposedAuthService;
  /** This instance has only the new secrets, so everything signed with the old ones is invalid. */
  let later: ComposedAuthService;
  /**
   * This instance has the old secrets and can verify the new ones: the first step of a rotation of several
   * instances.
   */
  let prepared: ComposedAuthService;

  before('start a service for each step of a rotation, on the same engines', async () => {
    original = await startAuthService(pickSecrets(OLD));
    const { databaseUrl, environment } = original;
    const start = (secrets: Environment) => composeAuthService(databaseUrl, { ...environment, ...secrets });
    rotated = await start({ ...NEW, ...pickSecrets(OLD, '_PREVIOUS') });
    later = await start(NEW);
    prepared = await start({ ...pickSecrets(OLD), ...pickSecrets(NEW, '_PREVIOUS') });
  });
  after('stop them', async () => {
    for (const service of [rotated, later, prepared, original]) await service?.stop();
  });

  for (const kind of ALL_KINDS)
    describe(`of ${kind.plural}`, () => {
      const at = ({ url }: { url: string }) => createAuthClient(url, kind);
      const signedInBefore = async () => {
        const account = await original.as(kind).createAccount();
        return { account, device: await at(original).openDevice(account) };
      };
      const expectSignedBy = (device: Device, secrets: Environment, others: Environment) => {
        for (const [token, use] of [
          [device.accessToken, 'ACCESS'],
          [device.refreshToken, 'REFRESH'],
        ] as const) {
          expect(isSignedWith(token, secrets[variableOf(kind, use)])).to.equal(true);
          expect(isSignedWith(token, others[variableOf(kind, use)])).to.equal(false);
        }
      };

      it('refreshes old tokens to new ones, which stay valid without the old secrets', async () => {
        const { device } = await signedInBefore();
        expectSignedBy(device, OLD, NEW);
        const renewed = await at(rotated).refreshed(device);
        expectSignedBy(renewed, NEW, OLD);
        expect((await at(later).me(renewed)).status).to.equal(200);
        expectSignedBy(await at(later).refreshed(renewed), NEW, OLD);
      });

      it('accepts an old secret only for its own kind and purpose', async () => {
        const { device } = await signedInBefore();
        const claims = jsonwebtoken.decode(device.accessToken) as JwtPayload;
        for (const name of NAMES) {
          const forged = jsonwebtoken.sign(claims, OLD[name] ?? '', { algorithm: 'HS256' });
          const response = await at(rotated).me({ ...device, accessToken: forged });
          expect(response.status, name).to.equal(name === variableOf(kind, 'ACCESS') ? 200 : 401);
        }
        expectError(
          await at(rotated).me({ ...device, accessToken: device.refreshToken }),
          401,
          'TOKEN_INVALID',
        );
        expectError(
          await at(rotated).refreshToken({ ...device, refreshToken: device.accessToken }),
          401,
          'TOKEN_INVALID',
        );
      });

      // The kinds differ only in their secrets.
      if (kind !== CUSTOMER) return;

      it('keeps users signed in', async () => {
        const { device } = await signedInBefore();
        expect((await at(rotated).me(device)).status).to.equal(200);
        expect((await at(rotated).universalMe(device)).status).to.equal(200);
        expect((await at(rotated).verificationEmailCheck(device)).status).to.equal(200);
        expect((await at(rotated).signOut(device)).status).to.equal(204);
        expectError(await at(rotated).me(device), 401, 'TOKEN_INVALID');
      });

      it('detects the reuse of an old refresh token', async () => {
        const { device } = await signedInBefore();
        const latest = await at(rotated).refreshed(await at(rotated).refreshed(device));
        expectError(await at(rotated).refreshToken(device), 401, 'REFRESH_TOKEN_REUSED');
        expectError(await at(rotated).me(latest), 401, 'TOKEN_INVALID');
      });

      it('rejects old tokens when the old secrets are removed', async () => {
        const { device } = await signedInBefore();
        expectError(await at(later).me(device), 401, 'TOKEN_INVALID');
        expectError(await at(later).refreshToken(device), 401, 'TOKEN_INVALID');
        expect((await at(rotated).me(device)).status).to.equal(200);
      });

      it('accepts the tokens of both instances during a rolling update', async () => {
        const account = await original.as(kind).createAccount();
        let device = await at(prepared).openDevice(account);
        expectSignedBy(device, OLD, NEW);
        for (const service of [rotated, prepared, rotated, prepared]) {
          expect((await at(service).me(device)).status).to.equal(200);
          device = await at(service).refreshed(device);
        }
        const elsewhere = await at(rotated).openDevice(account, uniqueFingerprint());
        expect((await at(prepared).me(elsewhere)).status).to.equal(200);
      });

      it('accepts an old verification code', async () => {
        const { account, device } = await signedInBefore();
        expect((await at(original).verificationEmailCode(device)).status).to.equal(200);
        const code = await original.mails.codeFor(account.email);
        expectError(
          await at(rotated).verificationEmailCodeCheck({ ...device, body: { code: getOtherCode(code) } }),
          400,
          'CODE_INVALID',
        );
        expect((await at(rotated).verificationEmailCodeCheck({ ...device, body: { code } })).status).to.equal(
          200,
        );
      });

      it('accepts an old reset code once', async () => {
        const { email } = await original.as(kind).createAccount();
        expect((await at(original).resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
        const code = await original.mails.codeFor(email);
        const reset = { email, code, newPassword: 'A better horse 2' };
        expect((await at(rotated).resetPasswordEmailCode({ body: reset })).status).to.equal(204);
        for (const service of [rotated, original])
          expectError(await at(service).resetPasswordEmailCode({ body: reset }), 400, 'CODE_INVALID');
        await at(rotated).openDevice({ email, password: reset.newPassword });
      });

      it('replaces an old code by a new one', async () => {
        const { email } = await original.as(kind).createAccount();
        expect((await at(original).resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
        const code = await original.mails.codeFor(email);
        expect((await at(rotated).resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
        const reset = { email, code, newPassword: 'A better horse 2' };
        expectError(await at(rotated).resetPasswordEmailCode({ body: reset }), 400, 'CODE_INVALID');
        const newest = await original.mails.codeFor(email, NEW['CODE_SECRET_KEY']);
        expect(
          (await at(rotated).resetPasswordEmailCode({ body: { ...reset, code: newest } })).status,
        ).to.equal(204);
      });
    });

  it('counts each sent code once, under either secret', async () => {
    const { email } = await original.as('customer').createAccount();
    const sendAt = ({ url }: { url: string }) =>
      createAuthClient(url, CUSTOMER).resetPasswordEmailCodeSend({ body: { email } });
    for (const service of [original, prepared, rotated, prepared, rotated])
      for (let round = 0; round < 2; round += 1) {
        const { status, text } = await sendAt(service);
        expect(status, text).to.equal(200);
        await original.redis.passTime(120);
      }
    for (const service of [prepared, rotated]) expectError(await sendAt(service), 429, 'RESEND_LOCKED');
  });
});
