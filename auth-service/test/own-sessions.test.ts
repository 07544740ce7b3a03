import { randomUUID } from 'node:crypto';
import {
  type AccountKind,
  accessHeaders,
  CUSTOMER,
  type Device,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { queryDatabase, setBlocked } from '@platform/shared/testing/query-database';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ALL_KINDS, createAnyAccount } from './any-account.ts';
import { useAuthService } from './auth-service.ts';

type OwnSession = { id: string; fingerprint: string; isCurrent: boolean };

const sessionsOf = ({ status, body, text }: HttpResponse): OwnSession[] => {
  expect(status, text).to.equal(200);
  return body.data;
};

describe('Sessions for their owner', () => {
  const service = useAuthService();

  const call = (method: 'GET' | 'DELETE', kind: AccountKind, tail: string, token: string | undefined) => {
    const headers = { Authorization: token && `Bearer ${token}` };
    return send(service().url, method, `${kind.path}/sessions${tail}`, { headers });
  };

  for (const kind of ALL_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const newAccount = () => createAnyAccount(service(), kind);
      const list = ({ accessToken }: Device) => call('GET', kind, '', accessToken);
      const end = ({ accessToken }: Device, sessionId: string) =>
        call('DELETE', kind, `/${sessionId}`, accessToken);
      const endOthers = ({ accessToken }: Device) => call('DELETE', kind, '', accessToken);
      const expectSignedIn = async (device: Device) => {
        expect((await client().me(device)).status).to.equal(200);
        await client().refreshed(device);
      };
      const expectSignedOut = async (device: Device) => {
        expectError(await client().me(device), 401, 'TOKEN_INVALID');
        expectError(await client().refresh(device), 401, 'TOKEN_INVALID');
        expectError(await list(device), 401, 'TOKEN_INVALID');
      };
      const idsIn = async (device: Device) => sessionsOf(await list(device)).map(({ id }) => id);

      it('When one device is signed in, then the list holds its session, as sign-in showed it', async () => {
        const account = await newAccount();
        const fingerprint = uniqueFingerprint();
        const signedIn = await client().signIn(account, fingerprint);
        const answer = await list(client().toDevice(signedIn));
        expect(answer.headers['cache-control']).to.equal('no-store');
        expect(answer.body).to.deep.equal({ data: [{ ...signedIn.body.session, isCurrent: true }] });
      });

      it('When three devices are signed in, then each sees all three, the latest sign-in first, and itself marked', async () => {
        const account = await newAccount();
        const [one, two, three] = [
          await client().openDevice(account),
          await client().openDevice(account),
          await client().openDevice(account),
        ];
        for (const device of [one, two, three]) {
          const sessions = sessionsOf(await list(device));
          expect(sessions.map(({ id }) => id)).to.deep.equal([three, two, one].map((each) => each.sessionId));
          expect(sessions.filter(({ isCurrent }) => isCurrent).map(({ id }) => id)).to.deep.equal([
            device.sessionId,
          ]);
        }
        await client().openDevice(account, one.fingerprint);
        expect((await idsIn(two))[0]).to.equal(one.sessionId);
      });

      it('When somebody else is signed in, then neither sees the other', async () => {
        const mine = await client().openDevice(await newAccount(), 'a device that two share');
        const theirs = await client().openDevice(await newAccount(), 'a device that two share');
        expect(await idsIn(mine)).to.deep.equal([mine.sessionId]);
        expect(await idsIn(theirs)).to.deep.equal([theirs.sessionId]);
      });

      it('When a session has signed out or expired, then it is not listed', async () => {
        const account = await newAccount();
        const [mine, gone, expired] = [
          await client().openDevice(account),
          await client().openDevice(account),
          await client().openDevice(account),
        ];
        expect((await client().signOut(gone)).status).to.equal(204);
        await queryDatabase(
          service().databaseUrl,
          `update token_records set refresh_token_expired_at = now() - interval '1 second'
           where id = (select token_id from sessions where id = $1)`,
          [expired.sessionId],
        );
        expect(await idsIn(mine)).to.deep.equal([mine.sessionId]);
      });

      it('When one session is ended, then its tokens are dead at the next request and the others live', async () => {
        const account = await newAccount();
        const [mine, lost, other] = [
          await client().openDevice(account),
          await client().openDevice(account),
          await client().openDevice(account),
        ];
        const answer = await end(mine, lost.sessionId);
        expect({ status: answer.status, text: answer.text }).to.deep.equal({ status: 204, text: '' });
        await expectSignedOut(lost);
        await expectSignedIn(other);
        await expectSignedIn(mine);
      });

      it('When a session is ended, then the device may sign in again, with the same session', async () => {
        const account = await newAccount();
        const [mine, lost] = [await client().openDevice(account), await client().openDevice(account)];
        expect((await end(mine, lost.sessionId)).status).to.equal(204);
        const again = await client().openDevice(account, lost.fingerprint);
        expect(again.sessionId).to.equal(lost.sessionId);
        expect(await idsIn(again)).to.have.members([mine.sessionId, lost.sessionId]);
        await expectSignedIn(again);
      });

      it('When a session is ended in another letter case of its id, then it is the same', async () => {
        const account = await newAccount();
        const [mine, lost] = [await client().openDevice(account), await client().openDevice(account)];
        expect((await end(mine, lost.sessionId.toUpperCase())).status).to.equal(204);
        await expectSignedOut(lost);
      });

      it('When one ends the session that one uses, then it is signed out', async () => {
        const account = await newAccount();
        const [mine, other] = [await client().openDevice(account), await client().openDevice(account)];
        expect((await end(mine, mine.sessionId)).status).to.equal(204);
        await expectSignedOut(mine);
        await expectSignedIn(other);
      });

      it("When the id is another user's session, an ended one or none, then it is 404 in the same words, and nobody is signed out", async () => {
        const account = await newAccount();
        const [mine, ended] = [await client().openDevice(account), await client().openDevice(account)];
        const theirs = await client().openDevice(await newAccount());
        expect((await end(mine, ended.sessionId)).status).to.equal(204);
        const answers = [
          await end(mine, theirs.sessionId),
          await end(mine, ended.sessionId),
          await end(mine, randomUUID()),
        ];
        for (const answer of answers) expectError(answer, 404, 'SESSION_NOT_FOUND');
        expect(new Set(answers.map(({ body }) => body.message)).size).to.equal(1);
        await expectSignedIn(theirs);
        await expectSignedIn(mine);
      });

      it('When the id is no UUID, then the path breaks the contract', async () => {
        const mine = await client().openDevice(await newAccount());
        for (const id of ['1', 'all', `${mine.sessionId}x`, `urn:uuid:${mine.sessionId}`, "'%20or%201=1"])
          expectError(await end(mine, id), 400, 'VALIDATION_FAILED', '/params/sessionId');
        await expectSignedIn(mine);
      });

      it('When the others are ended, then this device alone stays signed in, and nobody else is touched', async () => {
        const account = await newAccount();
        const [mine, ...others] = [
          await client().openDevice(account),
          await client().openDevice(account),
          await client().openDevice(account),
        ];
        const stranger = await client().openDevice(await newAccount());
        const answer = await endOthers(mine);
        expect({ status: answer.status, text: answer.text }).to.deep.equal({ status: 204, text: '' });
        for (const other of others) await expectSignedOut(other);
        expect(await idsIn(mine)).to.deep.equal([mine.sessionId]);
        await expectSignedIn(mine);
        await expectSignedIn(stranger);
        expect(
          (await endOthers({ ...mine, ...(await client().openDevice(account, mine.fingerprint)) })).status,
        ).to.equal(204);
      });

      it('When two devices end each other in the same instant, then one of them at most stays', async () => {
        const account = await newAccount();
        const [one, two] = [await client().openDevice(account), await client().openDevice(account)];
        const answers = await Promise.all([endOthers(one), endOthers(two)]);
        for (const { status } of answers) expect(status).to.be.oneOf([204, 401]);
        const alive = [await client().me(one), await client().me(two)].filter(({ status }) => status === 200);
        expect(alive.length).to.be.at.most(1);
      });

      it('Neither the fingerprint nor the session id has to be sent, and a wrong one does not matter', async () => {
        const mine = await client().openDevice(await newAccount());
        const headers = { ...accessHeaders(mine), 'X-Fingerprint': 'another', 'X-Session-Id': randomUUID() };
        const answer = await send(service().url, 'GET', `${kind.path}/sessions`, { headers });
        expect(sessionsOf(answer).map(({ id }) => id)).to.deep.equal([mine.sessionId]);
      });

      it('Without a token, with a refresh token or one of another kind, then it is 401 and nothing ends', async () => {
        const account = await newAccount();
        const mine = await client().openDevice(account);
        const foreign = kind === CUSTOMER ? EMPLOYEE : CUSTOMER;
        const stranger = await service()
          .client(foreign)
          .openDevice(await createAnyAccount(service(), foreign));
        for (const token of [undefined, mine.refreshToken, stranger.accessToken, 'garbage'])
          for (const answer of [
            await call('GET', kind, '', token),
            await call('DELETE', kind, '', token),
            await call('DELETE', kind, `/${mine.sessionId}`, token),
          ]) {
            expectError(answer, 401, 'TOKEN_INVALID');
            expect(answer.headers['www-authenticate']).to.equal('Bearer');
          }
        await expectSignedIn(mine);
      });

      it('When the user is blocked, then the token ends nothing', async () => {
        const account = await newAccount();
        const [mine, other] = [await client().openDevice(account), await client().openDevice(account)];
        await setBlocked(service().databaseUrl, account.userId, true);
        for (const answer of [await list(mine), await end(mine, other.sessionId), await endOthers(mine)])
          expectError(answer, 401, 'USER_BLOCKED');
        await setBlocked(service().databaseUrl, account.userId, false);
        await expectSignedIn(other);
      });
    });
});
