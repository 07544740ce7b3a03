import {
  type AccountKind,
  ADMINISTRATOR,
  bearer,
  CUSTOMER,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { totpCode } from '@platform/shared/testing/totp';
import { nextTotpCode } from '../../factor-client.ts';
import {
  CHALLENGE_INVALID,
  createFactorUser,
  type FactorUser,
  type Fixture,
  INVALID,
  KINDS,
  openChallenge,
} from '../fixture.ts';

const NEW_PASSWORD = 'A better horse 2';

const testForeignChallenges = async (fixture: Fixture, kind: AccountKind): Promise<void> => {
  const [user, other] = [await createFactorUser(fixture, kind), await createFactorUser(fixture, kind)];
  const { factors, totp } = user;
  const { challenge, fingerprint } = await openChallenge(user);
  const proof = { totpCode: nextTotpCode(totp) };
  const otherKind = fixture.client(kind === CUSTOMER ? EMPLOYEE : CUSTOMER);
  for (const [attack, send] of [
    ['on another device', () => factors.secondStep(challenge, uniqueFingerprint(), proof)],
    ['at another kind', () => otherKind.secondStep(challenge, fingerprint, proof)],
    ['that was never issued', () => factors.secondStep('x'.repeat(43), fingerprint, proof)],
    ['in other letter case', () => factors.secondStep(challenge.toLowerCase(), fingerprint, proof)],
  ] as const)
    await fixture.refused(`${attack} of ${kind.plural}`, send(), CHALLENGE_INVALID);
  const otherProof = { totpCode: nextTotpCode(other.totp) };
  const foreign = factors.secondStep(challenge, fingerprint, otherProof);
  await fixture.refused(`with the code of another account of ${kind.plural}`, foreign, INVALID);
  const owner = factors.secondStep(challenge, fingerprint, proof);
  await fixture.accepted(`on its device afterwards of ${kind.plural}`, owner);
};

/** What ends a waiting challenge; each works in place of the owner. */
type Change = [name: string, change: (fixture: Fixture, user: FactorUser) => Promise<unknown>];

const resetPassword = async ({ inbox }: Fixture, { email, factors }: FactorUser): Promise<void> => {
  await factors.auth.sendResetCode({ email });
  const code = codeIn(await inbox.untilMail(email, 'Your code to reset the password'));
  await factors.auth.resetPassword({ email, code, newPassword: NEW_PASSWORD });
};

const CHANGES: readonly Change[] = [
  [
    'a change of the password',
    (_, { factors, device }) =>
      factors.auth.changePassword(device, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
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
    await fixture.refused(`after ${name}`, response, CHALLENGE_INVALID);
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
    await fixture.refused(`the second step of ${kind.plural}`, response, '401 USER_BLOCKED');
    const again = await fixture.signIn(user);
    await fixture.refused(`a new sign-in of ${kind.plural}`, again, '401 USER_BLOCKED');
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
      await fixture.refused(
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
