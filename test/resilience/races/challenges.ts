import { bearer, type Device } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { type AddedPasskey, nextTotpCode } from '../../factor-client.ts';
import { type Challenge, createHolders, type Holder, openChallenge } from './factors.ts';
import {
  type Checker,
  countAudit,
  createChecker,
  prepareInGroups,
  type Race,
  type RaceFixture,
  withStatus,
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
  const prepare = prepareInGroups(async () => {
    const holder = await withPasskey(await createHolder());
    const challenge = await openChallenge(holder);
    return { holder, challenge, proofs: await createProofs(holder, challenge) };
  });
  return {
    name: 'use of one challenge',
    concurrency: PROOFS.length,
    run: async (round) => {
      const { violations, check } = createChecker();
      const { holder, challenge, proofs } = await prepare();
      const order = [...PROOFS.slice(round % PROOFS.length), ...PROOFS.slice(0, round % PROOFS.length)];
      const responses = await Promise.all(
        order.map((name) =>
          holder.factors.secondStep(challenge.challenge, challenge.fingerprint, proofs[name]),
        ),
      );
      const results = responses.map(formatStatus);
      const winner = order[responses.findIndex(({ status }) => status === 200)];
      check(withStatus(responses, 200).length === 1, 'one proof opens the session', results.join(', '));
      for (const response of responses.filter(({ status }) => status !== 200))
        check(response.code === 'CHALLENGE_INVALID', 'the challenge is used', formatStatus(response));
      const consumed = await readConsumed(fixture, holder.member.userId);
      check(consumed === winner, 'only the winning proof is consumed', `${consumed} instead of ${winner}`);
      return { results: order.map((name, index) => `${name} ${results[index]}`), violations };
    },
  };
};

const checkSignedOut = async (
  fixture: RaceFixture,
  { member, factors }: Holder,
  signedIn: HttpResponse,
  { check }: Checker,
) => {
  if (signedIn.status === 200) {
    const me = await factors.auth.me(factors.auth.toDevice(signedIn));
    check(me.code === 'TOKEN_INVALID', 'no token from before the removal works', formatStatus(me));
  }
  const failed = /^(CHALLENGE_INVALID|SECOND_FACTOR_INVALID)$/.test(signedIn.code ?? '');
  check(signedIn.status === 200 || failed, 'the second step is before or after', formatStatus(signedIn));
  const left = await fixture.records.query('select 1 from token_records where user_id = $1', [member.userId]);
  return left.length;
};

/** An ADMIN removes the factors of a user who proves one of them. */
export const createResetRace = (fixture: RaceFixture, admin: Device): Race => {
  const createHolder = createHolders(fixture);
  const prepare = prepareInGroups(async () => {
    const holder = await createHolder();
    return { holder, challenge: await openChallenge(holder) };
  });
  return {
    name: 'reset by an ADMIN against the second step',
    concurrency: 2,
    run: async () => {
      const checker = createChecker();
      const { violations, check } = checker;
      const { holder, challenge } = await prepare();
      const { factors, member, totp } = holder;
      const path = `/api/v1/users/${member.userId}/second-factor`;
      const [signedIn, removed] = await Promise.all([
        factors.secondStep(challenge.challenge, challenge.fingerprint, { totpCode: nextTotpCode(totp) }),
        fixture.send({ method: 'DELETE', path, headers: bearer(admin) }),
      ]);
      check(removed.status === 204, 'the reset succeeds', formatStatus(removed));
      const left = await checkSignedOut(fixture, holder, signedIn, checker);
      check(left === 0, 'no token record remains', left);
      const audited = await countAudit(fixture, 'SECOND_FACTOR_RESET', member.userId);
      check(audited === 1, 'there is one audit record', audited);
      const { status } = await factors.auth.signIn(member, uniqueFingerprint());
      check(status === 200, 'the password alone signs in', status);
      return { results: [`second step ${formatStatus(signedIn)}`, formatStatus(removed)], violations };
    },
  };
};

/** A passkey is removed on one device while another signs in with it: without a password in every other round. */
export const createPasskeyRemovalRace = (fixture: RaceFixture): Race => {
  const createHolder = createHolders(fixture);
  const prepare = prepareInGroups(async () => {
    const holder = await withPasskey(await createHolder());
    const challenge = await openChallenge(holder);
    const { passkey } = await createProofs(holder, challenge);
    const options = await holder.factors.getPasskeyOptions(challenge.fingerprint);
    return { holder, challenge, passkey, passwordless: holder.passkey.authenticator.get(options) };
  });
  return {
    name: 'removal of a passkey against its use',
    concurrency: 2,
    run: async (round) => {
      const checker = createChecker();
      const { violations, check } = checker;
      const { holder, challenge, passkey, passwordless } = await prepare();
      const { factors, device, member } = holder;
      const { fingerprint } = challenge;
      const [signedIn, removed] = await Promise.all([
        round % 2
          ? factors.secondStep(challenge.challenge, fingerprint, passkey)
          : factors.signInWithPasskey(fingerprint, passwordless),
        factors.as(device, 'DELETE', `/passkeys/${holder.passkey.id}`, { currentPassword: member.password }),
      ]);
      check(removed.status === 204, 'the removal succeeds', formatStatus(removed));
      const left = await checkSignedOut(fixture, holder, signedIn, checker);
      check(left === 1, 'only the device that removed it stays signed in', left);
      const me = await factors.auth.me(device);
      check(me.status === 200, 'that device stays signed in', formatStatus(me));
      const { passkeys } = await factors.readState(device);
      check(passkeys.length === 0, 'the passkey is removed', passkeys.length);
      const step = round % 2 ? 'second step' : 'sign-in';
      return { results: [`${step} ${formatStatus(signedIn)}`, formatStatus(removed)], violations };
    },
  };
};
