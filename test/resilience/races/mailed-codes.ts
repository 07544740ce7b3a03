import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { type Check, createRace, type Member, type Race, type RaceFixture } from './fixture.ts';

/** A code and network have five tries. */
const TRIES = 5;

type Attempt = (code: string) => Promise<HttpResponse>;
/** A code that was mailed, and the request that signs in with it. */
type Subject = { member: Member; code: string; attempt: Attempt };

/** All different from the correct code. */
const getWrongCodes = (code: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    String((Number(code) + index + 1) % 1_000_000).padStart(6, '0'),
  );

/** Instead of the password. */
export const prepareSignIn = async (fixture: RaceFixture): Promise<Subject> => {
  const member = await fixture.signUpVerified(CUSTOMER);
  const { email } = member;
  const client = fixture.client(CUSTOMER);
  await client.signInEmailCodeSend({ body: { email } });
  const code = codeIn(await fixture.inbox.untilMail(email, 'is your code'));
  const attempt: Attempt = (each) =>
    client.signInEmailCode({ fingerprint: uniqueFingerprint(), body: { email, code: each } });
  return { member, code, attempt };
};

/** After the password on a new device, with NEW_DEVICE_CODE. */
export const prepareSecondStep = async (fixture: RaceFixture): Promise<Subject> => {
  const member = await fixture.signUpVerified(CUSTOMER);
  const { email, password } = member;
  const client = fixture.client(CUSTOMER);
  const fingerprint = uniqueFingerprint();
  const { body } = await client.signIn({ fingerprint, body: { email, password } });
  const { challenge } = body;
  await client.signInSecondFactorEmailCode({ fingerprint, body: { challenge } });
  const emailCode = codeIn(await fixture.inbox.untilMail(email, 'is your code'));
  const attempt: Attempt = (each) =>
    client.signInSecondFactor({ fingerprint, body: { challenge, emailCode: each } });
  return { member, code: emailCode, attempt };
};

type Prepare = typeof prepareSignIn;

const checkSessions = async (
  fixture: RaceFixture,
  check: Check,
  { userId }: Member,
  expected: number,
): Promise<void> => {
  const sessions = await fixture.records.query('select id from sessions where user_id = $1', [userId]);
  check(sessions.length === expected, `there are ${expected} sessions`, sessions.length);
  const text = `select id from audit_records where action = 'SIGNED_IN' and actor_id = $1`;
  const records = await fixture.records.query(text, [userId]);
  check(records.length === expected, `the audit log has ${expected} sign-ins`, records.length);
};

const countSignIns = (responses: readonly HttpResponse[]): number =>
  responses.filter(({ status }) => status === 200).length;

/** One code signs in once. */
export const createSameCodeRace =
  (prepare: Prepare) =>
  (fixture: RaceFixture): Race =>
    createRace(
      () => prepare(fixture),
      async ({ member, code, attempt }, check) => {
        const responses = await Promise.all(Array.from({ length: 4 }, () => attempt(code)));
        check(countSignIns(responses) === 1, 'one request signs in', responses.map(formatStatus).join());
        await checkSessions(fixture, check, member, 1);
        return responses;
      },
    );

/** Fewer wrong tries than allowed do not hinder the right one, whatever the order. */
export const createFewWrongCodesRace =
  (prepare: Prepare) =>
  (fixture: RaceFixture): Race =>
    createRace(
      () => prepare(fixture),
      async ({ member, code, attempt }, check, round) => {
        const codes = getWrongCodes(code, TRIES - 1);
        codes.splice(round % TRIES, 0, code);
        const responses = await Promise.all(codes.map(attempt));
        const isOnlyRight = responses.every(
          ({ status }, index) => (status === 200) === (codes[index] === code),
        );
        check(isOnlyRight, 'the right code alone signs in', responses.map(formatStatus).join());
        await checkSessions(fixture, check, member, 1);
        return responses;
      },
    );

/** Many guesses at once get as many tries as guesses one after another: then the right code signs in no more. */
export const createManyWrongCodesRace =
  (prepare: Prepare) =>
  (fixture: RaceFixture): Race =>
    createRace(
      () => prepare(fixture),
      async ({ member, code, attempt }, check) => {
        const responses = await Promise.all(getWrongCodes(code, 2 * TRIES).map(attempt));
        const last = await attempt(code);
        check(countSignIns([...responses, last]) === 0, 'nothing signs in', formatStatus(last));
        await checkSessions(fixture, check, member, 0);
        return [...responses, last];
      },
    );
