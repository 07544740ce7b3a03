import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { holdLock } from '@platform/shared/testing/hold-lock';
import {
  createInterruptibleProxy,
  type InterruptibleProxy,
} from '@platform/shared/testing/interruptible-proxy';
import { waitFor } from '@platform/shared/testing/poll';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import {
  type ComposedAuthService,
  composeAuthService,
  type RunningAuthService,
  startAuthService,
} from '../../testing/auth-service.ts';
import { getWrongCodes } from '../../testing/mailed-codes.ts';

/** Redis is frozen for longer than the timeout of a request. */
const FROZEN_SECONDS = 3;

// The proxy delays each script after its request has read the clock of Redis, until the request has timed
// out.
describe('e-mail codes when Redis runs a script after the deadline', () => {
  let direct: RunningAuthService;
  let proxy: InterruptibleProxy;
  let service: ComposedAuthService;
  before('start an instance behind a proxy to Redis', async () => {
    direct = await startAuthService();
    proxy = await createInterruptibleProxy(direct.redis.url);
    service = await composeAuthService(direct.databaseUrl, { ...direct.environment, REDIS_URL: proxy.url });
  });
  after('stop it', async () => {
    await service?.stop();
    await proxy?.close();
    await direct?.stop();
  });

  const client = () => createAuthClient(service.url, CUSTOMER);
  const secondsOf = async () => Number((await direct.redis.client.time())[0]);
  /** Repeats a request that fails before it sends its script, as on a busy machine. */
  const failAtScript = async (request: () => Promise<Parameters<typeof expectError>[0]>) => {
    proxy.freezeAt('EVAL');
    await waitFor('a script is delayed', async () => {
      expectError(await request(), 503, 'SERVICE_UNAVAILABLE');
      return proxy.isFrozen();
    });
  };
  const thawLater = async () => {
    const until = (await secondsOf()) + FROZEN_SECONDS;
    await waitFor('the request is long over', async () => (await secondsOf()) > until);
    const executed = async () =>
      /cmdstat_eval:calls=(\d+)/.exec(await direct.redis.client.info('commandstats'))?.[1];
    const before = await executed();
    await proxy.restore();
    await waitFor('the late script was executed', async () => (await executed()) !== before);
    await waitFor('the service has Redis again', async () => (await service.failing()).length === 0);
  };
  const withCode = async () => {
    const { email } = await client().createAccount();
    const { status, text } = await client().resetPasswordEmailCodeSend({ body: { email } });
    expect(status, text).to.equal(200);
    const code = await direct.mails.codeFor(email);
    const reset = (attempted: string) =>
      client().resetPasswordEmailCode({ body: { email, code: attempted, newPassword: 'A better horse 2' } });
    return { code, reset };
  };

  it('sends a code afterwards, because the late script set no resend lock', async () => {
    const { email } = await client().createAccount();
    await failAtScript(() => client().resetPasswordEmailCodeSend({ body: { email } }));
    await thawLater();
    const { status, text } = await client().resetPasswordEmailCodeSend({ body: { email } });
    expect(status, text).to.equal(200);
  });

  it('accepts the correct code afterwards, because the late attempt was not counted', async () => {
    const { code, reset } = await withCode();
    for (const wrong of getWrongCodes(code, 4)) expectError(await reset(wrong), 400, 'CODE_INVALID');
    await failAtScript(() => reset(code));
    await thawLater();
    expect((await reset(code)).status).to.equal(204);
  });

  it('accepts the correct code afterwards, because it was not consumed late', async () => {
    const { code, reset } = await withCode();
    // The account is read between the attempt and the consumption of the code.
    const lock = await holdLock(direct.databaseUrl, 'lock table users in access exclusive mode');
    const resetting = reset(code);
    await lock.untilWaiting(1);
    proxy.freezeAt('EVAL');
    await lock.release();
    expectError(await resetting, 503, 'SERVICE_UNAVAILABLE');
    expect(proxy.isFrozen(), 'the consumption is delayed').to.equal(true);
    await thawLater();
    expect((await reset(code)).status).to.equal(204);
  });
});
