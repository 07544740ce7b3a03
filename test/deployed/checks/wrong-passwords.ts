import { randomUUID } from 'node:crypto';
import { type AccountKind, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import type { HttpRequest } from '@platform/shared/testing/http-client';
import type { Checks, Section } from '../probe.ts';
import { type AccountChecks, type AccountState, checksOf } from './account-state.ts';

const FREE_FAILURES = 5;
/** The delay doubles from 1 s, so at a low rate of requests, several more attempts may be allowed. */
const MAX_FAILURES = 10;

/** The domain is reserved (RFC 2606), so nobody has the address. */
const createWrongSignIn = ({ path }: AccountKind): HttpRequest => ({
  method: 'POST',
  path: `${path}/sign-in`,
  headers: { 'X-Fingerprint': randomUUID() },
  body: { email: `check-${randomUUID()}@check-deployed.invalid`, password: 'wrong' },
});

const unknownAddressCheck = (kind: AccountKind): Checks => ({
  async [`wrong passwords of an unknown ${kind.kind}: 401 INVALID_CREDENTIALS, then 429 with Retry-After`](
    probe,
  ) {
    const { call, callOnce, expect } = probe;
    const request = createWrongSignIn(kind);
    for (let count = 0; count < FREE_FAILURES; count += 1)
      await expect(call(request), 401, 'INVALID_CREDENTIALS');
    let last = await callOnce(request);
    for (let count = FREE_FAILURES + 1; count < MAX_FAILURES && last.status === 401; count += 1)
      last = await callOnce(request);
    // A rule for every response checks Retry-After.
    await expect(last, 429, 'RATE_LIMITED');
  },
});

export const wrongPasswordSection: Section = {
  title: 'Wrong passwords',
  checks: () => [CUSTOMER, EMPLOYEE].map(unknownAddressCheck),
};

const wrongPasswordCheck: AccountChecks = {
  async 'sign-in with a wrong password: the same 401 as for an unknown address'({
    state,
    client,
    expect,
    check,
  }) {
    const bodies = new Set<string>();
    for (const email of [state.email, `unknown-${state.email}`]) {
      const body = { email, password: `wrong ${randomUUID()}` };
      const sent = client.signIn({ fingerprint: state.fingerprint, body });
      const rejected = (await expect(sent, 401, 'INVALID_CREDENTIALS')).body;
      bodies.add(JSON.stringify({ ...rejected, requestId: undefined }));
    }
    check(bodies.size === 1, 'the responses differ');
  },
};

/** Sends one wrong password, and only if the right one was accepted, so that no account is paused. */
export const wrongPasswordChecks = (state: AccountState): Checks => checksOf(state, wrongPasswordCheck);
