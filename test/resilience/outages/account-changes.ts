import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createHttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { countSessions, queryDatabase, verifyEmail } from '@platform/shared/testing/query-database';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import type { StackFile } from '@platform/shared/testing/stack';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';

/** A change that is ready to be sent, and what must hold after it was rolled back or completed. */
export type PreparedChange = {
  userId: string;
  send: () => Promise<HttpResponse>;
  expectUndone: () => Promise<void>;
  expectComplete: () => Promise<void>;
};

export type ChangeName =
  | 'first sign-in'
  | 'repeated sign-in'
  | 'refresh'
  | 'TOTP confirmation'
  | 'second step with TOTP'
  | 'second step with a recovery code'
  | 'passkey registration'
  | 'e-mail change'
  | 'deletion';

const setUp = async ({ gatewayUrl, databaseUrl }: StackFile) => {
  // The responses are not validated, because the gateway responds in place of a killed service.
  const client = createAuthClient('', CUSTOMER, createHttpClient(gatewayUrl).send);
  const account = await client.createAccount();
  const device = await client.openDevice(account);
  const { userId, email, password } = account;
  await verifyEmail(databaseUrl, userId);
  return {
    client,
    userId,
    account: { email, password },
    device,
    countSessions: () => countSessions(databaseUrl, userId),
    expectPasswordSignIn: async (): Promise<void> => {
      const { status, text } = await client.signIn({
        fingerprint: uniqueFingerprint(),
        body: { email, password },
      });
      expect(status, text).to.equal(200);
    },
  };
};

/** Signs in on a new device, or on one that has a session, whose tokens are replaced. */
const prepareSignIn = async (stack: StackFile, isFirst: boolean): Promise<PreparedChange> => {
  const { client, userId, account, device, countSessions } = await setUp(stack);
  const fingerprint = isFirst ? uniqueFingerprint() : device.fingerprint;
  const expectSessions = async (count: number) =>
    expect(await countSessions()).to.deep.equal({ sessions: count, tokenRecords: count });
  const signInAgain = async () => {
    await client.openDevice(account, fingerprint);
    await expectSessions(isFirst ? 2 : 1);
  };
  return {
    userId,
    send: () => client.signIn({ fingerprint, body: account }),
    expectUndone: async () => {
      await expectSessions(1);
      expect((await client.me(device)).status).to.equal(200);
      await signInAgain();
    },
    expectComplete: async () => {
      await expectSessions(isFirst ? 2 : 1);
      expect((await client.me(device)).status).to.equal(isFirst ? 200 : 401);
      await signInAgain();
    },
  };
};

/** A refresh is one statement, which Postgres completes once it has received it. */
const prepareRefresh = async (stack: StackFile): Promise<PreparedChange> => {
  const { client, userId, device, countSessions, expectPasswordSignIn } = await setUp(stack);
  return {
    userId,
    send: () => client.refreshToken(device),
    expectUndone: async () => {
      await client.refreshed(device);
    },
    expectComplete: async () => {
      expect((await client.me(device)).status).to.equal(401);
      expect(await countSessions()).to.deep.equal({ sessions: 1, tokenRecords: 1 });
      await expectPasswordSignIn();
    },
  };
};

const prepareConfirmation = async (stack: StackFile): Promise<PreparedChange> => {
  const { client, userId, account, device, expectPasswordSignIn } = await setUp(stack);
  const secret = (await client.totpSetUp({ ...device, body: CONFIRMATION })).body.secret;
  const code = totpCode(secret);
  return {
    userId,
    send: () => client.totpConfirm({ ...device, body: { code } }),
    expectUndone: async () => {
      expect((await client.secondFactor(device)).body).to.deep.include({ totp: null, recoveryCodesLeft: 0 });
      await expectPasswordSignIn();
      const again = await client.totpConfirm({ ...device, body: { code: totpCode(secret, 1) } });
      expect(again.body.recoveryCodes, again.text).to.have.lengthOf(10);
    },
    expectComplete: async () => {
      expect((await client.secondFactor(device)).body.recoveryCodesLeft).to.equal(10);
      const challenge = (await client.startSignIn(account, 'next')).challenge;
      const proof = { totpCode: totpCode(secret, 1) };
      expect(
        (await client.signInSecondFactor({ fingerprint: 'next', body: { challenge, ...proof } })).status,
      ).to.equal(200);
    },
  };
};

const prepareSecondStep = async (
  stack: StackFile,
  method: 'totpCode' | 'recoveryCode',
): Promise<PreparedChange> => {
  const { client, userId, account, device, countSessions } = await setUp(stack);
  const totp = await client.enableTotp(device);
  const fingerprint = uniqueFingerprint();
  const challenge = (await client.startSignIn(account, fingerprint)).challenge;
  const proof =
    method === 'totpCode' ? { totpCode: totpCode(totp.secret, 1) } : { recoveryCode: totp.recoveryCodes[0] };
  const useAgain = async () =>
    await client.signInSecondFactor({
      fingerprint,
      body: { challenge: (await client.startSignIn(account, fingerprint)).challenge, ...proof },
    });
  return {
    userId,
    send: () => client.signInSecondFactor({ fingerprint, body: { challenge, ...proof } }),
    expectUndone: async () => {
      expect(await countSessions()).to.deep.equal({ sessions: 1, tokenRecords: 1 });
      const { status, text } = await useAgain();
      expect(status, text).to.equal(200);
    },
    expectComplete: async () => {
      expect(await countSessions()).to.deep.equal({ sessions: 2, tokenRecords: 2 });
      expect((await useAgain()).code).to.equal('SECOND_FACTOR_INVALID');
      const { recoveryCodesLeft } = (await client.secondFactor(device)).body;
      expect(recoveryCodesLeft).to.equal(method === 'totpCode' ? 10 : 9);
    },
  };
};

const preparePasskey = async (stack: StackFile): Promise<PreparedChange> => {
  const { client, userId, device, expectPasswordSignIn } = await setUp(stack);
  const authenticator = createSoftwareAuthenticator();
  const response = authenticator.create(
    (await client.passkeyOptions({ ...device, body: CONFIRMATION })).body,
  );
  const readPasskeys = async () => (await client.secondFactor(device)).body.passkeys;
  return {
    userId,
    send: () => client.passkeyCreate({ ...device, body: { response, name: 'Laptop' } }),
    expectUndone: async () => {
      expect(await readPasskeys()).to.deep.equal([]);
      await expectPasswordSignIn();
      await client.addPasskey(device);
    },
    expectComplete: async () => {
      expect(await readPasskeys()).to.have.lengthOf(1);
      expect((await client.signInWithPasskey(authenticator)).status).to.equal(200);
    },
  };
};

const prepareEmailChange = async (stack: StackFile): Promise<PreparedChange> => {
  const { client, userId, account, device, expectPasswordSignIn } = await setUp(stack);
  const other = await client.openDevice(account);
  const newEmail = uniqueEmail();
  await client.emailChange({ ...device, body: { newEmail, currentPassword: PASSWORD } });
  const code = codeIn(await createInboxClient(stack.inboxUrl).untilMail(newEmail, ''));
  const signInWith = (email: string) =>
    client.signIn({ fingerprint: uniqueFingerprint(), body: { ...account, email } });
  return {
    userId,
    send: () => client.emailChangeCheck({ ...device, body: { code } }),
    expectUndone: async () => {
      await expectPasswordSignIn();
      expect((await signInWith(newEmail)).code).to.equal('INVALID_CREDENTIALS');
      expect((await client.me(other)).status).to.equal(200);
      await client.createAccount({ email: newEmail });
    },
    expectComplete: async () => {
      expect((await signInWith(newEmail)).status).to.equal(200);
      expect((await signInWith(account.email)).code).to.equal('INVALID_CREDENTIALS');
      expect((await client.me(other)).code).to.equal('TOKEN_INVALID');
      await client.createAccount({ email: account.email });
    },
  };
};

const prepareDeletion = async (stack: StackFile): Promise<PreparedChange> => {
  const { client, userId, account, device, countSessions, expectPasswordSignIn } = await setUp(stack);
  const { recoveryCodes } = await client.enableTotp(device);
  return {
    userId,
    send: () =>
      client.accountDelete({
        ...device,
        body: {
          currentPassword: PASSWORD,
          recoveryCode: recoveryCodes[0],
        },
      }),
    expectUndone: async () => {
      expect((await client.me(device)).body.user.email).to.equal(account.email);
      expect((await client.secondFactor(device)).body.recoveryCodesLeft).to.equal(10);
      expect((await client.signUp({ body: { ...account } })).code).to.equal('EMAIL_TAKEN');
    },
    expectComplete: async () => {
      expect((await client.me(device)).code).to.equal('TOKEN_INVALID');
      expect(await countSessions()).to.deep.equal({ sessions: 0, tokenRecords: 0 });
      const [row] = await queryDatabase<{ email: string | null }>(
        stack.databaseUrl,
        'select email from users where id = $1',
        [userId],
      );
      expect(row?.email).to.equal(null);
      await client.createAccount(account);
      await expectPasswordSignIn();
    },
  };
};

export const CHANGES: Record<ChangeName, (stack: StackFile) => Promise<PreparedChange>> = {
  'first sign-in': (stack) => prepareSignIn(stack, true),
  'repeated sign-in': (stack) => prepareSignIn(stack, false),
  refresh: prepareRefresh,
  'TOTP confirmation': prepareConfirmation,
  'second step with TOTP': (stack) => prepareSecondStep(stack, 'totpCode'),
  'second step with a recovery code': (stack) => prepareSecondStep(stack, 'recoveryCode'),
  'passkey registration': preparePasskey,
  'e-mail change': prepareEmailChange,
  deletion: prepareDeletion,
};
