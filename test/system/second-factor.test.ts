import { ADMINISTRATOR, bearer, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createInboxClient, type InboxClient } from '@platform/shared/testing/inbox';
import { expectError, send } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { nextTotpCode } from '../factor-client.ts';
import { scrape, sumOf } from './scrape.ts';
import {
  createAccount,
  createValidatingClient,
  passTotpSteps,
  readActions,
  readMethods,
  signInWithFactor,
  signInWithTotp,
} from './use-factors.ts';
import { usePlatform } from './use-platform.ts';

describe('second factor through the gateway', () => {
  const platform = usePlatform();
  let inbox: InboxClient;
  before('create the inbox client', () => {
    inbox = createInboxClient(platform().stack.inboxUrl);
  });

  for (const kind of [CUSTOMER, EMPLOYEE, ADMINISTRATOR])
    describe(`of ${kind.plural}`, () => {
      const setUp = async () => {
        const client = createValidatingClient(platform().gatewayUrl, kind);
        const account = await createAccount(client, platform().records);
        return { client, account, device: await client.auth.openDevice(account) };
      };

      it('is enabled with an authenticator app, which ends the other sessions and is mailed', async () => {
        const { client, account, device } = await setUp();
        const other = await client.auth.openDevice(account);
        expect(await client.readState(device)).to.deep.equal({
          totp: null,
          passkeys: [],
          recoveryCodesLeft: 0,
        });
        const { recoveryCodes } = await client.enableTotp(device);
        expect(new Set(recoveryCodes).size).to.equal(10);
        for (const code of recoveryCodes) expect(code).to.match(/^([a-z2-7]{4}-){5}[a-z2-7]{4}$/);
        expectError(await client.auth.me(other), 401, 'TOKEN_INVALID');
        expect((await client.auth.me(device)).status).to.equal(200);
        const { totp, recoveryCodesLeft } = await client.readState(device);
        expect(Date.parse(totp.enabledAt)).to.be.closeTo(Date.now(), 60_000);
        expect(recoveryCodesLeft).to.equal(10);
        expect(await readMethods(client, device)).to.deep.equal(['password', 'totp']);
        await inbox.untilMail(account.email, 'An authenticator app was added');
        expect(await readActions(platform().records, account)).to.include('TOTP_ENABLED');
      });

      it('completes a sign-in, whose response is that of a sign-in without a factor', async () => {
        const { client, account, device } = await setUp();
        const { email, password } = account;
        const before = await client.auth.signIn({ email, password }, uniqueFingerprint());
        const totp = await client.enableTotp(device);
        const fingerprint = uniqueFingerprint();
        const first = await client.auth.signIn({ email, password }, fingerprint);
        expectError(first, 401, 'SECOND_FACTOR_REQUIRED');
        expect(first.body.factors).to.deep.equal(['totp', 'recovery-code']);
        const { challenge } = first.body;
        const second = await client.secondStep(challenge, fingerprint, { totpCode: nextTotpCode(totp) });
        expect(second.status, second.text).to.equal(200);
        expect(Object.keys(second.body)).to.have.members(Object.keys(before.body));
        expect(second.body.user).to.deep.equal(before.body.user);
        expect(Object.keys(second.headers).sort()).to.deep.equal(Object.keys(before.headers).sort());
        const signedIn = client.auth.toDevice(second);
        expect(await readMethods(client, signedIn)).to.deep.equal(['password', 'totp']);
        await client.auth.expectSignedIn(signedIn);
        await client.auth.expectSignedIn(device);
      });

      it('accepts a recovery code in place of the app, and mails its use', async () => {
        const { client, account, device } = await setUp();
        const { recoveryCodes } = await client.enableTotp(device);
        const { device: signedIn } = await signInWithFactor(client, account, () => ({
          recoveryCode: recoveryCodes[3],
        }));
        expect(await readMethods(client, signedIn)).to.deep.equal(['password', 'recovery-code']);
        expect((await client.readState(signedIn)).recoveryCodesLeft).to.equal(9);
        await client.auth.expectSignedIn(device);
        await inbox.untilMail(account.email, 'A recovery code was used');
        expect(await readActions(platform().records, account)).to.include('RECOVERY_CODE_USED');
      });

      it('gets new recovery codes, and is switched off with password and code', async () => {
        const { client, account, device } = await setUp();
        const totp = await client.enableTotp(device);
        const other = await signInWithTotp(client, account, platform().records, totp);
        await passTotpSteps(platform().records, account);
        const proof = { currentPassword: PASSWORD, totpCode: totpCode(totp.secret) };
        const replaced = await client.as(device, 'POST', '/second-factor/recovery-codes', proof);
        expect(replaced.body.recoveryCodes, replaced.text).to.have.lengthOf(10);
        expectError(await client.auth.me(other), 401, 'TOKEN_INVALID');
        const old = { currentPassword: PASSWORD, recoveryCode: totp.recoveryCodes[0] };
        const refused = await client.as(device, 'DELETE', '/second-factor/totp', old);
        expectError(refused, 401, 'SECOND_FACTOR_INVALID');
        const removal = { currentPassword: PASSWORD, recoveryCode: replaced.body.recoveryCodes[0] };
        expect((await client.as(device, 'DELETE', '/second-factor/totp', removal)).status).to.equal(204);
        expect(await client.readState(device)).to.deep.equal({
          totp: null,
          passkeys: [],
          recoveryCodesLeft: 0,
        });
        await client.auth.openDevice(account);
        await inbox.untilMail(account.email, 'Your recovery codes were replaced');
        await inbox.untilMail(account.email, 'The authenticator app was removed');
        expect(await readActions(platform().records, account)).to.include.members([
          'RECOVERY_CODES_REPLACED',
          'TOTP_DISABLED',
        ]);
      });

      it('is removed by an ADMIN, which signs the user out, is audited and mailed', async () => {
        const { client, account, device } = await setUp();
        const totp = await client.enableTotp(device);
        const fingerprint = uniqueFingerprint();
        const challenge = await client.openChallenge(account, fingerprint);
        const admins = createValidatingClient(platform().gatewayUrl, ADMINISTRATOR);
        const admin = await createAccount(admins, platform().records);
        const path = `/api/v1/users/${account.userId}/second-factor`;
        const remove = async () =>
          await send(platform().gatewayUrl, 'DELETE', path, {
            headers: bearer(await admins.auth.openDevice(admin)),
          });
        expect((await remove()).status).to.equal(204);
        await client.auth.expectSignedOut(device);
        const late = await client.secondStep(challenge, fingerprint, { totpCode: nextTotpCode(totp) });
        expectError(late, 401, 'CHALLENGE_INVALID');
        await client.auth.openDevice(account);
        await inbox.untilMail(account.email, 'Your second factors were removed by an administrator');
        expect((await remove()).status).to.equal(204);
        const resets = (await platform().records.auditOf(account.userId)).filter(
          ({ action }) => action === 'SECOND_FACTOR_RESET',
        );
        expect(resets.map(({ actorId }) => actorId)).to.deep.equal([admin.userId]);
      });
    });

  it('belongs to the user: an ADMIN who is also a customer has one', async () => {
    const { records, gatewayUrl } = platform();
    const { id, email, password } = await records.user(['ADMIN', 'CUSTOMER'], { isEmailVerified: true });
    const account = { userId: id, email, password };
    const customers = createValidatingClient(gatewayUrl, CUSTOMER);
    const admins = createValidatingClient(gatewayUrl, ADMINISTRATOR);
    const totp = await customers.enableTotp(await customers.auth.openDevice(account));
    expectError(await admins.auth.signIn({ email, password }, 'device'), 401, 'SECOND_FACTOR_REQUIRED');
    const device = await signInWithTotp(admins, account, records, totp);
    expect((await admins.readState(device)).recoveryCodesLeft).to.equal(10);
  });

  it('is counted by sign_ins_total with the last method shown', async () => {
    const { stack, records, gatewayUrl } = platform();
    const client = createValidatingClient(gatewayUrl, EMPLOYEE);
    const account = await createAccount(client, records);
    const totp = await client.enableTotp(await client.auth.openDevice(account));
    const labels = (outcome: string, method: string) => ({ kind: 'employee', outcome, method });
    const series = [
      labels('second-factor-required', 'password'),
      labels('success', 'totp'),
      labels('success', 'recovery-code'),
      labels('failure', 'totp'),
      labels('success', 'password'),
    ];
    const read = async () => {
      const page = await scrape(stack, 'auth');
      return series.map((each) => sumOf(page, 'sign_ins_total', each) ?? 0);
    };
    const before = await read();
    await signInWithTotp(client, account, records, totp);
    await signInWithFactor(client, account, () => ({ recoveryCode: totp.recoveryCodes[0] }));
    const fingerprint = uniqueFingerprint();
    const challenge = await client.openChallenge(account, fingerprint);
    const wrong = await client.secondStep(challenge, fingerprint, { totpCode: nextTotpCode(totp) });
    expectError(wrong, 401, 'SECOND_FACTOR_INVALID');
    const after = await read();
    expect(after.map((value, index) => value - (before[index] ?? 0))).to.deep.equal([3, 1, 1, 1, 0]);
  });
});
