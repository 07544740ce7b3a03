import { ACCOUNT_KINDS, type AuthClient, type Device } from '@platform/shared/testing/auth-client';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from './auth-service.ts';

const expectCookieCleared = (answer: Parameters<typeof parseSetCookies>[0], name: string): void => {
  const [cookie, ...others] = parseSetCookies(answer);
  expect(others).to.deep.equal([]);
  expect(cookie).to.deep.include({ name, value: '' });
  expect(cookie?.attributes).to.deep.equal({
    path: '/',
    expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
    httponly: true,
    secure: true,
    samesite: 'None',
  });
};

const expectSignedOut = async (client: AuthClient, device: Device): Promise<void> => {
  expectError(await client.me(device), 401, 'TOKEN_INVALID');
  expectError(await client.refresh(device), 401, 'TOKEN_INVALID');
};

describe('A refresh token that comes back', () => {
  const service = useAuthService({ REFRESH_REUSE_LEEWAY_SECONDS: '10' });

  for (const kind of ACCOUNT_KINDS)
    describe(`from one of the ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const signedIn = async () => client().openDevice(await client().createAccount());
      /** As if the device had done all that so much earlier. */
      const backdate = ({ sessionId }: Device, seconds: number) =>
        queryDatabase(
          service().databaseUrl,
          `update superseded_refresh_tokens set superseded_at = superseded_at - make_interval(secs => $2)
           where token_id = (select token_id from sessions where id = $1)`,
          [sessionId, seconds],
        );

      it('When it was exchanged a moment ago, then it is superseded: nothing is revoked, no cookie touched', async () => {
        const before = await signedIn();
        const after = await client().refreshed(before);
        for (let round = 0; round < 3; round += 1) {
          const answer = await client().refresh(before);
          expectError(answer, 401, 'REFRESH_TOKEN_SUPERSEDED');
          expect(answer.headers['www-authenticate']).to.equal('Bearer');
          expect(answer.headers).not.to.have.property('set-cookie');
        }
        expect((await client().me(after)).status).to.equal(200);
        await client().refreshed(after);
      });

      it('When nine seconds have passed since its exchange, then it is superseded still', async () => {
        const before = await signedIn();
        const after = await client().refreshed(before);
        await backdate(after, 9);
        expectError(await client().refresh(before), 401, 'REFRESH_TOKEN_SUPERSEDED');
        await client().refreshed(after);
      });

      it('When ten seconds have passed since its exchange, then it is reused: tokens removed, cookie cleared', async () => {
        const before = await signedIn();
        const after = await client().refreshed(before);
        await backdate(after, 10);
        const answer = await client().refresh(before);
        expectError(answer, 401, 'REFRESH_TOKEN_REUSED');
        expect(answer.headers['www-authenticate']).to.equal('Bearer');
        expectCookieCleared(answer, kind.refreshCookie);
        await expectSignedOut(client(), after);
      });

      it('When another exchange has followed its own, then it is reused at once', async () => {
        const first = await signedIn();
        const second = await client().refreshed(first);
        const third = await client().refreshed(second);
        const answer = await client().refresh(first);
        expectError(answer, 401, 'REFRESH_TOKEN_REUSED');
        expectCookieCleared(answer, kind.refreshCookie);
        await expectSignedOut(client(), third);
        expectError(await client().refresh(second), 401, 'TOKEN_INVALID');
      });

      it('When it is reused, then the session stays for the next sign-in of the device', async () => {
        const account = await client().createAccount();
        const first = await client().openDevice(account);
        await client().refreshed(await client().refreshed(first));
        expectError(await client().refresh(first), 401, 'REFRESH_TOKEN_REUSED');
        expectError(await client().refresh(first), 401, 'TOKEN_INVALID');

        const again = await client().openDevice(account, first.fingerprint);
        expect(again.sessionId).to.equal(first.sessionId);
        await client().refreshed(again);
      });

      it('When it is reused, then the other devices of the user stay signed in', async () => {
        const account = await client().createAccount();
        const [stolen, other] = [await client().openDevice(account), await client().openDevice(account)];
        await client().refreshed(await client().refreshed(stolen));
        expectError(await client().refresh(stolen), 401, 'REFRESH_TOKEN_REUSED');
        expect((await client().me(other)).status).to.equal(200);
        await client().refreshed(other);
      });

      it('When a thief has neither the fingerprint nor the session id, then it is reused all the same', async () => {
        const first = await signedIn();
        const third = await client().refreshed(await client().refreshed(first));
        const thief = { 'X-Fingerprint': undefined, 'X-Session-Id': undefined };
        expectError(await client().refresh(first, thief), 401, 'REFRESH_TOKEN_REUSED');
        await expectSignedOut(client(), third);
      });

      it('When it comes in the Authorization header, then it is judged like one in the cookie', async () => {
        const first = await signedIn();
        const second = await client().refreshed(first);
        const header = { Cookie: undefined, Authorization: `Bearer ${first.refreshToken}` };
        expectError(await client().refresh(first, header), 401, 'REFRESH_TOKEN_SUPERSEDED');
        await client().refreshed(second);
        const answer = await client().refresh(first, header);
        expectError(answer, 401, 'REFRESH_TOKEN_REUSED');
        expectCookieCleared(answer, kind.refreshCookie);
      });

      it('When it is from before the last sign-in of the device, then it is invalid and revokes nothing', async () => {
        const account = await client().createAccount();
        const first = await client().openDevice(account);
        const second = await client().refreshed(first);
        const third = await client().openDevice(account, first.fingerprint);
        for (const old of [first, second]) {
          const answer = await client().refresh(old);
          expectError(answer, 401, 'TOKEN_INVALID');
          expect(answer.headers).not.to.have.property('set-cookie');
        }
        await client().refreshed(third);
      });
    });
});

describe('A refresh token that comes back where no leeway is given', () => {
  const service = useAuthService({ REFRESH_REUSE_LEEWAY_SECONDS: '0' });

  for (const kind of ACCOUNT_KINDS)
    describe(`from one of the ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const signedIn = async () => client().openDevice(await client().createAccount());

      it('When it was exchanged before, then it is reused at once', async () => {
        const before = await signedIn();
        const after = await client().refreshed(before);
        const answer = await client().refresh(before);
        expectError(answer, 401, 'REFRESH_TOKEN_REUSED');
        expectCookieCleared(answer, kind.refreshCookie);
        await expectSignedOut(client(), after);
      });

      it('When two requests exchange it in the same instant, then the slower one reuses it and clears the cookie', async () => {
        const device = await signedIn();
        const lock = await holdLock(
          service().databaseUrl,
          'select 1 from token_records join sessions on token_id = token_records.id where sessions.id = $1 for update',
          [device.sessionId],
        );
        // Both have passed the guard, with the token still current, when the first is let through.
        const both = Promise.all([client().refresh(device), client().refresh(device)]);
        await lock.untilWaiting(2);
        await lock.release();
        const [reused, ...others] = (await both).filter(({ status }) => status !== 200);
        expect(others).to.deep.equal([]);
        if (!reused) throw new Error('Both exchanged the token');
        expectError(reused, 401, 'REFRESH_TOKEN_REUSED');
        expectCookieCleared(reused, kind.refreshCookie);
      });
    });
});
