import type { AccountKind, Device } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { countSessions, queryDatabase } from '@platform/shared/testing/query-database';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import jsonwebtoken, { type JwtPayload } from 'jsonwebtoken';
import { ALL_KINDS, createAnyAccount } from './any-account.ts';
import { type RunningAuthService, useAuthService } from './auth-service.ts';

/** As if the device had signed in so much earlier. */
const age = (service: RunningAuthService, { sessionId }: Device, seconds: number) =>
  queryDatabase(
    service.databaseUrl,
    `update token_records set created_at = created_at - make_interval(secs => $2),
       access_token_expired_at = access_token_expired_at - make_interval(secs => $2),
       refresh_token_expired_at = refresh_token_expired_at - make_interval(secs => $2)
     where id = (select token_id from sessions where id = $1)`,
    [sessionId, seconds],
  );

/** How long each of the device's tokens was made to last, in seconds. */
const lifetimesOf = ({ accessToken, refreshToken }: Device): number[] =>
  [accessToken, refreshToken].map((token) => {
    const { iat = 0, exp = 0 } = jsonwebtoken.decode(token) as JwtPayload;
    return exp - iat;
  });

describe('A session of which SESSION_MAX_AGE sets the length', () => {
  const service = useAuthService({ SESSION_MAX_AGE: '3000' });

  for (const kind of ALL_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const signedIn = async () => {
        const account = await createAnyAccount(service(), kind);
        return { account, device: await client().openDevice(account) };
      };

      it('When it is younger, then it works and is refreshed', async () => {
        const { device } = await signedIn();
        await age(service(), device, 2_900);
        expect((await client().me(device)).status).to.equal(200);
        await client().refreshed(device);
      });

      it('When it is older, then its access token is dead on every route', async () => {
        const { device } = await signedIn();
        await age(service(), device, 3_001);
        expectError(await client().me(device), 401, 'TOKEN_INVALID');
        expectError(await client().universalMe(device), 401, 'TOKEN_INVALID');
        expectError(await client().signOut(device), 401, 'TOKEN_INVALID');
      });

      it('When it is older, then it is not refreshed, and its tokens are gone', async () => {
        const { account, device } = await signedIn();
        await age(service(), device, 3_001);
        const answer = await client().refresh(device);
        expectError(answer, 401, 'TOKEN_INVALID');
        expect(parseSetCookies(answer)).to.deep.equal([]);
        expect(await countSessions(service().databaseUrl, account.userId)).to.deep.equal({
          sessions: 1,
          tokenRecords: 0,
        });
      });

      it('Its tokens end when it does, so that no service takes them for longer', async () => {
        const { device } = await signedIn();
        const [full] = lifetimesOf(device);
        expect(lifetimesOf(device)).to.deep.equal([full, full]);
        expect(full).to.be.within(2_999, 3_000);
        await age(service(), device, 2_000);
        for (const seconds of lifetimesOf(await client().refreshed(device)))
          expect(seconds).to.be.within(990, 1_000);
      });

      it('When it was refreshed again and again, then its age still counts from the sign-in', async () => {
        const { device } = await signedIn();
        await age(service(), device, 1_500);
        const later = await client().refreshed(device);
        await age(service(), later, 1_400);
        const latest = await client().refreshed(later);
        await age(service(), latest, 101);
        expectError(await client().me(latest), 401, 'TOKEN_INVALID');
        expectError(await client().refresh(latest), 401, 'TOKEN_INVALID');
      });

      it('When it is older, then its token changes no password', async () => {
        const { account, device } = await signedIn();
        await age(service(), device, 3_001);
        const answer = await send(service().url, 'POST', `${kind.path}/reset-password/me`, {
          headers: { Cookie: `${kind.refreshCookie}=${device.refreshToken}` },
          body: { currentPassword: PASSWORD, newPassword: 'A better horse 2' },
        });
        expectError(answer, 401, 'TOKEN_INVALID');
        await client().openDevice(account);
      });

      it('When the device signs in again, then the same session starts anew', async () => {
        const { account, device } = await signedIn();
        await age(service(), device, 3_001);
        const again = await client().openDevice(account, device.fingerprint);
        expect(again.sessionId).to.equal(device.sessionId);
        expect((await client().me(again)).status).to.equal(200);
        await client().refreshed(again);
      });

      it('When another session of the user is older, then it is not in the list, and this one is untouched', async () => {
        const { account, device } = await signedIn();
        const old = await client().openDevice(account);
        await age(service(), old, 3_001);
        const answer = await send(service().url, 'GET', `${kind.path}/sessions`, {
          headers: { Authorization: `Bearer ${device.accessToken}` },
        });
        expect(answer.body.data.map(({ id }: { id: string }) => id)).to.deep.equal([device.sessionId]);
      });
    });
});

describe('A session without a SESSION_MAX_AGE', () => {
  const service = useAuthService();

  const livesOn = async (kind: AccountKind) => {
    const client = service().client(kind);
    const device = await client.openDevice(await createAnyAccount(service(), kind));
    await age(service(), device, 10 * 365 * 24 * 3_600);
    expect((await client.me(device)).status).to.equal(200);
    await client.refreshed(device);
  };

  for (const kind of ALL_KINDS)
    it(`When one of the ${kind.plural} refreshes for years, then it lives on`, () => livesOn(kind));
});
