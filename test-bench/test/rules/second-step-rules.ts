import { CONFIRMATION, PASSWORD } from '@platform/shared/testing/builders';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import { openVerified } from './accounts.ts';
import { MINUTE, type Rule } from './rule.ts';

export const SECOND_STEP_RULES: Rule[] = [
  {
    name: 'second step of a sign-in: 5 minutes',
    limit: 5 * MINUTE,
    prepare: async ({ auth }) => {
      const client = auth.as('customer');
      const { account, recoveryCodes } = await client.openAccountWithTotp();
      const { challenge, fingerprint } = await client.startSignIn(account);
      const body = { challenge, recoveryCode: recoveryCodes[0] };
      return { id: account.userId, ask: () => client.signInSecondFactor({ fingerprint, body }) };
    },
    before: '200',
    after: '401 CHALLENGE_INVALID',
  },
  {
    name: 'dialog of a passkey as second step: 5 minutes',
    limit: 5 * MINUTE,
    prepare: async ({ auth }) => {
      const client = auth.as('customer');
      const { account, authenticator } = await client.openAccountWithPasskeyStep();
      const { challenge, fingerprint, options } = await client.startPasskeyStep(account);
      const body = { challenge, passkey: authenticator.get(options) };
      return { id: account.userId, ask: () => client.signInSecondFactor({ fingerprint, body }) };
    },
    before: '200',
    after: '401 CHALLENGE_INVALID',
  },
  {
    name: 'dialog of a new passkey: 5 minutes',
    limit: 5 * MINUTE,
    prepare: async (world) => {
      const { client, device, id } = await openVerified(world);
      const { body } = await client.passkeyOptions({ ...device, body: CONFIRMATION });
      const response = createSoftwareAuthenticator().create(body);
      return { id, ask: () => client.passkeyCreate({ ...device, body: { response, name: 'My phone' } }) };
    },
    before: '201',
    after: '401 SECOND_FACTOR_INVALID',
  },
  {
    name: 'dialog of a passkey that confirms a change: 5 minutes',
    limit: 5 * MINUTE,
    prepare: async ({ auth }) => {
      const client = auth.as('customer');
      const { account, device, authenticator } = await client.openAccountWithPasskeyStep();
      const passkey = await client.createAssertion(device, authenticator);
      const body = { currentPassword: PASSWORD, passkey };
      return { id: account.userId, ask: () => client.recoveryCodesReplace({ ...device, body }) };
    },
    before: '200',
    after: '401 SECOND_FACTOR_INVALID',
  },
  {
    name: 'app that is set up and not confirmed: 10 minutes',
    limit: 10 * MINUTE,
    prepare: async (world) => {
      const { client, device, id } = await openVerified(world);
      const { body } = await client.totpSetUp({ ...device, body: CONFIRMATION });
      return { id, ask: () => client.totpConfirm({ ...device, body: { code: totpCode(body.secret) } }) };
    },
    before: '200',
    after: '401 SECOND_FACTOR_INVALID',
  },
  {
    // The used code is one step ahead of the clock, so that no step of the real clock is a new one.
    name: 'code of an app after the one of the next step: 60 seconds',
    limit: MINUTE,
    margin: MINUTE,
    prepare: async ({ auth }) => {
      const client = auth.as('customer');
      const { account, secret } = await client.openAccountWithTotp();
      const signIn = async (offset: number) => {
        const { challenge, fingerprint } = await client.startSignIn(account);
        const body = { challenge, totpCode: totpCode(secret, offset) };
        return await client.signInSecondFactor({ fingerprint, body });
      };
      await signIn(1);
      return { id: account.userId, ask: () => signIn(0) };
    },
    before: '401 SECOND_FACTOR_INVALID',
    after: '200',
  },
];
