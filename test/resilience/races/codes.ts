import type { Device } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import {
  type Check,
  checkOneWinner,
  KINDS,
  type Member,
  type Race,
  type RaceFixture,
  range,
} from './fixture.ts';

const CONCURRENCY = 8;
const MAX_ATTEMPTS = 5;
const MAIL_SECONDS = 60;
const USES = ['verify', 'reset', 'exhaust'] as const;

/** A user who has a code, and how the code is used. `device` is only needed for verification. */
type CodeHolder = {
  member: Member;
  use: (typeof USES)[number];
  device: Device | undefined;
  code: string;
};

/** All codes are sent before the first round. */
const createHolders = async (fixture: RaceFixture, rounds: number): Promise<CodeHolder[]> => {
  const holders: Omit<CodeHolder, 'code'>[] = [];
  for (const round of range(rounds)) {
    const use = USES[round % USES.length] ?? 'verify';
    const member = await fixture.signUp(KINDS[Math.floor(round / USES.length) % KINDS.length]);
    const auth = fixture.auth(member.kind);
    const device = use === 'verify' ? await fixture.signIn(member) : undefined;
    const response = await (device
      ? auth.sendVerificationCode(device)
      : auth.sendResetCode({ email: member.email }));
    if (response.status !== 200) throw new Error(`No code for ${member.email}: ${formatStatus(response)}`);
    holders.push({ member, use, device });
  }
  const readCode = async ({ email }: Member) =>
    codeIn(await fixture.inbox.untilMail(email, '', 1, MAIL_SECONDS));
  return Promise.all(holders.map(async (holder) => ({ ...holder, code: await readCode(holder.member) })));
};

const toWrongCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

const useCode = (
  fixture: RaceFixture,
  { member: { kind, email }, device }: CodeHolder,
  code: string,
  newPassword: string,
): Promise<HttpResponse> => {
  const auth = fixture.auth(kind);
  return device ? auth.verifyEmail(device, { code }) : auth.resetPassword({ email, code, newPassword });
};

const checkVerified = async (fixture: RaceFixture, { member, device }: CodeHolder, check: Check) => {
  if (!device) throw new Error('A verification needs a device');
  const { body } = await fixture.auth(member.kind).checkVerified(device);
  check(body.verified === true, 'the e-mail is verified');
};

const checkReset = async (
  fixture: RaceFixture,
  { kind, email, userId }: Member,
  check: Check,
  password: string,
) => {
  const { status } = await fixture.auth(kind).signIn({ email, password }, 'device');
  check(status === 200, 'the new password signs in', status);
  const text = 'select 1 from users where id = $1 and is_email_verified';
  const verified = await fixture.records.query(text, [userId]);
  check(verified.length === 1, 'the reset verifies the e-mail');
};

/** Several uses of the right code; or several wrong codes, then the right one. */
export const createCodeRace = async (fixture: RaceFixture, rounds: number): Promise<Race> => {
  const holders = await createHolders(fixture, rounds);
  return {
    name: 'check of one code',
    concurrency: CONCURRENCY,
    run: async (check, round) => {
      const holder = holders[round];
      if (!holder) throw new Error(`There is no code for round ${round}`);
      const { use, code, member } = holder;
      const passwords = range(CONCURRENCY).map((index) => `A better horse ${round}/${index}`);
      const sentCode = use === 'exhaust' ? toWrongCode(code) : code;
      const responses = await Promise.all(
        passwords.map((password) => useCode(fixture, holder, sentCode, password)),
      );
      if (use === 'verify') {
        checkOneWinner(check, responses, 200, /^(CODE_INVALID|EMAIL_ALREADY_VERIFIED)$/);
        await checkVerified(fixture, holder, check);
      } else if (use === 'reset') {
        checkOneWinner(check, responses, 204, /^CODE_INVALID$/);
        const winner = responses.findIndex(({ status }) => status === 204);
        await checkReset(fixture, member, check, passwords[winner] ?? '');
      } else {
        for (const response of responses)
          check(response.code === 'CODE_INVALID', 'wrong codes fail', formatStatus(response));
        const late = await useCode(fixture, holder, code, PASSWORD);
        const invariant = `the right code fails after ${MAX_ATTEMPTS} attempts`;
        check(late.code === 'CODE_INVALID', invariant, formatStatus(late));
      }
      return responses;
    },
  };
};
