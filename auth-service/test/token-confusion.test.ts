import { ACCOUNT_KINDS, type Device, otherKind } from '@platform/shared/testing/auth-client';
import { forgedTokens } from '@platform/shared/testing/forged-tokens';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import jsonwebtoken, { type JwtPayload } from 'jsonwebtoken';
import { SECRETS, useAuthService } from './auth-service.ts';

/** Every name of a forgery, to make a test of each. */
const NAMES = Object.keys(forgedTokens('e30.e30.', SECRETS.customerAccess));

/** The same claims, the registered id included. */
const resign = (token: string, secret: string): string =>
  jsonwebtoken.sign(jsonwebtoken.decode(token) as JwtPayload, secret, { algorithm: 'HS256' });

const expectInvalid = (answer: HttpResponse): void => {
  expectError(answer, 401, 'TOKEN_INVALID');
  expect(answer.headers['www-authenticate']).to.equal('Bearer');
  expect(answer.headers).not.to.have.property('set-cookie');
};

describe('A token that is not the right one', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`on the routes of ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const other = () => service().client(otherKind(kind));
      let device: Device;
      let forgedAccess: Record<string, string>;
      let forgedRefresh: Record<string, string>;

      before(async () => {
        device = await client().openDevice(await client().createAccount());
        forgedAccess = forgedTokens(device.accessToken, SECRETS[`${kind.kind}Access`]);
        forgedRefresh = forgedTokens(device.refreshToken, SECRETS[`${kind.kind}Refresh`]);
      });
      after('the genuine tokens still work', async () => {
        expect((await client().me(device)).status).to.equal(200);
        await client().refreshed(device);
      });

      const expectRefusedAsAccess = async (token: string, calls = [client().me, client().signOut]) => {
        for (const call of calls) expectInvalid(await call({ ...device, accessToken: token }));
      };
      const expectRefusedAsRefresh = async (token: string) => {
        expectInvalid(await client().refresh({ ...device, refreshToken: token }));
        const header = { Cookie: undefined, Authorization: `Bearer ${token}` };
        expectInvalid(await client().refresh(device, header));
      };

      it('is refused when it is an access token of the other kind', async () => {
        const foreign = await other().openDevice(await other().createAccount(), device.fingerprint);
        await expectRefusedAsAccess(foreign.accessToken);
        await expectRefusedAsRefresh(foreign.accessToken);
        for (const call of [client().me, client().signOut]) expectInvalid(await call(foreign));
      });

      it('is refused when it is a refresh token of the other kind', async () => {
        const foreign = await other().openDevice(await other().createAccount(), device.fingerprint);
        await expectRefusedAsAccess(foreign.refreshToken);
        await expectRefusedAsRefresh(foreign.refreshToken);
        expectInvalid(await client().refresh(foreign));
        await other().refreshed(foreign);
      });

      it('is refused when it is signed with the secret of another kind or purpose', async () => {
        for (const [name, secret] of Object.entries(SECRETS)) {
          if (name !== `${kind.kind}Access`) await expectRefusedAsAccess(resign(device.accessToken, secret));
          if (name !== `${kind.kind}Refresh`)
            await expectRefusedAsRefresh(resign(device.refreshToken, secret));
        }
      });

      it('is refused when it is a refresh token and an access token is due', () =>
        expectRefusedAsAccess(device.refreshToken, [client().me, client().signOut, client().universalMe]));

      it('is refused when it is an access token and a refresh token is due', () =>
        expectRefusedAsRefresh(device.accessToken));

      for (const name of NAMES) {
        it(`is refused as access token: one ${name}`, () =>
          expectRefusedAsAccess(forgedAccess[name] ?? '', [
            client().me,
            client().signOut,
            client().universalMe,
          ]));
        it(`is refused as refresh token: one ${name}`, () =>
          expectRefusedAsRefresh(forgedRefresh[name] ?? ''));
      }

      it('is refused when it is missing', () => expectRefusedAsAccess(''));
    });
});
