import { ACCOUNT_KINDS, otherKind } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { forgedTokens } from '@platform/shared/testing/forged-tokens';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import jsonwebtoken, { type JwtPayload } from 'jsonwebtoken';
import { SECRETS, useAuthService } from '../../testing/auth-service.ts';

/** The names of all forgeries. Each is a separate test. */
const NAMES = Object.keys(forgedTokens('e30.e30.', SECRETS.customerAccess));

/** Signs a token with the claims of a valid one, including its id unless `changes` contains another. */
const resign = (token: string, secret: string, changes: object = {}): string => {
  const claims = { ...(jsonwebtoken.decode(token) as JwtPayload), ...changes };
  return jsonwebtoken.sign(claims, secret, { algorithm: 'HS256' });
};

const expectInvalid = (response: HttpResponse): void => {
  expectError(response, 401, 'TOKEN_INVALID');
  expect(response.headers['www-authenticate']).to.equal('Bearer');
  expect(response.headers).not.to.have.property('set-cookie');
};

describe('token confusion', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`on the routes of ${kind.plural}`, () => {
      const client = () => service().as(kind);
      const other = () => service().as(otherKind(kind));
      let device: Device;
      let forgedAccess: Record<string, string>;
      let forgedRefresh: Record<string, string>;

      before(async () => {
        device = await client().createDevice();
        forgedAccess = forgedTokens(device.accessToken, SECRETS[`${kind.kind}Access`]);
        forgedRefresh = forgedTokens(device.refreshToken, SECRETS[`${kind.kind}Refresh`]);
      });
      after('the genuine tokens still work', async () => {
        expect((await client().me(device)).status).to.equal(200);
        await client().refreshed(device);
      });

      const expectRejectedAsAccess = async (token: string, calls = [client().me, client().signOut]) => {
        for (const call of calls) expectInvalid(await call({ ...device, accessToken: token }));
      };
      const expectRejectedAsRefresh = async (token: string) => {
        expectInvalid(await client().refreshToken({ ...device, refreshToken: token }));
        const header = { Cookie: undefined, Authorization: `Bearer ${token}` };
        expectInvalid(await client().refreshToken({ ...device, headers: header }));
      };

      it('rejects an access token of another kind', async () => {
        const foreign = await other().openDevice(await other().createAccount(), device.fingerprint);
        await expectRejectedAsAccess(foreign.accessToken);
        await expectRejectedAsRefresh(foreign.accessToken);
        for (const call of [client().me, client().signOut]) expectInvalid(await call(foreign));
      });

      it('rejects a refresh token of another kind', async () => {
        const foreign = await other().openDevice(await other().createAccount(), device.fingerprint);
        await expectRejectedAsAccess(foreign.refreshToken);
        await expectRejectedAsRefresh(foreign.refreshToken);
        expectInvalid(await client().refreshToken(foreign));
        await other().refreshed(foreign);
      });

      it('rejects a token signed with the secret of another kind or purpose', async () => {
        for (const [name, secret] of Object.entries(SECRETS)) {
          if (name !== `${kind.kind}Access`) await expectRejectedAsAccess(resign(device.accessToken, secret));
          if (name !== `${kind.kind}Refresh`)
            await expectRejectedAsRefresh(resign(device.refreshToken, secret));
        }
      });

      it('rejects a refresh token as an access token', () =>
        expectRejectedAsAccess(device.refreshToken, [client().me, client().signOut, client().universalMe]));

      it('rejects an access token as a refresh token', () => expectRejectedAsRefresh(device.accessToken));

      for (const name of NAMES) {
        it(`rejects an access token ${name}`, () =>
          expectRejectedAsAccess(forgedAccess[name] ?? '', [
            client().me,
            client().signOut,
            client().universalMe,
          ]));
        it(`rejects a refresh token ${name}`, () => expectRejectedAsRefresh(forgedRefresh[name] ?? ''));
      }

      it('rejects tokens with the ids that the database stores, also with the right secret', async () => {
        const { userId } = jsonwebtoken.decode(device.accessToken) as { userId: string };
        const [stored] = await queryDatabase<{ ids: string[] }>(
          service().databaseUrl,
          'select array[access_token_id, refresh_token_id] as ids from token_records where user_id = $1',
          [userId],
        );
        expect(stored?.ids).to.have.lengthOf(2);
        for (const jti of stored?.ids ?? []) {
          await expectRejectedAsAccess(resign(device.accessToken, SECRETS[`${kind.kind}Access`], { jti }));
          await expectRejectedAsRefresh(resign(device.refreshToken, SECRETS[`${kind.kind}Refresh`], { jti }));
        }
      });

      it('rejects a missing token', () => expectRejectedAsAccess(''));
    });
});

describe('message of TOKEN_INVALID', () => {
  const service = useAuthService();

  it('names the access token or the refresh token', async () => {
    const client = () => service().as('customer');
    const device = { ...(await client().createDevice()), accessToken: '', refreshToken: '' };
    const passwords = { currentPassword: PASSWORD, newPassword: `${PASSWORD} new` };
    const cookie = { ...device, headers: { Cookie: undefined } };
    for (const [response, wanted] of [
      [await client().me(device), 'access'],
      [await client().listSessions(device), 'access'],
      [await client().refreshToken(cookie), 'refresh'],
      [await client().readSession(cookie), 'refresh'],
      [await client().resetPasswordMe({ ...cookie, body: passwords }), 'refresh'],
    ] as const) {
      expectError(response, 401, 'TOKEN_INVALID');
      expect(response.body.message).to.equal(`The ${wanted} token is missing, expired or not valid here`);
    }
  });
});
