import { ACCOUNT_KINDS, createAuthClient, type Device } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { countSessions } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { type StackFile, sharedStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';

const MANY = 50;
const atOnce = <Result>(work: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: MANY }, (_, index) => work(index)));

describe(`${MANY} requests at once`, () => {
  let stack: StackFile;
  before('start the stack', async function () {
    this.timeout(60_000);
    stack = (await sharedStack()).stack;
  });

  for (const kind of ACCOUNT_KINDS)
    describe(`from ${kind.plural}`, () => {
      const client = () => createAuthClient(stack.gatewayUrl, kind);
      const expectOneSession = async (userId: string) =>
        expect(await countSessions(stack.databaseUrl, userId)).to.deep.equal({
          sessions: 1,
          tokenRecords: 1,
        });

      it('When one refresh token is exchanged by all, then one wins, the others change nothing, nobody is signed out', async () => {
        const account = await client().createAccount();
        const device = await client().openDevice(account);
        const bystander = await client().openDevice(account);

        const answers = await atOnce(() => client().refresh(device));
        const winners = answers.filter(({ status }) => status === 200);
        expect(winners).to.have.length(1);
        const losers = answers.filter(({ status }) => status !== 200);
        for (const answer of losers) {
          expectError(answer, 401, 'REFRESH_TOKEN_SUPERSEDED');
          expect(answer.headers).not.to.have.property('set-cookie');
        }

        const [winner] = winners;
        if (!winner) throw new Error('Nobody won');
        const after = client().afterRefresh(device, winner);
        expect((await client().me(after)).status).to.equal(200);
        expect((await client().me(bystander)).status).to.equal(200);
        expect(await countSessions(stack.databaseUrl, account.userId)).to.deep.equal({
          sessions: 2,
          tokenRecords: 2,
        });
        await client().refreshed(after);
      });

      const expectOneWorks = async (devices: Device[], userId: string) => {
        const answers = await Promise.all(devices.map((device) => client().me(device)));
        expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
        expect(new Set(devices.map(({ sessionId }) => sessionId)).size).to.equal(1);
        await expectOneSession(userId);
      };

      it('When all sign in from a device that never did, then one session with one token record remains', async () => {
        const account = await client().createAccount();
        const fingerprint = uniqueFingerprint();
        const devices = await atOnce(() => client().openDevice(account, fingerprint));
        await expectOneWorks(devices, account.userId);
      });

      it('When all sign in from a device that has a session, then that session with one token record remains', async () => {
        const account = await client().createAccount();
        const before = await client().openDevice(account);
        const devices = await atOnce(() => client().openDevice(account, before.fingerprint));
        expect(devices[0]?.sessionId).to.equal(before.sessionId);
        expectError(await client().me(before), 401, 'TOKEN_INVALID');
        await expectOneWorks(devices, account.userId);
      });

      it('When sign-ins, refreshes and sign-outs of one device meet, then one session and at most one token record remain', async () => {
        const account = await client().createAccount();
        const device = await client().openDevice(account);
        const signIn = () =>
          client().signIn({ email: account.email, password: account.password }, device.fingerprint);
        const answers = await atOnce(
          (index) =>
            [() => client().refresh(device), signIn, () => client().signOut(device)][index % 3]?.() ??
            signIn(),
        );
        for (const { status, text } of answers) expect(status, text).to.be.oneOf([200, 204, 401]);
        const { sessions, tokenRecords } = await countSessions(stack.databaseUrl, account.userId);
        expect(sessions).to.equal(1);
        expect(tokenRecords).to.be.at.most(1);
        const after = await client().openDevice(account, device.fingerprint);
        expect(after.sessionId).to.equal(device.sessionId);
        await client().refreshed(after);
      });

      it('When all sign up with one e-mail in two letter cases, then one gets it', async () => {
        const email = uniqueEmail();
        const answers = await atOnce((index) =>
          client().signUp({ email: index % 2 ? email : email.toUpperCase(), password: PASSWORD }),
        );
        const created = answers.filter(({ status }) => status === 201);
        expect(created).to.have.length(1);
        for (const answer of answers) if (!created.includes(answer)) expectError(answer, 409, 'EMAIL_TAKEN');
        await client().openDevice({ email, password: PASSWORD });
      });
    });
});
