import { randomBytes, randomUUID } from 'node:crypto';
import { type AccountKind, ADMINISTRATOR, bearer, otherKind } from '@platform/shared/testing/auth-client';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import type { Check, Probe } from '../probe.ts';
import type { UndoList } from '../run-sections.ts';
import {
  type AccountState,
  createAccountState,
  forgetDevice,
  requireDevice,
  sendAs,
  signIn,
} from './account-state.ts';

/** On no list of common passwords. */
export const newPassword = (): string => `Check ${randomBytes(12).toString('base64url')}`;

/** A user who does not exist yet. */
export const createNewUser = (kind: AccountKind, mailDomain: string): AccountState => {
  const email = `check-${kind.kind}-${Date.now().toString(36)}@${mailDomain}`.toLowerCase();
  return createAccountState({ kind, email, password: newPassword(), fingerprint: randomUUID() });
};

/** The users that have been created and not deleted. */
export type CreatedUsers = Set<Pick<AccountState, 'email'>>;
type FindAdministrator = () => AccountState | undefined;

const requireUser = (state: AccountState, created: CreatedUsers, { skip }: Probe): void => {
  if (!created.has(state)) skip('not signed up');
};

/** Requires the account of an administrator with the role ADMIN. */
export const requireAdministrator = (find: FindAdministrator, { skip }: Probe): AccountState =>
  find() ?? skip('give the --account of an administrator with the role ADMIN');

const create = async (
  { kind }: AccountState,
  probe: Probe,
  body: object,
  find: FindAdministrator,
): Promise<HttpResponse> => {
  if (kind !== ADMINISTRATOR) return probe.auth(kind).signUp(body);
  const response = await sendAs(requireAdministrator(find, probe), probe, 'POST', '/register', body);
  return response.status === 403
    ? probe.skip(`${formatStatus(response)} for ${Object(body).email}`)
    : response;
};

const removeAdministrator = (state: AccountState, probe: Probe, find: FindAdministrator) =>
  probe.call({
    method: 'DELETE',
    path: `/api/v1/users/${state.user?.id}/platform-role?erase=true`,
    headers: bearer(requireDevice(requireAdministrator(find, probe), probe)),
  });

/** The checks before the first sign-in: sign-ups and wrong passwords. */
export const signUpChecks = (
  state: AccountState,
  created: CreatedUsers,
  find: FindAdministrator,
): Check[] => {
  const { kind, email, password } = state;
  const names = kind === ADMINISTRATOR ? {} : { firstName: 'Check', lastName: 'Deployed' };
  return [
    {
      name: `sign-up of ${email}`,
      operations: new RegExp(`^${kind.kind}(?=[A-Z])`),
      run: async (probe) => {
        const response = await create(state, probe, { email, password, ...names }, find);
        probe.expect(response, 201);
        if (response.status !== 201) return;
        created.add(state);
        const { user = response.body, profile } = response.body;
        probe.check(user?.email === email, '/user/email is another one', response);
        const isNamed = Object.entries(names).every(([name, value]) => profile?.[name] === value);
        probe.check(isNamed, '/profile has other names', response);
      },
    },
    {
      name: 'a second sign-up with the address: 409 EMAIL_TAKEN, in capitals and as the other kind too',
      run: async (probe) => {
        requireUser(state, created, probe);
        const again = { email: email.toUpperCase(), password };
        probe.expect(await create(state, probe, again, find), 409, 'EMAIL_TAKEN');
        probe.expect(await probe.auth(otherKind(kind)).signUp({ email, password }), 409, 'EMAIL_TAKEN');
      },
    },
    {
      name: 'a sign-up with a short password or the address as password: 400 VALIDATION_FAILED',
      run: async (probe) => {
        const other = `x-${email}`;
        for (const weak of ['short', other]) {
          const response = await create(state, probe, { email: other, password: weak }, find);
          if (response.status === 201) created.add({ email: other });
          probe.expect(response, 400, 'VALIDATION_FAILED', '/body/password');
        }
      },
    },
    {
      name: 'sign-in: one 401 INVALID_CREDENTIALS for a wrong password, another kind and an unknown address',
      run: async (probe) => {
        requireUser(state, created, probe);
        const device = randomUUID();
        const unknown = { email: `unknown-${email}`, password };
        const responses = [
          await probe.auth(kind).signIn({ email, password: 'wrong' }, device),
          await probe.auth(otherKind(kind)).signIn({ email, password }, device),
          await probe.auth(kind).signIn(unknown, device),
        ];
        for (const response of responses) probe.expect(response, 401, 'INVALID_CREDENTIALS');
        const bodies = responses.map(({ body }) => JSON.stringify({ ...body, requestId: undefined }));
        probe.check(new Set(bodies).size === 1, 'the responses differ', responses[0]);
      },
    },
  ];
};

/** Sign-ins on further devices, which the user of a real account would notice. */
export const deviceChecks = (state: AccountState, undo: UndoList): Check[] => {
  const openOther = async (probe: Probe) => {
    requireDevice(state, probe);
    return probe.auth(state.kind).openDevice(state, randomUUID());
  };
  const end = async (probe: Probe, path: string) => {
    probe.expect(await sendAs(state, probe, 'DELETE', `/sessions${path}`), 204);
  };
  return [
    {
      name: 'sessions: another device is in the list, and its tokens are invalid when its session has ended',
      run: async (probe) => {
        const other = await openOther(probe);
        const auth = probe.auth(state.kind);
        const list = await sendAs(state, probe, 'GET', '/sessions');
        const ids = (list.body?.data ?? []).map(({ id }: { id: string }) => id);
        probe.check(ids.includes(other.sessionId), 'the other session is not in the list', list);
        await end(probe, `/${other.sessionId}`);
        probe.expect(await auth.me(other), 401, 'TOKEN_INVALID');
        probe.expect(await auth.refresh(other), 401, 'TOKEN_INVALID');
        probe.expect(await auth.me(requireDevice(state, probe)), 200);
      },
    },
    {
      name: 'sessions: all others end, the current one continues',
      run: async (probe) => {
        const other = await openOther(probe);
        const auth = probe.auth(state.kind);
        await end(probe, '');
        probe.expect(await auth.me(other), 401, 'TOKEN_INVALID');
        probe.expect(await auth.me(requireDevice(state, probe)), 200);
      },
    },
    {
      name: 'a second sign-in on the device: the same session, and the first access token is invalid',
      run: async (probe) => {
        const first = requireDevice(state, probe);
        await signIn(state, probe, undo);
        const second = requireDevice(state, probe);
        probe.check(second.sessionId === first.sessionId, 'another session');
        probe.expect(await probe.auth(state.kind).me(first), 401, 'TOKEN_INVALID');
      },
    },
    {
      name: 'refresh with a token from two refreshes ago: 401 REFRESH_TOKEN_REUSED, and the session has ended',
      run: async (probe) => {
        const auth = probe.auth(state.kind);
        const stolen = requireDevice(state, probe);
        const current = await auth.refreshed(await auth.refreshed(stolen));
        state.device = current;
        const response = await auth.refresh(stolen);
        probe.expect(response, 401, 'REFRESH_TOKEN_REUSED');
        const cookies = String(response.headers['set-cookie']);
        probe.check(cookies.includes(`${state.kind.refreshCookie}=;`), 'the cookie is not cleared', response);
        probe.expect(await auth.me(current), 401, 'TOKEN_INVALID');
        if (response.status === 401) forgetDevice(state, undo);
        await signIn(state, probe, undo);
      },
    },
  ];
};

/** Deletes the account. An administrator is deleted by another one. */
export const deletionCheck = (
  state: AccountState,
  created: CreatedUsers,
  undo: UndoList,
  find: FindAdministrator,
): Check => ({
  name: `deletion of ${state.kind.kind} ${state.email}: 400 CURRENT_PASSWORD_WRONG for a wrong password; then nobody can sign in`,
  run: async (probe) => {
    const device = requireDevice(state, probe);
    const auth = probe.auth(state.kind);
    const remove = (currentPassword: string) =>
      sendAs(state, probe, 'POST', '/account/delete', { currentPassword });
    probe.expect(await remove('wrong'), 400, 'CURRENT_PASSWORD_WRONG');
    let response = await remove(state.password);
    const isAdministrator = state.kind === ADMINISTRATOR;
    if (isAdministrator) {
      probe.expect(response, 409, 'PLATFORM_ROLE_TAKEN');
      response = await removeAdministrator(state, probe, find);
    }
    probe.expect(response, 204);
    if (response.status !== 204) return;
    created.delete(state);
    forgetDevice(state, undo);
    const isCleared = String(response.headers['set-cookie']).includes(`${state.kind.refreshCookie}=;`);
    probe.check(isCleared || isAdministrator, 'the cookie is not cleared', response);
    probe.expect(await auth.me(device), 401, 'TOKEN_INVALID');
    const { email, password } = state;
    probe.expect(await auth.signIn({ email, password }, device.fingerprint), 401, 'INVALID_CREDENTIALS');
  },
});
