import { ACCOUNT_KINDS, createAuthClient, type Device } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { countSessions } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { usePlatform } from './use-platform.ts';

const CONCURRENCY = 50;
const runConcurrently = <Result>(request: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: CONCURRENCY }, (_, index) => request(index)));

describe(`${CONCURRENCY} concurrent requests`, () => {
  const platform = usePlatform();

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => createAuthClient(platform().gatewayUrl, kind);
      const expectOneSession = async (userId: string) =>
        expect(await countSessions(platform().stack.databaseUrl, userId)).to.deep.equal({
          sessions: 1,
          tokenRecords: 1,
        });

      it('exchange one refresh token once; the other responses sign nobody out', async () => {
        const account = await client().createAccount();
        const device = await client().openDevice(account);
        const otherDevice = await client().openDevice(account);

        const responses = await runConcurrently(() => client().refresh(device));
        const winners = responses.filter(({ status }) => status === 200);
        expect(winners).to.have.length(1);
        const losers = responses.filter(({ status }) => status !== 200);
        for (const response of losers) {
          expectError(response, 401, 'REFRESH_TOKEN_SUPERSEDED');
          expect(response.headers).not.to.have.property('set-cookie');
        }

        const [winner] = winners;
        if (!winner) throw new Error('No refresh succeeded');
        const after = client().afterRefresh(device, winner);
        expect((await client().me(after)).status).to.equal(200);
        expect((await client().me(otherDevice)).status).to.equal(200);
        expect(await countSessions(platform().stack.databaseUrl, account.userId)).to.deep.equal({
          sessions: 2,
          tokenRecords: 2,
        });
        await client().refreshed(after);
      });

      const expectOneValidToken = async (devices: Device[], userId: string) => {
        const responses = await Promise.all(devices.map((device) => client().me(device)));
        expect(responses.filter(({ status }) => status === 200)).to.have.length(1);
        expect(new Set(devices.map(({ sessionId }) => sessionId)).size).to.equal(1);
        await expectOneSession(userId);
      };

      it('that sign in on a new device leave one session with one token record', async () => {
        const account = await client().createAccount();
        const fingerprint = uniqueFingerprint();
        const devices = await runConcurrently(() => client().openDevice(account, fingerprint));
        await expectOneValidToken(devices, account.userId);
      });

      it('that sign in on a device with a session leave that session with one token record', async () => {
        const account = await client().createAccount();
        const before = await client().openDevice(account);
        const devices = await runConcurrently(() => client().openDevice(account, before.fingerprint));
        expect(devices[0]?.sessionId).to.equal(before.sessionId);
        expectError(await client().me(before), 401, 'TOKEN_INVALID');
        await expectOneValidToken(devices, account.userId);
      });

      it('that sign in, refresh and sign out on one device leave one session and at most one token record', async () => {
        const account = await client().createAccount();
        const device = await client().openDevice(account);
        const signIn = () =>
          client().signIn({ email: account.email, password: account.password }, device.fingerprint);
        const responses = await runConcurrently(
          (index) =>
            [() => client().refresh(device), signIn, () => client().signOut(device)][index % 3]?.() ??
            signIn(),
        );
        for (const { status, text } of responses) expect(status, text).to.be.oneOf([200, 204, 401]);
        const { sessions, tokenRecords } = await countSessions(platform().stack.databaseUrl, account.userId);
        expect(sessions).to.equal(1);
        expect(tokenRecords).to.be.at.most(1);
        const after = await client().openDevice(account, device.fingerprint);
        expect(after.sessionId).to.equal(device.sessionId);
        await client().refreshed(after);
      });

      it('that sign up with one e-mail in two letter cases create one account', async () => {
        const email = uniqueEmail();
        const responses = await runConcurrently((index) =>
          client().signUp({ email: index % 2 ? email : email.toUpperCase(), password: PASSWORD }),
        );
        const created = responses.filter(({ status }) => status === 201);
        expect(created).to.have.length(1);
        for (const response of responses)
          if (!created.includes(response)) expectError(response, 409, 'EMAIL_TAKEN');
        await client().openDevice({ email, password: PASSWORD });
      });
    });
});
