import { solveBotChallenge } from '@platform/shared/platform/bot-check/bot-check-solver';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

const KEY = 'bot-check-key-of-the-tests-00000000000009';
const PATH = '/api/v1/auth/bot-check';
const SIGN_UP = '/api/v1/customers/auth/sign-up';

describe('bot check', () => {
  const service = useAuthService({ BOT_CHECK: 'altcha', BOT_CHECK_KEY: KEY, BOT_CHECK_COST: '1000' });
  const getChallenge = async () => {
    const { status, body, text } = await send(service().url, 'GET', PATH);
    expect(status, text).to.equal(200);
    return body;
  };
  const solve = async () => solveBotChallenge(await getChallenge());
  const signUp = (solution?: string, body: object = { email: uniqueEmail(), password: PASSWORD }) =>
    send(service().url, 'POST', SIGN_UP, { headers: { 'X-Bot-Check': solution }, body });
  const counted = (outcome: string) => service().metric('bot_checks_total', { outcome });

  it('makes challenges of the configured cost, which expire after 300 s', async () => {
    const { parameters, signature } = await getChallenge();
    expect(parameters).to.include({ algorithm: 'PBKDF2/SHA-256', cost: 1_000 });
    expect(parameters.expiresAt - Date.now() / 1_000).to.be.within(295, 301);
    expect(signature).to.match(/^[0-9a-f]{64}$/);
  });

  it('lets a sign-up with a solution pass', async () => {
    const before = await counted('passed');
    expect((await signUp(await solve())).status).to.equal(201);
    expect(await counted('passed')).to.equal(before + 1);
  });

  it('returns 403 BOT_CHECK_REQUIRED without a solution, after the validation', async () => {
    const before = await counted('missing');
    for (const missing of [undefined, '']) expectError(await signUp(missing), 403, 'BOT_CHECK_REQUIRED');
    expect(await counted('missing')).to.equal(before + 2);
    expectError(await signUp(undefined, { email: 'nobody' }), 400, 'VALIDATION_FAILED');
  });

  it('is required before an account is looked up, for each kind of reset code', async () => {
    for (const path of ['customers/auth', 'employees/auth', 'auth/admin'])
      for (const solution of [undefined, 'x'])
        expectError(
          await send(service().url, 'POST', `/api/v1/${path}/reset-password/email/code/send`, {
            headers: { 'X-Bot-Check': solution },
            body: { email: uniqueEmail() },
          }),
          403,
          solution ? 'BOT_CHECK_FAILED' : 'BOT_CHECK_REQUIRED',
        );
  });

  it('rejects what is no solution', async () => {
    const challenge = await getChallenge();
    const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64');
    const solution = JSON.parse(atob(await solveBotChallenge(challenge))).solution;
    const wrong = [
      'x',
      '%',
      encode(null),
      encode([]),
      encode({ challenge }),
      encode({ challenge, solution: {} }),
      encode({ challenge, solution: { ...solution, derivedKey: solution.derivedKey.replace(/.$/, 'z') } }),
      encode({ challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } }),
      encode({ challenge, solution: { ...solution, counter: 'x' } }),
      encode({ challenge: { ...challenge, signature: '0'.repeat(64) }, solution }),
      encode({ challenge: { ...challenge, parameters: { ...challenge.parameters, cost: 1 } }, solution }),
      encode({
        challenge: { ...challenge, parameters: { ...challenge.parameters, expiresAt: 9e9 } },
        solution,
      }),
      encode({ challenge: { parameters: challenge.parameters }, solution }),
    ];
    for (const each of wrong) expectError(await signUp(each), 403, 'BOT_CHECK_FAILED');
    expectError(await signUp('x'.repeat(4_097)), 400, 'VALIDATION_FAILED', '/headers/x-bot-check');
    expect((await signUp(encode({ challenge, solution }))).status).to.equal(201);
  });

  it('accepts a solution once, whatever the response, also of several requests at once', async () => {
    const solution = await solve();
    const { email } = (await signUp(await solve())).body.user;
    expectError(await signUp(solution, { email, password: PASSWORD }), 409, 'EMAIL_TAKEN');
    expectError(await signUp(solution), 403, 'BOT_CHECK_FAILED');
    const shared = await solve();
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => signUp(shared)))).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([201, 403, 403, 403]);
    expect(await counted('replayed')).to.be.at.least(4);
  });
});

describe('bot check that is off', () => {
  const service = useAuthService();

  it('returns 404 for a challenge, and ignores the header', async () => {
    expectError(await send(service().url, 'GET', PATH), 404, 'ROUTE_NOT_FOUND');
    const body = { email: uniqueEmail(), password: PASSWORD };
    const headers = { 'X-Bot-Check': 'anything' };
    expect((await send(service().url, 'POST', SIGN_UP, { headers, body })).status).to.equal(201);
  });
});
