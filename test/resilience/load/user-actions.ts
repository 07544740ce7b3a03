import { type AccountKind, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import type { HttpClient } from '@platform/shared/testing/http-client';
import type { Account, ExpectedState, User } from './expected-state.ts';
import type { RequestLog } from './request-log.ts';

type Options = { client: HttpClient; requestLog: RequestLog; expectedState: ExpectedState };

/** The actions of a user. Each acknowledged write is added to the expected state. */
export const createUserActions = ({ client, requestLog, expectedState }: Options) => {
  const authClient = (kind: AccountKind) => createAuthClient(client.baseUrl, kind, client.send);

  const signUp = async (user: User): Promise<void> => {
    const { kind } = user;
    const [email, password] = [uniqueEmail(), PASSWORD];
    if (!(await requestLog.record('sign-up', 201, authClient(kind).signUp({ body: { email, password } }))))
      return;
    user.account = { kind, email, password };
    expectedState.accounts.set(email, { account: user.account, passwords: [password], at: Date.now() });
    expectedState.acknowledgedWrites += 1;
  };

  const keepSession = (user: User, device: Device): void => {
    user.device = device;
    expectedState.sessions.set(user.fingerprint, { user, at: Date.now() });
    expectedState.acknowledgedWrites += 1;
  };
  /** Until the next acknowledgement it is unknown which tokens are valid. */
  const dropSession = (user: User): void => {
    user.device = undefined;
    expectedState.sessions.delete(user.fingerprint);
  };

  const signIn = async (user: User, { kind, email, password }: Account): Promise<void> => {
    dropSession(user);
    const auth = authClient(kind);
    const request = auth.signIn({ fingerprint: user.fingerprint, body: { email, password } });
    const response = await requestLog.record('sign-in', 200, request);
    if (response) keepSession(user, auth.toDevice(response));
    // If the failed sign-in is executed late, it revokes the tokens of the next one on the same device.
    else user.fingerprint = uniqueFingerprint();
  };

  const refresh = async (user: User, device: Device): Promise<void> => {
    dropSession(user);
    const auth = authClient(user.kind);
    const response = await requestLog.record('refresh', 200, auth.refreshToken(device));
    if (response) keepSession(user, auth.afterRefresh(device, response));
  };

  const changePassword = async (account: Account, device: Device): Promise<void> => {
    const { kind, email, password: currentPassword } = account;
    const newPassword = `${PASSWORD} and a half`;
    const entry = { account, passwords: [currentPassword, newPassword], at: Date.now() };
    expectedState.accounts.set(email, entry);
    const request = authClient(kind).resetPasswordMe({ ...device, body: { currentPassword, newPassword } });
    if (!(await requestLog.record('password change', 204, request))) return;
    expectedState.accounts.set(email, { ...entry, passwords: [newPassword], at: Date.now() });
    expectedState.mails.set(email, { at: Date.now() });
    expectedState.acknowledgedWrites += 1;
  };

  const me = async ({ kind }: User, device: Device): Promise<void> => {
    await requestLog.record('me', 200, authClient(kind).me(device));
  };

  const sendCode = async ({ kind, email }: Account, device: Device): Promise<void> => {
    if (!(await requestLog.record('code mail', 200, authClient(kind).verificationEmailCode(device)))) return;
    expectedState.codeMails.set(email, { at: Date.now() });
  };

  return { signUp, signIn, refresh, changePassword, me, sendCode };
};

export type UserActions = ReturnType<typeof createUserActions>;
