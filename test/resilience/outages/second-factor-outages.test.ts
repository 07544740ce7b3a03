import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { freezeRedis } from '@platform/shared/testing/freeze';
import { waitFor } from '@platform/shared/testing/poll';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { nextTotpCode } from '../../factor-client.ts';
import {
  createAccount,
  createValidatingClient,
  passTotpSteps,
  signInWithFactor,
} from '../../system/use-factors.ts';

describe('second factor during an outage of Redis', () => {
  let stack: RunningStack;
  let records: Records;
  before('start a stack', async () => {
    stack = await startStack();
    records = createRecords(stack.stack.databaseUrl);
  });
  after('stop the stack', async () => {
    await records?.close();
    await stack?.stop();
  });

  const setUp = async (kind = CUSTOMER) => {
    const client = createValidatingClient(stack.stack.gatewayUrl, kind);
    const account = await createAccount(client, records);
    return { client, account, device: await client.auth.openDevice(account) };
  };

  it('costs a new sign-in when Redis is restarted between the two steps, and nothing else', async () => {
    const { client, account, device } = await setUp();
    const totp = await client.enableTotp(device);
    const { authenticator } = await client.addPasskey(device);
    const fingerprint = uniqueFingerprint();
    const challenge = await client.openChallenge(account, fingerprint);
    const assertion = authenticator.get(await client.getPasskeyOptions(fingerprint));
    const { pids } = await stack.read();
    process.kill(pids.redis, 'SIGKILL');
    await waitFor(
      'Redis is restarted',
      async () => {
        const current = (await stack.read()).pids.redis;
        return current && current !== pids.redis;
      },
      30,
    );
    // Not by /readyz: it returns the result of the second before.
    await waitFor('auth-service has reached Redis again', async () => {
      const { status } = await client.from(uniqueFingerprint(), '/passkey/options');
      return status === 200;
    });
    const proof = { totpCode: nextTotpCode(totp) };
    expectError(await client.secondStep(challenge, fingerprint, proof), 401, 'CHALLENGE_INVALID');
    expectError(await client.signInWithPasskey(fingerprint, assertion), 401, 'SECOND_FACTOR_INVALID');
    await client.auth.expectSignedIn(device);
    await passTotpSteps(records, account);
    await signInWithFactor(client, account, () => ({ totpCode: nextTotpCode(totp) }));
    await signInWithFactor(client, account, async (opened, at) => ({
      passkey: authenticator.get(await client.getSecondStepOptions(opened, at)),
    }));
  });

  it('returns 503 while Redis does not respond, but signs in who has no factor', async () => {
    const withFactor = await setUp();
    const totp = await withFactor.client.enableTotp(withFactor.device);
    const without = await setUp(EMPLOYEE);
    const { email, password } = withFactor.account;
    const fingerprint = uniqueFingerprint();
    const challenge = await withFactor.client.openChallenge(withFactor.account, fingerprint);
    const proof = { totpCode: nextTotpCode(totp) };
    const thaw = freezeRedis((await stack.read()).pids.redis);
    try {
      const first = await withFactor.client.auth.signIn({ email, password }, uniqueFingerprint());
      expectError(first, 503, 'SERVICE_UNAVAILABLE');
      const second = await withFactor.client.secondStep(challenge, fingerprint, proof);
      expectError(second, 503, 'SERVICE_UNAVAILABLE');
      await without.client.auth.openDevice(without.account);
      expect((await withFactor.client.auth.me(withFactor.device)).status).to.equal(200);
    } finally {
      await thaw();
    }
    await waitFor('the same challenge works', async () => {
      const { status } = await withFactor.client.secondStep(challenge, fingerprint, proof);
      return status === 200;
    });
  });
});
