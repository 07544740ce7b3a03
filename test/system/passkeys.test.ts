import { ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createInboxClient, type InboxClient } from '@platform/shared/testing/inbox';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import type { AddedPasskey, FactorClient } from '../factor-client.ts';
import { scrape, sumOf } from './scrape.ts';
import {
  createAccount,
  createValidatingClient,
  readActions,
  readMethods,
  signInWithFactor,
} from './use-factors.ts';
import { usePlatform } from './use-platform.ts';

describe('passkeys through the gateway', () => {
  const platform = usePlatform();
  let inbox: InboxClient;
  before('create the inbox client', () => {
    inbox = createInboxClient(platform().stack.inboxUrl);
  });

  const signInWithPasskey = async (client: FactorClient, { authenticator }: AddedPasskey) => {
    const fingerprint = uniqueFingerprint();
    const assertion = authenticator.get(await client.getPasskeyOptions(fingerprint));
    return await client.signInWithPasskey(fingerprint, assertion);
  };

  for (const kind of [CUSTOMER, EMPLOYEE, ADMINISTRATOR])
    describe(`of ${kind.plural}`, () => {
      const setUp = async () => {
        const client = createValidatingClient(platform().gatewayUrl, kind);
        const account = await createAccount(client, platform().records);
        return { client, account, device: await client.auth.openDevice(account) };
      };

      it('sign in without a password, with the response of a sign-in', async () => {
        const { client, account, device } = await setUp();
        const { email, password } = account;
        const before = await client.auth.signIn({ email, password }, uniqueFingerprint());
        const passkey = await client.addPasskey(device);
        const response = await signInWithPasskey(client, passkey);
        expect(response.status, response.text).to.equal(200);
        expect(Object.keys(response.body)).to.have.members(Object.keys(before.body));
        expect(response.body.user).to.deep.equal(before.body.user);
        const signedIn = client.auth.toDevice(response);
        expect(await readMethods(client, signedIn)).to.deep.equal(['passkey']);
        await client.auth.expectSignedIn(signedIn);
        await client.auth.expectSignedIn(device);
        expect(await readActions(platform().records, account)).to.include('PASSKEY_ADDED');
        await inbox.untilMail(account.email, 'A passkey was added');
      });

      it('are the second factor of a sign-in with a password', async () => {
        const { client, account, device } = await setUp();
        const { email, password } = account;
        const { authenticator } = await client.addPasskey(device);
        const first = await client.auth.signIn({ email, password }, uniqueFingerprint());
        expectError(first, 401, 'SECOND_FACTOR_REQUIRED');
        expect(first.body.factors).to.deep.equal(['passkey']);
        const { device: signedIn } = await signInWithFactor(
          client,
          account,
          async (challenge, fingerprint) => ({
            passkey: authenticator.get(await client.getSecondStepOptions(challenge, fingerprint)),
          }),
        );
        expect(await readMethods(client, signedIn)).to.deep.equal(['password', 'passkey']);
        const { passkeys } = await client.readState(signedIn);
        expect(Date.parse(passkeys[0].lastUsedAt)).to.be.closeTo(Date.now(), 60_000);
      });

      it('confirm operations, and bring recovery codes', async () => {
        const { client, account, device } = await setUp();
        const { authenticator } = await client.addPasskey(device);
        const passkey = authenticator.get(await client.getConfirmationOptions(device));
        const body = { currentPassword: PASSWORD, passkey };
        const replaced = await client.as(device, 'POST', '/second-factor/recovery-codes', body);
        expect(replaced.body.recoveryCodes, replaced.text).to.have.lengthOf(10);
        await signInWithFactor(client, account, () => ({ recoveryCode: replaced.body.recoveryCodes[9] }));
      });

      it('are listed, renamed and removed; the other sessions end with a removal', async () => {
        const { client, account, device } = await setUp();
        const [first, second] = [
          await client.addPasskey(device, { name: 'Laptop' }),
          await client.addPasskey(device, { name: 'Synchronised', hasCounter: false }),
        ];
        const renamed = await client.as(device, 'PATCH', `/passkeys/${first.id}`, { name: 'Büro 🔑' });
        expect(renamed.body.name, renamed.text).to.equal('Büro 🔑');
        const { passkeys } = await client.readState(device);
        expect(passkeys.map(({ name }: { name: string }) => name)).to.have.members([
          'Büro 🔑',
          'Synchronised',
        ]);
        for (const _ of [1, 2]) expect((await signInWithPasskey(client, second)).status).to.equal(200);
        const other = client.auth.toDevice(await signInWithPasskey(client, first));
        const path = `/passkeys/${first.id}`;
        const body = { currentPassword: PASSWORD };
        expect((await client.as(device, 'DELETE', path, body)).status).to.equal(204);
        expectError(await client.as(device, 'DELETE', path, body), 404, 'PASSKEY_NOT_FOUND');
        expectError(await client.auth.me(other), 401, 'TOKEN_INVALID');
        expectError(await signInWithPasskey(client, first), 401, 'SECOND_FACTOR_INVALID');
        expect((await client.as(device, 'DELETE', `/passkeys/${second.id}`, body)).status).to.equal(204);
        await client.auth.openDevice(account);
        expect(await readActions(platform().records, account)).to.include.members([
          'PASSKEY_RENAMED',
          'PASSKEY_REMOVED',
        ]);
        await inbox.untilMail(account.email, 'A passkey was removed', 2);
      });
    });

  it('are counted by sign_ins_total', async () => {
    const { stack, records, gatewayUrl } = platform();
    const client = createValidatingClient(gatewayUrl, CUSTOMER);
    const account = await createAccount(client, records);
    const passkey = await client.addPasskey(await client.auth.openDevice(account));
    const read = async () => {
      const page = await scrape(stack, 'auth');
      const count = (outcome: string) =>
        sumOf(page, 'sign_ins_total', { kind: 'customer', outcome, method: 'passkey' }) ?? 0;
      return [count('success'), count('failure')];
    };
    const [succeeded = 0, failed = 0] = await read();
    expect((await signInWithPasskey(client, passkey)).status).to.equal(200);
    const fingerprint = uniqueFingerprint();
    const forged = passkey.authenticator.get(await client.getPasskeyOptions(fingerprint), {
      tamperSignature: true,
    });
    expectError(await client.signInWithPasskey(fingerprint, forged), 401, 'SECOND_FACTOR_INVALID');
    expect(await read()).to.deep.equal([succeeded + 1, failed + 1]);
  });
});
