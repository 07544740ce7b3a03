import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { createHttpClient, formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import type { EnabledTotp } from '@platform/shared/testing/second-factor-client';
import { totpCode } from '@platform/shared/testing/totp';
import { createFactorClient, nextTotpCode } from '../../factor-client.ts';
import {
  CHALLENGE_INVALID,
  countStatuses,
  createFactorUser,
  type FactorUser,
  type Fixture,
  KINDS,
  openChallenge,
  range,
  type User,
} from '../fixture.ts';

const FREE_ATTEMPTS = 5;
/** A slow loop may get further attempts verified: the delays are 1 s, 2 s, 4 s and so on. */
const DELAYED_ATTEMPTS = 3;
const GUESSES = 60;

const countCode = (responses: readonly HttpResponse[], code: string): number =>
  responses.filter((response) => response.code === code).length;

/** Codes that differ from those of the neighbouring time steps and from each other. */
const createWrongCodes = ({ secret }: EnabledTotp, count: number): string[] => {
  const valid = range(5).map((index) => totpCode(secret, index - 2));
  return range(count + valid.length)
    .map((index) => String((Number(valid[2]) + 7 * (index + 1)) % 1_000_000).padStart(6, '0'))
    .filter((code) => !valid.includes(code))
    .slice(0, count);
};

/** Bypasses the gateway, so that X-Forwarded-For sets the client network. */
const createClientFrom = ({ stack }: Fixture, { kind }: User, address: string) => {
  const { send } = createHttpClient(stack.authUrl);
  return createFactorClient(kind, ({ headers, ...request }) =>
    send({ ...request, headers: { ...(headers as Record<string, string>), 'X-Forwarded-For': address } }),
  );
};

const testOneChallenge = async (fixture: Fixture): Promise<void> => {
  fixture.section('Second factor guessing: five attempts at one challenge');
  for (const kind of KINDS) {
    const user = await createFactorUser(fixture, kind);
    const { challenge, fingerprint } = await openChallenge(user);
    // From several networks, so that the throttle refuses none.
    const guess = (code: string, index: number) =>
      createClientFrom(fixture, user, `203.0.113.${index + 1}`).secondStep(challenge, fingerprint, {
        totpCode: code,
      });
    const guesses = await Promise.all(createWrongCodes(user.totp, GUESSES).map(guess));
    const late = await guess(nextTotpCode(user.totp), 200);
    const verified = countCode(guesses, 'SECOND_FACTOR_INVALID');
    fixture.check(
      verified === FREE_ATTEMPTS &&
        verified + countCode(guesses, 'CHALLENGE_INVALID') === GUESSES &&
        formatStatus(late) === CHALLENGE_INVALID,
      `${GUESSES} concurrent guesses of ${kind.plural} from ${GUESSES} networks, then the right code`,
      `${countStatuses(guesses)}, then ${formatStatus(late)}`,
    );
  }
};

/** Opens a challenge with the right password, and guesses once. */
const guessOnce = async (user: FactorUser, code: string): Promise<HttpResponse> => {
  const fingerprint = uniqueFingerprint();
  const credentials = { email: user.email, password: user.password };
  const response = await user.factors.from(fingerprint, '', credentials);
  if (response.code !== 'SECOND_FACTOR_REQUIRED') return response;
  return await user.factors.secondStep(response.body.challenge, fingerprint, { totpCode: code });
};

/** The throttle verifies the free attempts, and few more in a slow loop. */
const checkThrottled = (fixture: Fixture, attack: string, guesses: readonly HttpResponse[]): void => {
  const verified = countCode(guesses, 'SECOND_FACTOR_INVALID');
  fixture.check(
    verified >= FREE_ATTEMPTS &&
      verified <= FREE_ATTEMPTS + DELAYED_ATTEMPTS &&
      verified + countCode(guesses, 'RATE_LIMITED') === guesses.length,
    attack,
    countStatuses(guesses),
  );
};

const testOneNetwork = async (fixture: Fixture): Promise<void> => {
  fixture.section('Second factor guessing: the throttle of the account, with the right password each time');
  for (const kind of KINDS) {
    const user = await createFactorUser(fixture, kind);
    const guesses: HttpResponse[] = [];
    for (const code of createWrongCodes(user.totp, GUESSES)) guesses.push(await guessOnce(user, code));
    checkThrottled(fixture, `${GUESSES} challenges of ${kind.plural}, one guess each`, guesses);
  }
  const user = await createFactorUser(fixture, CUSTOMER);
  const signIn = (password: string) => fixture.signIn({ ...user, password });
  const responses: HttpResponse[] = [];
  for (const password of [...range(4).map(() => WRONG_PASSWORD), PASSWORD, WRONG_PASSWORD, WRONG_PASSWORD])
    responses.push(await signIn(password));
  fixture.check(
    responses[4]?.code === 'SECOND_FACTOR_REQUIRED' && responses[6]?.code === 'RATE_LIMITED',
    'four wrong passwords, the right one without the second step, two wrong ones',
    responses.map(formatStatus).join(', '),
  );
};

const testManyNetworks = async (fixture: Fixture): Promise<void> => {
  fixture.section('Second factor guessing: the limit of the account over all networks');
  const user = await createFactorUser(fixture, CUSTOMER);
  const waiting = {
    fingerprint: uniqueFingerprint(),
    from: createClientFrom(fixture, user, '203.0.113.250'),
  };
  const challenge = await waiting.from.openChallenge(user, waiting.fingerprint);
  const guesses: HttpResponse[] = [];
  for (const [index, code] of createWrongCodes(user.totp, 110).entries()) {
    const client = createClientFrom(fixture, user, `198.51.100.${index + 1}`);
    guesses.push(await guessOnce({ ...user, factors: client }, code));
  }
  fixture.check(
    countStatuses(guesses) === '100 × 401 SECOND_FACTOR_INVALID, 10 × 429 RATE_LIMITED',
    '110 guesses from 110 networks',
    `${countStatuses(guesses)}, Retry-After ${guesses.at(-1)?.headers['retry-after']}`,
  );
  const proof = { totpCode: nextTotpCode(user.totp) };
  const late = await waiting.from.secondStep(challenge, waiting.fingerprint, proof);
  fixture.check(late.status === 429, 'the right code for an older challenge from another network', late);
  // The owner's device and network have signed in before.
  const { fingerprint } = user.device;
  const owned = await user.factors.openChallenge(user, fingerprint);
  const owner = await user.factors.secondStep(owned, fingerprint, proof);
  fixture.check(owner.status === 200, 'the owner on the known device and network', owner);
};

const testConfirmations = async (fixture: Fixture): Promise<void> => {
  fixture.section('Second factor guessing: confirmations with a stolen session and password');
  for (const [method, route] of [
    ['DELETE', '/second-factor/totp'],
    ['POST', '/second-factor/recovery-codes'],
    ['POST', '/account/delete'],
  ] as const) {
    const { device, factors, totp } = await createFactorUser(fixture, CUSTOMER);
    const guess = (code: string) =>
      factors.as(device, method, route, { currentPassword: PASSWORD, totpCode: code });
    const guesses: HttpResponse[] = [];
    for (const code of createWrongCodes(totp, GUESSES)) guesses.push(await guess(code));
    checkThrottled(fixture, `${GUESSES} guesses at ${method} ${route}`, guesses);
    const state = await factors.readState(device);
    fixture.check(
      state.totp !== null && state.recoveryCodesLeft === 10,
      'the factor afterwards',
      'unchanged',
    );
  }
};

export const testFactorGuessing = async (fixture: Fixture): Promise<void> => {
  await testOneChallenge(fixture);
  await testOneNetwork(fixture);
  await testManyNetworks(fixture);
  await testConfirmations(fixture);
};
