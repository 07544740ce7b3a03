import { accessHeaders, type Device } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Account, Ledger, Visitor } from './expected-state.ts';
import type { Answer, Call } from './http-client.ts';
import type { Journal } from './request-log.ts';

type Books = { journal: Journal; ledger: Ledger };
type SignInBody = { token: string; session: { id: string } };

const post = (path: string, body: object, headers: Record<string, string> = {}): Call => ({
  method: 'POST',
  path,
  body,
  headers,
});

const cookieOf = (answer: Answer, name: string): string => {
  const line = answer.headers['set-cookie']?.find((cookie) => cookie.startsWith(`${name}=`)) ?? '';
  return line.slice(name.length + 1).split(';', 1)[0] ?? '';
};

export const signInCall = ({ kind, email, password }: Account, fingerprint: string): Call =>
  post(`${kind.path}/sign-in`, { email, password }, { 'X-Fingerprint': fingerprint });

/** What a device keeps of a sign-in. */
export const toDevice = ({ kind }: Account, fingerprint: string, answer: Answer): Device => {
  const { token, session } = answer.body as SignInBody;
  const refreshToken = cookieOf(answer, kind.refreshCookie);
  return { fingerprint, sessionId: session.id, accessToken: token, refreshToken };
};

export const meCall = (kind: Account['kind'], device: Device): Call => ({
  method: 'GET',
  path: `${kind.path}/me`,
  headers: accessHeaders(device) as Record<string, string>,
});

export const refreshCall = (kind: Account['kind'], device: Device): Call => ({
  method: 'GET',
  path: `${kind.path}/refresh/token`,
  headers: {
    Cookie: `${kind.refreshCookie}=${device.refreshToken}`,
    'X-Fingerprint': device.fingerprint,
    'X-Session-Id': device.sessionId,
  },
});

/** What the device keeps after a refresh. */
export const afterRefresh = (kind: Account['kind'], device: Device, answer: Answer): Device => ({
  ...device,
  accessToken: (answer.body as { token: string }).token,
  refreshToken: cookieOf(answer, kind.refreshCookie),
});

/** The steps that somebody with a device takes, each booked when it is acknowledged. */
export const createVisitorSteps = ({ journal, ledger }: Books) => {
  const signUp = async (visitor: Visitor): Promise<void> => {
    const account = { kind: visitor.kind, email: uniqueEmail(), password: PASSWORD };
    const { email, password } = account;
    if (!(await journal.send('sign-up', post(`${visitor.kind.path}/sign-up`, { email, password }), 201)))
      return;
    visitor.account = account;
    ledger.accounts.set(email, { account, passwords: [password], at: Date.now() });
    ledger.acknowledged += 1;
  };

  const keepSession = (visitor: Visitor, device: Device): void => {
    visitor.device = device;
    ledger.sessions.set(visitor.fingerprint, { visitor, at: Date.now() });
    ledger.acknowledged += 1;
  };
  /** From now until the next acknowledgement nobody knows which tokens are the device's. */
  const loseSession = (visitor: Visitor): void => {
    visitor.device = undefined;
    ledger.sessions.delete(visitor.fingerprint);
  };

  const signIn = async (visitor: Visitor, account: Account): Promise<void> => {
    loseSession(visitor);
    const answer = await journal.send('sign-in', signInCall(account, visitor.fingerprint), 200);
    if (answer) keepSession(visitor, toDevice(account, visitor.fingerprint, answer));
    // Were it carried out late, it would end the tokens of the next one.
    else visitor.fingerprint = uniqueFingerprint();
  };

  const refresh = async (visitor: Visitor, device: Device): Promise<void> => {
    loseSession(visitor);
    const answer = await journal.send('refresh', refreshCall(visitor.kind, device), 200);
    if (answer) keepSession(visitor, afterRefresh(visitor.kind, device, answer));
  };

  const changePassword = async (account: Account, { refreshToken }: Device): Promise<void> => {
    const { kind, email, password } = account;
    const next = `${PASSWORD} and a half`;
    const booked = { account, passwords: [password, next], at: Date.now() };
    ledger.accounts.set(email, booked);
    const body = { currentPassword: password, newPassword: next };
    const headers = { Cookie: `${kind.refreshCookie}=${refreshToken}` };
    const call = post(`${kind.path}/reset-password/me`, body, headers);
    if (!(await journal.send('password change', call, 204))) return;
    ledger.accounts.set(email, { ...booked, passwords: [next], at: Date.now() });
    ledger.mails.set(email, { at: Date.now() });
    ledger.acknowledged += 1;
  };

  const me = async ({ kind }: Visitor, device: Device): Promise<void> => {
    await journal.send('me', meCall(kind, device), 200);
  };

  return { signUp, signIn, refresh, changePassword, me };
};

export type VisitorSteps = ReturnType<typeof createVisitorSteps>;
