import { bearer, type Device } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { type AddedPasskey, nextTotpCode } from '../../factor-client.ts';
import { type Challenge, createHolders, type Holder, openChallenge } from './factors.ts';
import {
  type Check,
  checkAudit,
  checkOneWinner,
  createRace,
  type Race,
  type RaceFixture,
} from './fixture.ts';

type PasskeyHolder = Holder & { passkey: AddedPasskey };

const withPasskey = async (holder: Holder): Promise<PasskeyHolder> => ({
  ...holder,
  passkey: await holder.factors.addPasskey(holder.device),
});

const PROOFS = ['totpCode', 'recoveryCode', 'passkey'] as const;

const createProofs = async (
  { factors, totp, passkey }: PasskeyHolder,
  { challenge, fingerprint }: Challenge,
) => {
  const options = await factors.getSecondStepOptions(challenge, fingerprint);
  return {
    totpCode: { totpCode: nextTotpCode(totp) },
    recoveryCode: { recoveryCode: totp.recoveryCodes[0] },
    passkey: { passkey: passkey.authenticator.get(options) },
  };
};

/** The names of the proofs that the database has recorded as used. */
const readConsumed = async ({ records }: RaceFixture, userId: string): Promise<string> => {
  const [row] = await records.query<Record<(typeof PROOFS)[number], boolean>>(
    `select (select last_used_step > floor(extract(epoch from enabled_at) / 30) from totp_factors where user_id = $1)
         as "totpCode",
       (select count(*) = 9 from recovery_codes where user_id = $1) as "recoveryCode",
       (select last_used_at is not null from passkeys where user_id = $1) as passkey`,
    [userId],
  );
  return PROOFS.filter((proof) => row?.[proof]).join(', ');
};

/** Several right proofs for one challenge. */
export const createChallengeRace = (fixture: RaceFixture): Race => {
  const createHolder = createHolders(fixture);
  return createRace(
    { name: 'use of one challenge', concurrency: PROOFS.length },
    async () => {
      const holder = await withPasskey(await createHolder());
      const challenge = await openChallenge(holder);
      return { holder, challenge, proofs: await createProofs(holder, challenge) };
    },
    async ({ holder, challenge: { challenge, fingerprint }, proofs }, check, round) => {
      const order = [...PROOFS.slice(round % PROOFS.length), ...PROOFS.slice(0, round % PROOFS.length)];
      const responses = await Promise.all(
        order.map((name) => holder.factors.secondStep(challenge, fingerprint, proofs[name])),
      );
      checkOneWinner(check, responses, 200, /^CHALLENGE_INVALID$/);
      const winner = order[responses.findIndex(({ status }) => status === 200)];
      const consumed = await readConsumed(fixture, holder.member.userId);
      check(consumed === winner, 'only the winning proof is consumed', `${consumed} instead of ${winner}`);
      return order.map((name, index) => `${name} ${responses[index] && formatStatus(responses[index])}`);
    },
  );
};

/** No token from before the removal works, and only so many token records are left. */
const checkSignedOut = async (
  fixture: RaceFixture,
  check: Check,
  { member, factors }: Holder,
  signedIn: HttpResponse,
  tokenRecords: number,
) => {
  if (signedIn.status === 200) {
    const me = await factors.auth.me(factors.auth.toDevice(signedIn));
    check(me.code === 'TOKEN_INVALID', 'no token from before the removal works', formatStatus(me));
  }
  const failed = /^(CHALLENGE_INVALID|SECOND_FACTOR_INVALID)$/.test(signedIn.code ?? '');
  check(signedIn.status === 200 || failed, 'the second step is before or after', formatStatus(signedIn));
  const left = await fixture.records.query('select 1 from token_records where user_id = $1', [member.userId]);
  check(left.length === tokenRecords, `${tokenRecords} token records remain`, left.length);
};

/** An ADMIN removes the factors of a user who proves one of them. */
export const createResetRace = (fixture: RaceFixture, admin: Device): Race => {
  const createHolder = createHolders(fixture);
  return createRace(
    { name: 'reset by an ADMIN against the second step', concurrency: 2 },
    async () => {
      const holder = await createHolder();
      return { holder, ...(await openChallenge(holder)) };
    },
    async ({ holder, challenge, fingerprint }, check) => {
      const { factors, member, totp } = holder;
      const path = `/api/v1/users/${member.userId}/second-factor`;
      const [signedIn, removed] = await Promise.all([
        factors.secondStep(challenge, fingerprint, { totpCode: nextTotpCode(totp) }),
        fixture.send({ method: 'DELETE', path, headers: bearer(admin) }),
      ]);
      check(removed.status === 204, 'the reset succeeds', formatStatus(removed));
      await checkSignedOut(fixture, check, holder, signedIn, 0);
      await checkAudit(fixture, check, 'SECOND_FACTOR_RESET', member.userId);
      const { status } = await factors.auth.signIn(member, uniqueFingerprint());
      check(status === 200, 'the password alone signs in', status);
      return [`second step ${formatStatus(signedIn)}`, removed];
    },
  );
};

/** A passkey is removed on one device while another signs in with it: without a password in every other round. */
export const createPasskeyRemovalRace = (fixture: RaceFixture): Race => {
  const createHolder = createHolders(fixture);
  return createRace(
    { name: 'removal of a passkey against its use', concurrency: 2 },
    async () => {
      const holder = await withPasskey(await createHolder());
      const { challenge, fingerprint } = await openChallenge(holder);
      const { passkey } = await createProofs(holder, { challenge, fingerprint });
      const options = await holder.factors.getPasskeyOptions(fingerprint);
      const passwordless = holder.passkey.authenticator.get(options);
      return { holder, challenge, fingerprint, passkey, passwordless };
    },
    async ({ holder, challenge, fingerprint, passkey, passwordless }, check, round) => {
      const { factors, device, member } = holder;
      const [signedIn, removed] = await Promise.all([
        round % 2
          ? factors.secondStep(challenge, fingerprint, passkey)
          : factors.signInWithPasskey(fingerprint, passwordless),
        factors.as(device, 'DELETE', `/passkeys/${holder.passkey.id}`, { currentPassword: member.password }),
      ]);
      check(removed.status === 204, 'the removal succeeds', formatStatus(removed));
      await checkSignedOut(fixture, check, holder, signedIn, 1);
      const me = await factors.auth.me(device);
      check(me.status === 200, 'the device that removed it stays signed in', formatStatus(me));
      const { passkeys } = await factors.readState(device);
      check(passkeys.length === 0, 'the passkey is removed', passkeys.length);
      return [`${round % 2 ? 'second step' : 'sign-in'} ${formatStatus(signedIn)}`, removed];
    },
  );
};
