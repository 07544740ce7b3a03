import { ADMINISTRATOR, CUSTOMER, type Device, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import { createHttpClient, formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import {
  type Checker,
  createChecker,
  type Member,
  type Race,
  type RaceFixture,
  range,
  withStatus,
} from './fixture.ts';

const CONCURRENCY = 8;
const MAX_ATTEMPTS = 5;
const KINDS = [CUSTOMER, EMPLOYEE, ADMINISTRATOR];
const USES = ['verify', 'reset', 'exhaust'] as const;

type Mail = { to: string[]; text: string };
/** A user who has a code, and how the code is used. `device` is only needed for verification. */
type CodeHolder = {
  member: Member;
  use: (typeof USES)[number];
  device: Device | undefined;
  code: string;
};

const readCodes = async ({ stack }: RaceFixture, count: number): Promise<Map<string, string>> => {
  const inbox = createHttpClient(stack.inboxUrl);
  return await waitFor(
    `${count} codes in the inbox`,
    async () => {
      const mails: Mail[] = (await inbox.sendOrThrow({ path: '/api/email' })).body;
      const codes = new Map(mails.map(({ to, text }) => [to[0] ?? '', /^\d{6}\b/m.exec(text)?.[0] ?? '']));
      return codes.size >= count && codes;
    },
    60,
  );
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
  const codes = await readCodes(fixture, rounds);
  return holders.map((holder) => ({ ...holder, code: codes.get(holder.member.email) ?? '' }));
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

const checkVerifiedOnce = async (
  fixture: RaceFixture,
  { member, device }: CodeHolder,
  { check }: Checker,
  responses: HttpResponse[],
) => {
  const results = responses.map(formatStatus);
  check(withStatus(responses, 200).length === 1, 'the code works once', results.join(', '));
  for (const response of responses)
    if (response.status !== 200)
      check(
        /^(CODE_INVALID|EMAIL_ALREADY_VERIFIED)$/.test(response.code ?? ''),
        'the others fail',
        formatStatus(response),
      );
  if (!device) throw new Error('A verification needs a device');
  const { body } = await fixture.auth(member.kind).checkVerified(device);
  check(body.verified === true, 'the e-mail is verified');
};

const checkResetOnce = async (
  fixture: RaceFixture,
  { member: { kind, email } }: CodeHolder,
  { check }: Checker,
  responses: HttpResponse[],
  passwords: string[],
) => {
  const results = responses.map(formatStatus);
  check(withStatus(responses, 204).length === 1, 'the code works once', results.join(', '));
  for (const response of responses)
    if (response.status !== 204)
      check(response.code === 'CODE_INVALID', 'the others fail', formatStatus(response));
  const password = passwords[responses.findIndex(({ status }) => status === 204)] ?? '';
  const { status } = await fixture.auth(kind).signIn({ email, password }, 'device');
  check(status === 200, 'the new password signs in', status);
  const verified = await fixture.records.query(
    'select 1 from users u where u.email = $1 and u.is_email_verified',
    [email],
  );
  check(verified.length === 1, 'the reset verifies the e-mail');
};

/** Several uses of the right code; or several wrong codes, then the right one. */
export const createCodeRace = async (fixture: RaceFixture, rounds: number): Promise<Race> => {
  const holders = await createHolders(fixture, rounds);
  return {
    name: 'check of one code',
    concurrency: CONCURRENCY,
    run: async (round) => {
      const checker = createChecker();
      const { violations, check } = checker;
      const holder = holders[round];
      if (!holder) throw new Error(`There is no code for round ${round}`);
      const { use, code } = holder;
      const passwords = range(CONCURRENCY).map((index) => `A better horse ${round}/${index}`);
      const sentCode = use === 'exhaust' ? toWrongCode(code) : code;
      const responses = await Promise.all(
        passwords.map((password) => useCode(fixture, holder, sentCode, password)),
      );
      if (use === 'verify') await checkVerifiedOnce(fixture, holder, checker, responses);
      if (use === 'reset') await checkResetOnce(fixture, holder, checker, responses, passwords);
      if (use === 'exhaust') {
        for (const response of responses)
          check(response.code === 'CODE_INVALID', 'wrong codes fail', formatStatus(response));
        const late = await useCode(fixture, holder, code, PASSWORD);
        const invariant = `the right code fails after ${MAX_ATTEMPTS} attempts`;
        check(late.code === 'CODE_INVALID', invariant, formatStatus(late));
      }
      return { results: responses.map(formatStatus), violations };
    },
  };
};
