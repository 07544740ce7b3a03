import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { startSteadyLoad } from '../load/steady-load.ts';
import type { MonitoredPlatform } from './monitored-platform.ts';

/** Submits a contact form, which the worker sends. */
const submitForm = async (gatewayUrl: string): Promise<void> => {
  await createHttpClient(gatewayUrl, { timeoutSeconds: 10 }).send({
    method: 'POST',
    path: '/api/v1/contact/lead',
    body: { name: 'Ada', email: 'visitor@example.com', message: 'Please' },
  });
};

/** Requests codes for new users. */
export const sendCodes = async ({ gatewayUrl }: MonitoredPlatform, count: number): Promise<void> => {
  const auth = createAuthClient(gatewayUrl, CUSTOMER, createHttpClient(gatewayUrl).send);
  for (let sent = 0; sent < count; sent += 1) {
    const account = { email: uniqueEmail(), password: PASSWORD };
    await auth.signUp({ body: account });
    await auth.verificationEmailCode(await auth.openDevice(account));
  }
};

/**
 * Sends normal traffic, with a few sign-ins of unknown users. Failures are expected during the outages that
 * the suite causes.
 */
export const startTraffic = async ({ gatewayUrl }: MonitoredPlatform) => {
  const client = createHttpClient(gatewayUrl, { keepAlive: true, timeoutSeconds: 10 });
  const auth = createAuthClient(gatewayUrl, CUSTOMER, client.send);
  const account = { email: uniqueEmail(), password: PASSWORD };
  await auth.signUp({ body: account });
  let device = await auth.openDevice(account);
  const during = (perSecond: number, work: () => Promise<unknown>) => ({
    perSecond,
    run: () =>
      work().then(
        () => true,
        () => true,
      ),
  });
  return startSteadyLoad([
    during(0.5, () => auth.signIn({ fingerprint: uniqueFingerprint(), body: account })),
    during(0.2, () =>
      auth.signIn({ fingerprint: uniqueFingerprint(), body: { ...account, email: uniqueEmail() } }),
    ),
    during(4, () => auth.me(device)),
    during(0.2, async () => {
      device = await auth.refreshed(device);
    }),
    during(0.5, () => submitForm(gatewayUrl)),
  ]);
};
