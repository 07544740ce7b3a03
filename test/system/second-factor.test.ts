import { ADMINISTRATOR, bearer, CUSTOMER, type Device, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createInboxClient, type InboxClient } from '@platform/shared/testing/inbox';
import { expectError, send } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { type AddedPasskey, type FactorClient, nextTotpCode } from '../factor-client.ts';
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

const NO_FACTORS = { totp: null, passkeys: [], recoveryCodesLeft: 0 };

const signInWithPasskey = async (client: FactorClient, { authenticator }: AddedPasskey, overrides = {}) => {
  const fingerprint = uniqueFingerprint();
  const assertion = authenticator.get(await client.getPasskeyOptions(fingerprint), overrides);
  return await client.signInWithPasskey(fingerprint, assertion);
};

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
        const expectSignedInBy = async (device: Device, ...methods: string[]) => {
          expect(await readMethods(client, device)).to.deep.equal(methods);
          await client.auth.expectSignedIn(device);
        };
        return { client, account, device: await client.auth.openDevice(account), expectSignedInBy };
      };

      it('signs in with an authenticator app or a recovery code, until the app is removed', async () => {
        const { client, account, device, expectSignedInBy } = await setUp();
        const other = await client.auth.openDevice(account);
        const before = await client.auth.signIn(account, uniqueFingerprint());
        const totp = await client.enableTotp(device);
        for (const code of totp.recoveryCodes) expect(code).to.match(/^([a-z2-7]{4}-){5}[a-z2-7]{4}$/);
        expectError(await client.auth.me(other), 401, 'TOKEN_INVALID');
        expect(await readMethods(client, device)).to.deep.equal(['password', 'totp']);
        await inbox.untilMail(account.email, 'An authenticator app was added');

        const first = await client.auth.signIn(account, 'device');
        expectError(first, 401, 'SECOND_FACTOR_REQUIRED');
        expect(first.body.factors).to.deep.equal(['totp', 'recovery-code']);
        const proof = { totpCode: nextTotpCode(totp) };
        const second = await client.secondStep(first.body.challenge, 'device', proof);
        expect(second.status, second.text).to.equal(200);
        expect(Object.keys(second.body)).to.have.members(Object.keys(before.body));
        expect(second.body.user).to.deep.equal(before.body.user);
        expect(Object.keys(second.headers).sort()).to.deep.equal(Object.keys(before.headers).sort());
        await expectSignedInBy(client.auth.toDevice(second), 'password', 'totp');

        const recoveryCode = totp.recoveryCodes[3];
        const { device: recovered } = await signInWithFactor(client, account, () => ({ recoveryCode }));
        await expectSignedInBy(recovered, 'password', 'recovery-code');
        await inbox.untilMail(account.email, 'A recovery code was used');

        await passTotpSteps(platform().records, account);
        const confirmation = { currentPassword: PASSWORD, totpCode: totpCode(totp.secret) };
        const replaced = await client.as(device, 'POST', '/second-factor/recovery-codes', confirmation);
        expect(replaced.body.recoveryCodes, replaced.text).to.have.lengthOf(10);
        const remove = (code = '') =>
          client.auth.removeTotp(device, { currentPassword: PASSWORD, recoveryCode: code });
        expectError(await remove(totp.recoveryCodes[0]), 401, 'SECOND_FACTOR_INVALID');
        expect((await remove(replaced.body.recoveryCodes[0])).status).to.equal(204);
        expect(await client.readState(device)).to.deep.equal(NO_FACTORS);
        await client.auth.openDevice(account);
        await inbox.untilMail(account.email, 'Your recovery codes were replaced');
        await inbox.untilMail(account.email, 'The authenticator app was removed');
        expect(await readActions(platform().records, account)).to.include.members([
          ...['TOTP_ENABLED', 'RECOVERY_CODE_USED', 'RECOVERY_CODES_REPLACED', 'TOTP_DISABLED'],
        ]);
      });

      it('signs in with a passkey, alone or after the password, until it is removed', async () => {
        const { client, account, device, expectSignedInBy } = await setUp();
        const before = await client.auth.signIn(account, uniqueFingerprint());
        const passkey = await client.addPasskey(device);
        const synchronised = await client.addPasskey(device, { name: 'Synchronised', hasCounter: false });
        await inbox.untilMail(account.email, 'A passkey was added', 2);
        const alone = await signInWithPasskey(client, passkey);
        expect(alone.status, alone.text).to.equal(200);
        expect(Object.keys(alone.body)).to.have.members(Object.keys(before.body));
        expect(alone.body.user).to.deep.equal(before.body.user);
        await expectSignedInBy(client.auth.toDevice(alone), 'passkey');
        for (const _ of [1, 2]) expect((await signInWithPasskey(client, synchronised)).status).to.equal(200);

        const { device: signedIn } = await signInWithFactor(client, account, async (challenge, at) => ({
          passkey: passkey.authenticator.get(await client.getSecondStepOptions(challenge, at)),
        }));
        await expectSignedInBy(signedIn, 'password', 'passkey');
        const assertion = passkey.authenticator.get(await client.getConfirmationOptions(device));
        const confirmation = { currentPassword: PASSWORD, passkey: assertion };
        const replaced = await client.as(device, 'POST', '/second-factor/recovery-codes', confirmation);
        await signInWithFactor(client, account, () => ({ recoveryCode: replaced.body.recoveryCodes[9] }));

        const path = `/passkeys/${passkey.id}`;
        const renamed = await client.as(device, 'PATCH', path, { name: 'Büro 🔑' });
        expect(renamed.body.name, renamed.text).to.equal('Büro 🔑');
        const other = client.auth.toDevice(await signInWithPasskey(client, passkey));
        for (const each of [path, `/passkeys/${synchronised.id}`])
          expect((await client.as(device, 'DELETE', each, { currentPassword: PASSWORD })).status).to.equal(
            204,
          );
        expectError(await client.auth.me(other), 401, 'TOKEN_INVALID');
        expectError(await signInWithPasskey(client, passkey), 401, 'SECOND_FACTOR_INVALID');
        await client.auth.openDevice(account);
        await inbox.untilMail(account.email, 'A passkey was removed', 2);
        expect(await readActions(platform().records, account)).to.include.members([
          ...['PASSKEY_ADDED', 'PASSKEY_RENAMED', 'PASSKEY_REMOVED'],
        ]);
      });

      it('ends with the sessions when an ADMIN removes it, which is audited and mailed', async () => {
        const { client, account, device } = await setUp();
        const totp = await client.enableTotp(device);
        const challenge = await client.openChallenge(account, 'device');
        const admins = createValidatingClient(platform().gatewayUrl, ADMINISTRATOR);
        const admin = await createAccount(admins, platform().records);
        const headers = bearer(await admins.auth.openDevice(admin));
        const path = `/api/v1/users/${account.userId}/second-factor`;
        expect((await send(platform().gatewayUrl, 'DELETE', path, { headers })).status).to.equal(204);
        await client.auth.expectSignedOut(device);
        const late = await client.secondStep(challenge, 'device', { totpCode: nextTotpCode(totp) });
        expectError(late, 401, 'CHALLENGE_INVALID');
        await client.auth.openDevice(account);
        await inbox.untilMail(account.email, 'Your second factors were removed by an administrator');
        const records = await platform().records.auditOf(account.userId);
        const [reset] = records.filter(({ action }) => action === 'SECOND_FACTOR_RESET');
        expect(reset?.actorId).to.equal(admin.userId);
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

  it('counts in sign_ins_total with the last method shown', async () => {
    const { stack, records, gatewayUrl } = platform();
    const client = createValidatingClient(gatewayUrl, EMPLOYEE);
    const account = await createAccount(client, records);
    const device = await client.auth.openDevice(account);
    const totp = await client.enableTotp(device);
    const passkey = await client.addPasskey(device);
    const labels = (outcome: string, method: string) => ({ kind: 'employee', outcome, method });
    const series = [
      labels('second-factor-required', 'password'),
      labels('success', 'totp'),
      labels('success', 'recovery-code'),
      labels('failure', 'totp'),
      labels('success', 'password'),
      labels('success', 'passkey'),
      labels('failure', 'passkey'),
    ];
    const read = async () => {
      const page = await scrape(stack, 'auth');
      return series.map((each) => sumOf(page, 'sign_ins_total', each) ?? 0);
    };
    const before = await read();
    await signInWithTotp(client, account, records, totp);
    await signInWithFactor(client, account, () => ({ recoveryCode: totp.recoveryCodes[0] }));
    const challenge = await client.openChallenge(account, 'device');
    const wrong = await client.secondStep(challenge, 'device', { totpCode: nextTotpCode(totp) });
    expectError(wrong, 401, 'SECOND_FACTOR_INVALID');
    expect((await signInWithPasskey(client, passkey)).status).to.equal(200);
    const forged = await signInWithPasskey(client, passkey, { tamperSignature: true });
    expectError(forged, 401, 'SECOND_FACTOR_INVALID');
    const after = await read();
    expect(after.map((value, index) => value - (before[index] ?? 0))).to.deep.equal([3, 1, 1, 1, 0, 1, 1]);
  });
});
