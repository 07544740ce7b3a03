import { startTestValkey, type TestValkey } from '@platform/dev/testing/test-valkey';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { runRedisCommand } from '@platform/shared/testing/redis-server';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { redirectTo, useProvider } from '../../testing/provider.ts';

/** The value is so large that requests hardly change the used share. */
const FILL = "return redis.call('SET', 'fill', string.rep('x', 100000000)) and 1";

describe('Redis that is nearly full', () => {
  let valkey: TestValkey;
  const environment: Record<string, string> = {};
  before('start a separate Valkey', async () => {
    valkey = await startTestValkey();
    environment['REDIS_URL'] = valkey.url;
  });
  after('stop it', () => valkey?.stop());
  const provider = useProvider();
  const service = useAuthService(() => ({ ...provider().settings, ...environment }));

  it('rejects sign-ins that anybody can begin, before codes and the ceremonies of signed-in users', async () => {
    const account = await service().as('customer').createVerifiedAccount();
    const device = await service().as('customer').openDevice(account);
    await runRedisCommand(valkey.url, 'EVAL', FILL, '0');
    const memory = String(await runRedisCommand(valkey.url, 'INFO', 'memory'));
    const used = Number(/used_memory:(\d+)/.exec(memory)?.[1]);
    const useShare = (share: number) =>
      runRedisCommand(valkey.url, 'CONFIG', 'SET', 'maxmemory', String(Math.round(used / share)));
    await useShare(0.725);

    const client = service().as('customer');
    const fingerprint = uniqueFingerprint();
    expectError(
      await client.oidcAuthorize({ provider: 'company', fingerprint, body: redirectTo('company') }),
      503,
      'SERVICE_UNAVAILABLE',
    );
    const passkeys = await send(service().url, 'POST', `${CUSTOMER.path}/sign-in/passkey/options`, {
      headers: { 'X-Fingerprint': fingerprint },
    });
    expectError(passkeys, 503, 'SERVICE_UNAVAILABLE');
    const sendCode = () => client.resetPasswordEmailCodeSend({ body: { email: uniqueEmail() } });
    expect((await sendCode()).status).to.equal(200);
    const started = await client.identityAuthorize({
      ...device,
      provider: 'company',
      body: { ...redirectTo('company'), ...{ currentPassword: PASSWORD } },
    });
    expect(started.status, started.text).to.equal(200);

    await useShare(0.8);
    expectError(await sendCode(), 503, 'SERVICE_UNAVAILABLE');
  });
});
