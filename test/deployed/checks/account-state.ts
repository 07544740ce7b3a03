import { type AccountKind, accessHeaders, type Device } from '@platform/shared/testing/auth-client';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Probe } from '../probe.ts';
import type { UndoList } from '../run-sections.ts';

/** An account, and its device while it is signed in; the checks of a section work on it one after the other. */
export type AccountState = {
  readonly kind: AccountKind;
  email: string;
  password: string;
  /** Runs that share one end each other's sessions. */
  readonly fingerprint: string;
  device: Device | undefined;
  /** The user that the last sign-in returned. */
  user: { id: string; isEmailVerified: boolean; platformRole?: string } | undefined;
};

export const createAccountState = (
  account: Pick<AccountState, 'kind' | 'email' | 'password' | 'fingerprint'>,
): AccountState => ({
  ...account,
  device: undefined,
  user: undefined,
});

/** Skips the check without a sign-in. */
export const requireDevice = ({ device }: AccountState, { skip }: Probe): Device =>
  device ?? skip('not signed in');

/** Sends a request of the signed-in account to a route of its kind. */
export const sendAs = (
  state: AccountState,
  probe: Probe,
  method: string,
  route: string,
  body?: object,
): Promise<HttpResponse> =>
  probe.call({
    method,
    path: state.kind.path + route,
    headers: accessHeaders(requireDevice(state, probe)),
    body,
  });

const nameSignOut = ({ kind, email }: AccountState): string => `sign out ${kind.kind} ${email}`;

/** Signs in; the account is signed out again when the run ends. */
export const signIn = async (state: AccountState, probe: Probe, undo: UndoList): Promise<HttpResponse> => {
  const auth = probe.auth(state.kind);
  const response = await auth.signIn({ email: state.email, password: state.password }, state.fingerprint);
  if (response.code === 'SECOND_FACTOR_REQUIRED')
    probe.skip('the account has a second factor, which the command does not have');
  probe.expect(response, 200);
  if (response.status !== 200) return response;
  const isFirst = state.device === undefined;
  state.device = auth.toDevice(response);
  state.user = response.body.user;
  if (isFirst)
    undo.add({
      what: nameSignOut(state),
      run: async (last) => {
        if (state.device) last.expect(await last.auth(state.kind).signOut(state.device), 204);
      },
    });
  return response;
};

/** The account has no device any more, whether it signed out or lost its tokens. */
export const forgetDevice = (state: AccountState, undo: UndoList): void => {
  state.device = undefined;
  undo.remove(nameSignOut(state));
};
