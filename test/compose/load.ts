import { type AuthClient, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { withBotCheck } from '@platform/shared/testing/bot-check';
import { createHttpClient, formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { startSteadyLoad } from '../resilience/load/steady-load.ts';

const TIMEOUT_SECONDS = 15;

export const createClient = (gatewayUrl: string): AuthClient =>
  createAuthClient(
    gatewayUrl,
    CUSTOMER,
    withBotCheck(createHttpClient(gatewayUrl, { timeoutSeconds: TIMEOUT_SECONDS }).send),
  );

/** Runs `work` under 20 requests a second of signed-in users and one sign-in a second. */
export const countUnderLoad = async (gatewayUrl: string, work: () => Promise<unknown>) => {
  const auth = createClient(gatewayUrl);
  const { email, password } = await auth.createAccount();
  let device = await auth.openDevice({ email, password });
  let signIns = 0;
  const failures = new Map<string, number>();
  let requests = 0;
  const count = (name: string, response: HttpResponse): boolean => {
    requests += 1;
    const text = `${name}: ${formatStatus(response)}`;
    if (response.status !== 200) failures.set(text, (failures.get(text) ?? 0) + 1);
    return true;
  };
  /**
   * The next requests use the new tokens, as after a refresh. A fingerprint is reused only after 60 sign-ins,
   * so no sign-in revokes the tokens of a running request.
   */
  const signIn = async (): Promise<boolean> => {
    signIns += 1;
    const response = await auth.signIn({ fingerprint: `load ${signIns % 60}`, body: { email, password } });
    if (response.status === 200) device = auth.toDevice(response);
    return count('sign-in', response);
  };
  const load = startSteadyLoad([
    { perSecond: 20, run: async () => count('me', await auth.me(device)) },
    { perSecond: 1, run: signIn },
  ]);
  try {
    await work();
  } finally {
    await load.stop();
  }
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const details = [...failures].map(([text, count]) => `; ${count} × ${text}`).join('');
  return { failed, text: `${failed} of ${requests} requests failed${details}` };
};
