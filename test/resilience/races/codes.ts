import { ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import type { Answer, Call } from '../load/http-client.ts';
import { signInCall } from '../load/user-actions.ts';
import { bearer, labelOf, type Member, post, range, type Scene, withStatus } from './fixture.ts';
import { createJudge, type Judge, type Race } from './race.ts';

const AT_ONCE = 8;
const TRIES = 5;
const KINDS = [CUSTOMER, EMPLOYEE, ADMINISTRATOR];

type Mail = { to: string[]; text: string };
/** Somebody who has a code, and how it is used. */
type Holder = { member: Member; use: 'verify' | 'reset' | 'exhaust'; token: string; code: string };

const USES = ['verify', 'reset', 'exhaust'] as const;

const sendCode = async (scene: Scene, { member, use, token }: Omit<Holder, 'code'>): Promise<void> => {
  const { kind, email } = member;
  const call: Call =
    use === 'verify'
      ? { method: 'GET', path: `${kind.path}/verification/email/code`, headers: bearer(token) }
      : post(`${kind.path}/reset-password/email/code/send`, { email });
  const answer = await scene.ask(call);
  if (answer.status !== 200) throw new Error(`No code for ${email}: ${labelOf(answer)}`);
};

const readCodes = async (scene: Scene, count: number): Promise<Map<string, string>> =>
  await waitFor(
    `${count} codes in the inbox`,
    async () => {
      const mails = (await (await fetch(`${scene.stack.inboxUrl}/api/email`)).json()) as Mail[];
      const codes = new Map(mails.map(({ to, text }) => [to[0] ?? '', /^\d{6}$/m.exec(text)?.[0] ?? '']));
      return codes.size >= count && codes;
    },
    60,
  );

/** Everybody's code first, then the rounds. */
const prepare = async (scene: Scene, rounds: number): Promise<Holder[]> => {
  const holders: Omit<Holder, 'code'>[] = [];
  for (const round of range(rounds)) {
    const use = USES[round % USES.length] ?? 'verify';
    const member = await scene.signUp(KINDS[Math.floor(round / USES.length) % KINDS.length]);
    const token = use === 'verify' ? (await scene.signIn(member)).accessToken : '';
    holders.push({ member, use, token });
    await sendCode(scene, { member, use, token });
  }
  const codes = await readCodes(scene, rounds);
  return holders.map((holder) => ({ ...holder, code: codes.get(holder.member.email) ?? '' }));
};

const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

const useCode = ({ member: { kind, email }, use, token }: Holder, code: string, newPassword: string): Call =>
  use === 'verify'
    ? post(`${kind.path}/verification/email/code/check`, { code }, bearer(token))
    : post(`${kind.path}/reset-password/email/code`, { email, code, newPassword });

const expectVerifiedOnce = async (scene: Scene, holder: Holder, { expect }: Judge, answers: Answer[]) => {
  expect(withStatus(answers, 200).length === 1, 'the code works once', answers.map(labelOf).join(', '));
  for (const answer of answers)
    if (answer.status !== 200)
      expect(
        /^(CODE_INVALID|EMAIL_ALREADY_VERIFIED)$/.test(answer.code ?? ''),
        'the others are told',
        labelOf(answer),
      );
  const path = `${holder.member.kind.path}/verification/email/check`;
  const { body } = await scene.ask({ method: 'GET', path, headers: bearer(holder.token) });
  expect((body as { verified: boolean }).verified === true, 'the e-mail is verified');
};

const expectResetOnce = async (
  scene: Scene,
  { member }: Holder,
  { expect }: Judge,
  answers: Answer[],
  passwords: string[],
) => {
  expect(withStatus(answers, 204).length === 1, 'the code works once', answers.map(labelOf).join(', '));
  for (const answer of answers)
    if (answer.status !== 204) expect(answer.code === 'CODE_INVALID', 'the others fail', labelOf(answer));
  const password = passwords[answers.findIndex(({ status }) => status === 204)] ?? '';
  const { status } = await scene.ask(signInCall({ ...member, password }, 'device'));
  expect(status === 200, 'the password of the one that worked signs in', status);
  const notices = await scene.records.query(
    'select 1 from users u where u.email = $1 and u.is_email_verified',
    [member.email],
  );
  expect(notices.length === 1, 'the reset has proved the address');
};

/** A right code that is used in several places at once, or five wrong ones at once and then the right one. */
export const createCodeRace = async (scene: Scene, rounds: number): Promise<Race> => {
  const holders = await prepare(scene, rounds);
  return {
    name: 'check of one code',
    atOnce: AT_ONCE,
    run: async (round) => {
      const judge = createJudge();
      const holder = holders[round];
      if (!holder) throw new Error(`Nobody has a code for round ${round}`);
      const passwords = range(AT_ONCE).map((index) => `A better horse ${round}/${index}`);
      const isExhausting = holder.use === 'exhaust';
      const code = isExhausting ? otherThan(holder.code) : holder.code;
      const answers = await Promise.all(
        passwords.map((password) => scene.ask(useCode(holder, code, password))),
      );
      if (holder.use === 'verify') await expectVerifiedOnce(scene, holder, judge, answers);
      if (holder.use === 'reset') await expectResetOnce(scene, holder, judge, answers, passwords);
      if (isExhausting) {
        for (const answer of answers)
          judge.expect(answer.code === 'CODE_INVALID', 'wrong codes fail', labelOf(answer));
        const late = await scene.ask(useCode(holder, holder.code, PASSWORD));
        judge.expect(
          late.code === 'CODE_INVALID',
          `after ${TRIES} tries the right code is dead`,
          labelOf(late),
        );
      }
      return { ends: answers.map(labelOf), violations: judge.violations };
    },
  };
};
