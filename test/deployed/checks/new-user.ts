import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR, otherKind } from '@platform/shared/testing/auth-client';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import type { Checks, Probe } from '../probe.ts';
import { type AccountChecks, type AccountState, type SignedIn, signIn, toSignedIn } from './account-state.ts';

export type NewUsers = {
  /** The users that were created and not deleted. */
  created: Set<Pick<AccountState, 'email'>>;
  /** The accounts of the command line. */
  accounts: readonly AccountState[];
};

/** Returns the signed-in account with the role ADMIN, or skips the check without one. */
export const requireAdministrator = ({ accounts }: NewUsers, probe: Probe): SignedIn => {
  const state = accounts.find(({ user, device }) => device && user?.platformRole === 'ADMIN');
  return toSignedIn(state ?? probe.skip('give the --account of an administrator with the role ADMIN'), probe);
};

/** The checks before the first sign-in: sign-ups and wrong passwords. */
export const signUpChecks = (state: AccountState, users: NewUsers): Checks => {
  const { kind, email, password } = state;
  const create = async (probe: Probe, body: { email: string; password: string }): Promise<HttpResponse> => {
    if (kind !== ADMINISTRATOR) return probe.auth(kind).signUp({ body });
    const response = await requireAdministrator(users, probe).send('POST', '/register', body);
    return response.status === 403 ? probe.skip(`${formatStatus(response)} for ${body.email}`) : response;
  };
  const names = kind === ADMINISTRATOR ? {} : { firstName: 'Check', lastName: 'Deployed' };
  const requireUser = ({ skip }: Probe) => users.created.has(state) || skip('not signed up');
  return {
    async [`sign-up of ${email}`](probe) {
      probe.covers(new RegExp(`^${kind.kind}(?=[A-Z])`));
      await probe.expect(create(probe, { email, password, ...names }), 201);
      users.created.add(state);
    },
    async 'a second sign-up with the address: 409 EMAIL_TAKEN, in capitals and as the other kind too'(probe) {
      requireUser(probe);
      await probe.expect(create(probe, { email: email.toUpperCase(), password }), 409, 'EMAIL_TAKEN');
      await probe.expect(
        probe.auth(otherKind(kind)).signUp({ body: { email, password } }),
        409,
        'EMAIL_TAKEN',
      );
    },
    async 'a sign-up with a short password or the address as password: 400 VALIDATION_FAILED'(probe) {
      const other = `x-${email}`;
      for (const weak of ['short', other]) {
        const response = await create(probe, { email: other, password: weak });
        if (response.status === 201) users.created.add({ email: other });
        await probe.expect(response, 400, 'VALIDATION_FAILED', '/body/password');
      }
    },
    async 'sign-in: one 401 for a wrong password, another kind and an unknown address'(probe) {
      requireUser(probe);
      const bodies = new Set<string>();
      for (const [as, body] of [
        [kind, { email, password: 'wrong' }],
        [otherKind(kind), { email, password }],
        [kind, { email: `unknown-${email}`, password }],
      ] as const) {
        const sent = probe.auth(as).signIn({ fingerprint: randomUUID(), body });
        const response = await probe.expect(sent, 401, 'INVALID_CREDENTIALS');
        bodies.add(JSON.stringify({ ...response.body, requestId: undefined }));
      }
      probe.check(bodies.size === 1, 'the responses differ');
    },
  };
};

/** Sign-ins on further devices, about which the user of a real account would be notified. */
export const deviceChecks: AccountChecks = {
  async 'sessions: another device is in the list; its tokens are invalid after its end'(signedIn) {
    const { state, device, client, send, expect, check } = signedIn;
    const other = await client.openDevice(state, randomUUID());
    const list = await expect(send('GET', '/sessions'), 200);
    const ids = list.body.data.map(({ id }: { id: string }) => id);
    check(ids.includes(other.sessionId), 'the other session is not in the list', list);
    await expect(send('DELETE', `/sessions/${other.sessionId}`), 204);
    await expect(client.me(other), 401, 'TOKEN_INVALID');
    await expect(client.refreshToken(other), 401, 'TOKEN_INVALID');
    await expect(client.me(device), 200);
  },
  async 'sessions: all others end, the current one continues'({ state, device, client, send, expect }) {
    const other = await client.openDevice(state, randomUUID());
    await expect(send('DELETE', '/sessions'), 204);
    await expect(client.me(other), 401, 'TOKEN_INVALID');
    await expect(client.me(device), 200);
  },
  async 'a second sign-in on the device: the same session, and the first access token is invalid'(probe) {
    const { state, device, client, expect, check } = probe;
    await probe.signIn();
    check(state.device?.sessionId === device.sessionId, 'another session');
    await expect(client.me(device), 401, 'TOKEN_INVALID');
  },
  async 'refresh with a token from two refreshes ago: 401 REFRESH_TOKEN_REUSED, and the session has ended'(
    probe,
  ) {
    const { state, device, client, expect, expectCleared } = probe;
    const current = await client.refreshed(await client.refreshed(device));
    state.device = current;
    const response = await expect(client.refreshToken(device), 401, 'REFRESH_TOKEN_REUSED');
    expectCleared(response);
    await expect(client.me(current), 401, 'TOKEN_INVALID');
    await probe.signIn();
  },
};

/** Deletes the account. An administrator must be deleted by another one. */
export const deletionChecks = (state: AccountState, users: NewUsers): Checks => ({
  async [`deletion of ${state.kind.kind} ${state.email}: 400 CURRENT_PASSWORD_WRONG for a wrong password; then nobody can sign in`](
    probe,
  ) {
    if (users.created.has(state) && !state.device) await signIn(state, probe);
    const { device, client, send, sendPassword, expect, forget, expectCleared } = toSignedIn(state, probe);
    const remove = (currentPassword: string) => send('POST', '/account/delete', { currentPassword });
    await expect(remove('wrong'), 400, 'CURRENT_PASSWORD_WRONG');
    if (state.kind === ADMINISTRATOR) {
      await expect(remove(state.password), 409, 'PLATFORM_ROLE_TAKEN');
      const path = `/api/v1/users/${state.user?.id}/platform-role?erase=true`;
      await expect(requireAdministrator(users, probe).send('DELETE', path), 204);
    } else {
      const response = await expect(remove(state.password), 204);
      expectCleared(response);
    }
    users.created.delete(state);
    forget();
    await expect(client.me(device), 401, 'TOKEN_INVALID');
    await expect(sendPassword(), 401, 'INVALID_CREDENTIALS');
  },
});
