import {
  type AccountKind,
  ADMINISTRATOR,
  bearer,
  CUSTOMER,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus } from '@platform/shared/testing/http-client';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { totpCode } from '@platform/shared/testing/totp';
import { nextTotpCode } from '../../factor-client.ts';
import { type Fixture, KINDS, refreshCookieHeader } from '../fixture.ts';
import {
  CHALLENGE_INVALID,
  checkAccepted,
  checkRefused,
  createClient,
  createFactorUser,
  type FactorUser,
  openChallenge,
} from './fixture.ts';

const NEW_PASSWORD = 'A better horse 2';

const testForeignChallenges = async (fixture: Fixture, kind: AccountKind): Promise<void> => {
  const [user, other] = [await createFactorUser(fixture, kind), await createFactorUser(fixture, kind)];
  const of = `of ${kind.plural}`;
  const { challenge, fingerprint } = await openChallenge(user);
  const proof = { totpCode: nextTotpCode(user.totp) };
  const otherProof = { totpCode: nextTotpCode(other.totp) };
  const { factors } = user;
  const check = (attack: string, response: Awaited<ReturnType<typeof factors.secondStep>>) =>
    checkRefused(fixture, `${attack} ${of}`, response, CHALLENGE_INVALID);
  check('on another device', await factors.secondStep(challenge, uniqueFingerprint(), proof));
  const otherKind = createClient(fixture, kind === CUSTOMER ? EMPLOYEE : CUSTOMER);
  check('at another kind', await otherKind.secondStep(challenge, fingerprint, proof));
  check('that was never issued', await factors.secondStep('x'.repeat(43), fingerprint, proof));
  check('in other letter case', await factors.secondStep(challenge.toLowerCase(), fingerprint, proof));
  const foreign = await factors.secondStep(challenge, fingerprint, otherProof);
  checkRefused(fixture, `with the code of another account ${of}`, foreign, '401 SECOND_FACTOR_INVALID');
  const owner = await factors.secondStep(challenge, fingerprint, proof);
  checkAccepted(fixture, `on its device afterwards ${of}`, owner, 200);
};

/** What ends a waiting challenge; each works in place of the owner. */
type Change = [name: string, change: (fixture: Fixture, user: FactorUser) => Promise<unknown>];

const resetPassword = async ({ stack, send }: Fixture, { email, kind }: FactorUser): Promise<void> => {
  const path = `${kind.path}/reset-password/email/code`;
  await send(`${path}/send`, { method: 'POST', body: { email } });
  const mail = await createInboxClient(stack.inboxUrl).untilMail(email, 'Your code to reset the password');
  await send(path, { method: 'POST', body: { email, code: codeIn(mail), newPassword: NEW_PASSWORD } });
};

const CHANGES: readonly Change[] = [
  [
    'a change of the password',
    ({ send }, user) =>
      send(`${user.kind.path}/reset-password/me`, {
        method: 'POST',
        headers: refreshCookieHeader(user),
        body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
      }),
  ],
  ['a reset of the password', resetPassword],
  [
    'new recovery codes',
    (_, { factors, device, totp }) =>
      factors.as(device, 'POST', '/second-factor/recovery-codes', {
        currentPassword: PASSWORD,
        recoveryCode: totp.recoveryCodes[0],
      }),
  ],
  ['an added passkey', (_, { factors, device }) => factors.addPasskey(device)],
  [
    'the removal of TOTP, and a new TOTP factor',
    async (_, { factors, device, totp }) => {
      const proof = { currentPassword: PASSWORD, recoveryCode: totp.recoveryCodes[0] };
      await factors.as(device, 'DELETE', '/second-factor/totp', proof);
      Object.assign(totp, await factors.enableTotp(device));
    },
  ],
  [
    "an ADMIN's reset",
    async ({ send, createUser }, { id }) => {
      const admin = await createUser(ADMINISTRATOR);
      return await send(`/api/v1/users/${id}/second-factor`, {
        method: 'DELETE',
        headers: bearer(admin.device),
      });
    },
  ],
];

const testChanges = async (fixture: Fixture): Promise<void> => {
  fixture.section('Second factor: a challenge from before a change of the password or the factors');
  for (const [name, change] of CHANGES) {
    const user = await createFactorUser(fixture, CUSTOMER);
    const { challenge, fingerprint } = await openChallenge(user);
    await change(fixture, user);
    const proof = { totpCode: nextTotpCode(user.totp) };
    const response = await user.factors.secondStep(challenge, fingerprint, proof);
    checkRefused(fixture, `after ${name}`, response, CHALLENGE_INVALID);
  }
};

const testBlockedUser = async (fixture: Fixture): Promise<void> => {
  fixture.section('Second factor: a user who is blocked between the two steps');
  for (const kind of KINDS) {
    const user = await createFactorUser(fixture, kind);
    const { challenge, fingerprint } = await openChallenge(user);
    await fixture.records.block(user.id);
    const proof = { totpCode: nextTotpCode(user.totp) };
    const response = await user.factors.secondStep(challenge, fingerprint, proof);
    checkRefused(fixture, `the second step of ${kind.plural}`, response, '401 USER_BLOCKED');
    const again = await fixture.signIn(user);
    checkRefused(fixture, `a new sign-in of ${kind.plural}`, again, '401 USER_BLOCKED');
  }
};

/** The password is known, the factor is not. */
const testWithoutFactor = async (fixture: Fixture): Promise<void> => {
  fixture.section('Second factor: the password alone opens nothing');
  for (const kind of KINDS) {
    const user = await createFactorUser(fixture, kind);
    const response = await fixture.signIn(user);
    const fields = Object.keys(response.body).sort().join(', ');
    fixture.check(
      response.code === 'SECOND_FACTOR_REQUIRED' &&
        fields === 'challenge, code, error, factors, message, requestId, statusCode' &&
        response.headers['set-cookie'] === undefined,
      `the sign-in of ${kind.plural} with the right password`,
      `${formatStatus(response)} with ${fields}, no cookie`,
    );
    const { challenge, fingerprint } = await openChallenge(user);
    for (const [name, proof] of [
      ['no factor', {}],
      ['two factors', { totpCode: totpCode(user.totp.secret, 1), recoveryCode: user.totp.recoveryCodes[0] }],
    ] as const) {
      const refused = await user.factors.secondStep(challenge, fingerprint, proof);
      checkRefused(
        fixture,
        `the second step of ${kind.plural} with ${name}`,
        refused,
        '400 VALIDATION_FAILED',
      );
    }
  }
};

export const testChallenges = async (fixture: Fixture): Promise<void> => {
  fixture.section('Second factor: a challenge of another account, device or kind');
  for (const kind of KINDS) await testForeignChallenges(fixture, kind);
  await testChanges(fixture);
  await testBlockedUser(fixture);
  await testWithoutFactor(fixture);
};
