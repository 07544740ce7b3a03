import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER } from '@platform/shared/testing/auth-client';

export type SignIn = { email: string; password: string; fingerprint: string };

/** Times in milliseconds, each from the moment at which the request was due: one that waits for others is late, too. */
export type SignInTimes = { milliseconds: number[]; failures: number[] };

/** Signs in at a steady rate, however long each takes, until `signal`. */
export const signInSteadily = async (
  baseUrl: string,
  perSecond: number,
  next: () => SignIn,
  signal: AbortSignal,
): Promise<SignInTimes> => {
  const times: SignInTimes = { milliseconds: [], failures: [] };
  const signIn = async (due: number): Promise<void> => {
    const { email, password, fingerprint } = next();
    const response = await fetch(`${baseUrl}${CUSTOMER.path}/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Fingerprint': fingerprint },
      body: JSON.stringify({ email, password }),
    });
    await response.text();
    times.milliseconds.push(performance.now() - due);
    if (response.status !== 200) times.failures.push(response.status);
  };
  const running: Promise<void>[] = [];
  for (let due = performance.now(); !signal.aborted; due += 1_000 / perSecond) {
    await delay(Math.max(0, due - performance.now()));
    running.push(signIn(due));
  }
  await Promise.all(running);
  return times;
};
