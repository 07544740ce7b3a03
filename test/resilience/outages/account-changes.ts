import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createHttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { PASSKEY_ORIGIN } from '@platform/shared/testing/passkey-client';
import { countSessions, queryDatabase, verifyEmail } from '@platform/shared/testing/query-database';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import type { StackFile } from '@platform/shared/testing/stack';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { createFactorClient, nextTotpCode } from '../../factor-client.ts';

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
  const factors = createFactorClient(CUSTOMER, createHttpClient(gatewayUrl).send);
  const account = await factors.auth.createAccount();
  const device = await factors.auth.openDevice(account);
  const { userId, email, password } = account;
  await verifyEmail(databaseUrl, userId);
  return {
    factors,
    userId,
    account: { email, password },
    device,
    countSessions: () => countSessions(databaseUrl, userId),
    expectPasswordSignIn: async (): Promise<void> => {
      const { status, text } = await factors.auth.signIn({ email, password }, uniqueFingerprint());
      expect(status, text).to.equal(200);
    },
  };
};

/** Signs in on a new device, or on one that has a session, whose tokens are replaced. */
const prepareSignIn = async (stack: StackFile, isFirst: boolean): Promise<PreparedChange> => {
  const { factors, userId, account, device, countSessions } = await setUp(stack);
  const { auth } = factors;
  const fingerprint = isFirst ? uniqueFingerprint() : device.fingerprint;
  const expectSessions = async (count: number) =>
    expect(await countSessions()).to.deep.equal({ sessions: count, tokenRecords: count });
  const signInAgain = async () => {
    await auth.openDevice(account, fingerprint);
    await expectSessions(isFirst ? 2 : 1);
  };
  return {
    userId,
    send: () => auth.signIn(account, fingerprint),
    expectUndone: async () => {
      await expectSessions(1);
      expect((await auth.me(device)).status).to.equal(200);
      await signInAgain();
    },
    expectComplete: async () => {
      await expectSessions(isFirst ? 2 : 1);
      expect((await auth.me(device)).status).to.equal(isFirst ? 200 : 401);
      await signInAgain();
    },
  };
};

/** A refresh is one statement, which Postgres completes once it has received it. */
const prepareRefresh = async (stack: StackFile): Promise<PreparedChange> => {
  const { factors, userId, device, countSessions, expectPasswordSignIn } = await setUp(stack);
  const { auth } = factors;
  return {
    userId,
    send: () => auth.refresh(device),
    expectUndone: async () => {
      await auth.refreshed(device);
    },
    expectComplete: async () => {
      expect((await auth.me(device)).status).to.equal(401);
      expect(await countSessions()).to.deep.equal({ sessions: 1, tokenRecords: 1 });
      await expectPasswordSignIn();
    },
  };
};

const prepareConfirmation = async (stack: StackFile): Promise<PreparedChange> => {
  const { factors, userId, account, device, expectPasswordSignIn } = await setUp(stack);
  const secret = await factors.setUpTotp(device);
  const code = totpCode(secret);
  return {
    userId,
    send: () => factors.confirmTotp(device, code),
    expectUndone: async () => {
      expect(await factors.readState(device)).to.deep.include({ totp: null, recoveryCodesLeft: 0 });
      await expectPasswordSignIn();
      const again = await factors.confirmTotp(device, nextTotpCode({ secret }));
      expect(again.body.recoveryCodes, again.text).to.have.lengthOf(10);
    },
    expectComplete: async () => {
      expect((await factors.readState(device)).recoveryCodesLeft).to.equal(10);
      const challenge = await factors.openChallenge(account, 'next');
      const proof = { totpCode: nextTotpCode({ secret }) };
      expect((await factors.secondStep(challenge, 'next', proof)).status).to.equal(200);
    },
  };
};

const prepareSecondStep = async (
  stack: StackFile,
  method: 'totpCode' | 'recoveryCode',
): Promise<PreparedChange> => {
  const { factors, userId, account, device, countSessions } = await setUp(stack);
  const totp = await factors.enableTotp(device);
  const fingerprint = uniqueFingerprint();
  const challenge = await factors.openChallenge(account, fingerprint);
  const proof =
    method === 'totpCode' ? { totpCode: nextTotpCode(totp) } : { recoveryCode: totp.recoveryCodes[0] };
  const useAgain = async () =>
    await factors.secondStep(await factors.openChallenge(account, fingerprint), fingerprint, proof);
  return {
    userId,
    send: () => factors.secondStep(challenge, fingerprint, proof),
    expectUndone: async () => {
      expect(await countSessions()).to.deep.equal({ sessions: 1, tokenRecords: 1 });
      const { status, text } = await useAgain();
      expect(status, text).to.equal(200);
    },
    expectComplete: async () => {
      expect(await countSessions()).to.deep.equal({ sessions: 2, tokenRecords: 2 });
      expect((await useAgain()).code).to.equal('SECOND_FACTOR_INVALID');
      const { recoveryCodesLeft } = await factors.readState(device);
      expect(recoveryCodesLeft).to.equal(method === 'totpCode' ? 10 : 9);
    },
  };
};

const preparePasskey = async (stack: StackFile): Promise<PreparedChange> => {
  const { factors, userId, account, device, expectPasswordSignIn } = await setUp(stack);
  const authenticator = createSoftwareAuthenticator(PASSKEY_ORIGIN);
  const response = authenticator.create(await factors.getCreationOptions(device));
  const readPasskeys = async () => (await factors.readState(device)).passkeys;
  return {
    userId,
    send: () => factors.as(device, 'POST', '/passkeys', { response, name: 'Laptop' }),
    expectUndone: async () => {
      expect(await readPasskeys()).to.deep.equal([]);
      await expectPasswordSignIn();
      await factors.addPasskey(device);
    },
    expectComplete: async () => {
      expect(await readPasskeys()).to.have.lengthOf(1);
      const challenge = await factors.openChallenge(account, 'next');
      const options = await factors.getSecondStepOptions(challenge, 'next');
      const proof = { passkey: authenticator.get(options) };
      expect((await factors.secondStep(challenge, 'next', proof)).status).to.equal(200);
    },
  };
};

const prepareEmailChange = async (stack: StackFile): Promise<PreparedChange> => {
  const { factors, userId, account, device, expectPasswordSignIn } = await setUp(stack);
  const { auth } = factors;
  const other = await auth.openDevice(account);
  const newEmail = uniqueEmail();
  await factors.as(device, 'POST', '/email/change', { newEmail, currentPassword: PASSWORD });
  const code = codeIn(await createInboxClient(stack.inboxUrl).untilMail(newEmail, ''));
  const signInWith = (email: string) => auth.signIn({ ...account, email }, uniqueFingerprint());
  return {
    userId,
    send: () => factors.as(device, 'POST', '/email/change/check', { code }),
    expectUndone: async () => {
      await expectPasswordSignIn();
      expect((await signInWith(newEmail)).code).to.equal('INVALID_CREDENTIALS');
      expect((await auth.me(other)).status).to.equal(200);
      await auth.createAccount({ email: newEmail });
    },
    expectComplete: async () => {
      expect((await signInWith(newEmail)).status).to.equal(200);
      expect((await signInWith(account.email)).code).to.equal('INVALID_CREDENTIALS');
      expect((await auth.me(other)).code).to.equal('TOKEN_INVALID');
      await auth.createAccount({ email: account.email });
    },
  };
};

const prepareDeletion = async (stack: StackFile): Promise<PreparedChange> => {
  const { factors, userId, account, device, countSessions, expectPasswordSignIn } = await setUp(stack);
  const { recoveryCodes } = await factors.enableTotp(device);
  const { auth } = factors;
  return {
    userId,
    send: () =>
      factors.as(device, 'POST', '/account/delete', {
        currentPassword: PASSWORD,
        recoveryCode: recoveryCodes[0],
      }),
    expectUndone: async () => {
      expect((await auth.me(device)).body.user.email).to.equal(account.email);
      expect((await factors.readState(device)).recoveryCodesLeft).to.equal(10);
      expect((await auth.signUp({ ...account })).code).to.equal('EMAIL_TAKEN');
    },
    expectComplete: async () => {
      expect((await auth.me(device)).code).to.equal('TOKEN_INVALID');
      expect(await countSessions()).to.deep.equal({ sessions: 0, tokenRecords: 0 });
      const [row] = await queryDatabase<{ email: string | null }>(
        stack.databaseUrl,
        'select email from users where id = $1',
        [userId],
      );
      expect(row?.email).to.equal(null);
      await auth.createAccount(account);
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
