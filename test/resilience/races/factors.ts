import type { Device } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import type { EnabledTotp } from '@platform/shared/testing/second-factor-client';
import { totpCode } from '@platform/shared/testing/totp';
import { type FactorClient, nextTotpCode } from '../../factor-client.ts';
import {
  type Check,
  checkAudit,
  checkOneWinner,
  createRace,
  KINDS,
  type Member,
  type Race,
  type RaceFixture,
  range,
} from './fixture.ts';

const USES = 3;

export type Challenge = { challenge: string; fingerprint: string };
export type Holder = { member: Member; factors: FactorClient; device: Device; totp: EnabledTotp };

/** Signed-in users of each kind in turn, with a TOTP factor. */
export const createHolders = (fixture: RaceFixture): (() => Promise<Holder>) => {
  let count = 0;
  return async () => {
    count += 1;
    const member = await fixture.signUpVerified(KINDS[count % KINDS.length]);
    const factors = fixture.factors(member.kind);
    const device = await fixture.signIn(member);
    return { member, factors, device, totp: await factors.enableTotp(device) };
  };
};

export const openChallenge = async ({ factors, member }: Holder): Promise<Challenge> => {
  const fingerprint = uniqueFingerprint();
  return { fingerprint, challenge: await factors.openChallenge(member, fingerprint) };
};

type Proof = 'recovery code' | 'TOTP code';

/** One proof at several devices, which each have a challenge. */
export const createProofRace = (fixture: RaceFixture, proof: Proof): Race => {
  const createHolder = createHolders(fixture);
  return createRace(
    { name: `use of one ${proof}`, concurrency: USES },
    async () => {
      const holder = await createHolder();
      // The sign-ins are in order: the throttle would count parallel ones as attempts.
      const challenges: Challenge[] = [];
      for (const _ of range(USES)) challenges.push(await openChallenge(holder));
      return { holder, challenges, last: await openChallenge(holder) };
    },
    async ({ holder: { factors, totp, device, member }, challenges, last }, check) => {
      const body =
        proof === 'TOTP code' ? { totpCode: nextTotpCode(totp) } : { recoveryCode: totp.recoveryCodes[0] };
      const use = ({ challenge, fingerprint }: Challenge) => factors.secondStep(challenge, fingerprint, body);
      const responses = await Promise.all(challenges.map(use));
      checkOneWinner(check, responses, 200, /^SECOND_FACTOR_INVALID$/);
      const late = await use(last);
      check(late.code === 'SECOND_FACTOR_INVALID', 'a later use fails', formatStatus(late));
      const { recoveryCodesLeft } = await factors.readState(device);
      const expected = proof === 'recovery code' ? 9 : 10;
      check(recoveryCodesLeft === expected, 'only the proof is consumed', `${recoveryCodesLeft} are left`);
      const text = 'select 1 from token_records where user_id = $1';
      const records = await fixture.records.query(text, [member.userId]);
      check(records.length === 2, 'one session is opened', `${records.length} token records`);
      await checkAudit(fixture, check, 'SIGN_IN_FAILED', member.userId, USES);
      return responses;
    },
  );
};

const checkRecoveryCodes = async (
  fixture: RaceFixture,
  check: Check,
  { member, factors }: Omit<Holder, 'totp'>,
  { body }: HttpResponse,
) => {
  const recoveryCodes: string[] = body.recoveryCodes;
  const text = 'select 1 from recovery_codes where user_id = $1';
  const stored = await fixture.records.query(text, [member.userId]);
  check(stored.length === 10 && recoveryCodes.length === 10, 'there are ten recovery codes', stored.length);
  const fingerprint = uniqueFingerprint();
  const challenge = await factors.openChallenge(member, fingerprint);
  const used = await factors.secondStep(challenge, fingerprint, { recoveryCode: recoveryCodes.at(-1) });
  check(used.status === 200, 'the returned codes are the stored ones', formatStatus(used));
};

/** Confirmations of one TOTP set-up, with codes of two time steps. */
export const createConfirmationRace = (fixture: RaceFixture): Race =>
  createRace(
    { name: 'confirmation of one TOTP set-up', concurrency: USES },
    async () => {
      const member = await fixture.signUpVerified();
      const factors = fixture.factors(member.kind);
      const device = await fixture.signIn(member);
      return { member, factors, device, secret: await factors.setUpTotp(device) };
    },
    async ({ secret, ...holder }, check) => {
      const { factors, device, member } = holder;
      const codes = range(USES).map((index) => totpCode(secret, index % 2));
      const responses = await Promise.all(codes.map((code) => factors.confirmTotp(device, code)));
      const winner = checkOneWinner(check, responses, 200, /^SECOND_FACTOR_ENABLED$/);
      if (winner) await checkRecoveryCodes(fixture, check, holder, winner);
      await checkAudit(fixture, check, 'TOTP_ENABLED', member.userId);
      return responses;
    },
  );
