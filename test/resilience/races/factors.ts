import { ADMINISTRATOR, CUSTOMER, type Device, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import type { EnabledTotp } from '@platform/shared/testing/second-factor-client';
import { totpCode } from '@platform/shared/testing/totp';
import { type FactorClient, nextTotpCode } from '../../factor-client.ts';
import {
  type Checker,
  countAudit,
  createChecker,
  type Member,
  prepareInGroups,
  type Race,
  type RaceFixture,
  range,
  withStatus,
} from './fixture.ts';

const KINDS = [CUSTOMER, EMPLOYEE, ADMINISTRATOR];
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

const checkUsedOnce = async (
  fixture: RaceFixture,
  { member, factors, device }: Holder,
  proof: Proof,
  { check }: Checker,
) => {
  const { recoveryCodesLeft } = await factors.readState(device);
  const used = 10 - recoveryCodesLeft;
  check(used === (proof === 'recovery code' ? 1 : 0), 'only the proof is consumed', `${used} recovery codes`);
  const records = await fixture.records.query('select 1 from token_records where user_id = $1', [
    member.userId,
  ]);
  check(records.length === 2, 'one session is opened', `${records.length} token records`);
  const failed = await countAudit(fixture, 'SIGN_IN_FAILED', member.userId);
  check(failed === USES, 'each failure has an audit record', failed);
};

/** One proof at several devices, which each have a challenge. */
export const createProofRace = (fixture: RaceFixture, proof: Proof): Race => {
  const createHolder = createHolders(fixture);
  const prepare = prepareInGroups(async () => {
    const holder = await createHolder();
    // In order: the throttle would count parallel sign-ins as attempts.
    const challenges: Challenge[] = [];
    for (const _ of range(USES + 1)) challenges.push(await openChallenge(holder));
    return { holder, challenges };
  });
  return {
    name: `use of one ${proof}`,
    concurrency: USES,
    run: async () => {
      const checker = createChecker();
      const { violations, check } = checker;
      const { holder, challenges } = await prepare();
      const { factors, totp } = holder;
      const body =
        proof === 'TOTP code' ? { totpCode: nextTotpCode(totp) } : { recoveryCode: totp.recoveryCodes[0] };
      const use = ({ challenge, fingerprint }: Challenge) => factors.secondStep(challenge, fingerprint, body);
      const [last, ...first] = challenges;
      const responses = await Promise.all(first.map(use));
      const results = responses.map(formatStatus);
      check(withStatus(responses, 200).length === 1, 'one use succeeds', results.join(', '));
      if (!last) throw new Error('There is no challenge');
      for (const response of [...responses.filter(({ status }) => status !== 200), await use(last)])
        check(response.code === 'SECOND_FACTOR_INVALID', 'the others fail', formatStatus(response));
      await checkUsedOnce(fixture, holder, proof, checker);
      return { results, violations };
    },
  };
};

const checkConfirmedOnce = async (
  fixture: RaceFixture,
  { member, factors }: Omit<Holder, 'totp'>,
  winner: HttpResponse,
  { check }: Checker,
) => {
  const recoveryCodes: string[] = winner.body.recoveryCodes;
  const stored = await fixture.records.query('select 1 from recovery_codes where user_id = $1', [
    member.userId,
  ]);
  check(stored.length === 10 && recoveryCodes.length === 10, 'there are ten recovery codes', stored.length);
  const audited = await countAudit(fixture, 'TOTP_ENABLED', member.userId);
  check(audited === 1, 'there is one audit record', audited);
  const fingerprint = uniqueFingerprint();
  const challenge = await factors.openChallenge(member, fingerprint);
  const used = await factors.secondStep(challenge, fingerprint, { recoveryCode: recoveryCodes.at(-1) });
  check(used.status === 200, 'the returned codes are the stored ones', formatStatus(used));
};

/** Confirmations of one TOTP set-up, with codes of two time steps. */
export const createConfirmationRace = (fixture: RaceFixture): Race => {
  const prepare = prepareInGroups(async () => {
    const member = await fixture.signUpVerified();
    const factors = fixture.factors(member.kind);
    const device = await fixture.signIn(member);
    return { member, factors, device, secret: await factors.setUpTotp(device) };
  });
  return {
    name: 'confirmation of one TOTP set-up',
    concurrency: USES,
    run: async () => {
      const checker = createChecker();
      const { violations, check } = checker;
      const { secret, ...holder } = await prepare();
      const { factors, device } = holder;
      const codes = range(USES).map((index) => totpCode(secret, index % 2));
      const responses = await Promise.all(codes.map((code) => factors.confirmTotp(device, code)));
      const results = responses.map(formatStatus);
      const [winner, ...others] = withStatus(responses, 200);
      check(winner !== undefined && others.length === 0, 'one confirmation succeeds', results.join(', '));
      for (const response of responses.filter(({ status }) => status !== 200))
        check(response.code === 'SECOND_FACTOR_ENABLED', 'the others fail', formatStatus(response));
      if (winner) await checkConfirmedOnce(fixture, holder, winner, checker);
      return { results, violations };
    },
  };
};
