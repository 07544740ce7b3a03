import { accessHeaders } from '@platform/shared/testing/auth-client';
import type { Checks, Section } from '../probe.ts';
import { type AccountState, signIn, toSignedIn } from './account-state.ts';

const reachCheck = (path: string): Checks => ({
  async [`GET ${path}: the service responds`]({ call, check }) {
    const response = await call({ path });
    check(response.code !== 'ROUTE_NOT_FOUND', 'the gateway does not know the path', response);
    check(response.status < 500, `it is ${response.status}`, response);
  },
});

/** Opens a new session, because the others have ended. */
const callerCheck = (path: string, state: AccountState): Checks => ({
  async [`GET ${path} as ${state.kind.kind} ${state.email}: the token counts until the sign-out`](probe) {
    const { call, expect, check, skip } = probe;
    if (!state.user) skip('not signed in');
    const { status } = await call({ path });
    if (status !== 401) skip(`without a token it is ${status}, not 401`);
    await signIn(state, probe);
    const { device, client, forget } = toSignedIn(state, probe);
    const request = { path, headers: accessHeaders(device) };
    const known = await call(request);
    check(known.status !== 401 && known.status < 500, `it is ${known.status}`, known);
    await expect(client.signOut(device), 204);
    forget();
    await expect(call(request), 401);
  },
});

/** Checks only what other services owe the platform, and not their own contracts. */
export const otherServiceSections = (
  paths: readonly string[],
  accounts: readonly AccountState[],
): Section[] =>
  paths.map((path) => ({
    title: `Other service at ${path}`,
    checks: () => [reachCheck(path), ...accounts.map((state) => callerCheck(path, state))],
  }));
