import { randomBytes, randomUUID } from 'node:crypto';
import { type AccountKind, accessHeaders } from '@platform/shared/testing/auth-client';
import type { Device } from '@platform/shared/testing/device';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Checks, Probe } from '../probe.ts';

/** An account, and its device while it is signed in. The checks of a section use it one after another. */
export type AccountState = {
  readonly kind: AccountKind;
  email: string;
  password: string;
  /** Runs with the same fingerprint end each other's sessions. */
  readonly fingerprint: string;
  device: Device | undefined;
  /** The user that the last sign-in returned. */
  user: { id: string; isEmailVerified: boolean; platformRole?: string } | undefined;
};

/** Returns a password that is on no list of common passwords. */
export const newPassword = (): string => `Check ${randomBytes(12).toString('base64url')}`;

export const createAccountState = (
  account: Pick<AccountState, 'kind' | 'email' | 'password' | 'fingerprint'>,
): AccountState => ({ ...account, device: undefined, user: undefined });

/** Describes a user who does not exist yet. */
export const createNewUser = (kind: AccountKind, mailDomain: string): AccountState => {
  const email = `check-${kind.kind}-${Date.now().toString(36)}@${mailDomain}`.toLowerCase();
  return createAccountState({ kind, email, password: newPassword(), fingerprint: randomUUID() });
};

type Send = (method: string, route: string, body?: object) => Promise<HttpResponse>;

/** The parameters of a check with a signed-in account. */
export type SignedIn = Probe & {
  state: AccountState;
  /** The device at the start of the check. */
  device: Device;
  /** The routes of the account's kind. */
  client: ReturnType<Probe['auth']>;
  /**
   * Sends a request of the device to a route of the account's kind, or to a whole path that contains /api.
   */
  send: Send;
  /** Signs in on the same device, and keeps the tokens in the state. */
  signIn: () => Promise<void>;
  /** Sends the first step of a sign-in on the same device. */
  sendPassword: () => Promise<HttpResponse>;
  /** Takes the tokens of another sign-in. */
  take: (response: HttpResponse) => SignedIn;
  /** Forgets the device after a sign-out, or when its tokens are lost. */
  forget: () => void;
  /** Expects that the response deletes the refresh cookie. */
  expectCleared: (response: HttpResponse) => void;
};

/** Skips the check if the account is not signed in. */
export const toSignedIn = (state: AccountState, probe: Probe): SignedIn => {
  const { kind, device = probe.skip('not signed in') } = state;
  const client = probe.auth(kind);
  const send: Send = async (method, route, body) => {
    const path = route.startsWith('/api/') ? route : kind.path + route;
    const sendOnce = () => probe.call({ method, path, headers: accessHeaders(device), body });
    const response = await sendOnce();
    if (response.code !== 'PROOF_REQUIRED') return response;
    // A run may take longer than ADMIN_PROOF_SECONDS.
    await probe.expect(
      client.administratorProve({ ...device, body: { currentPassword: state.password } }),
      204,
    );
    return await sendOnce();
  };
  const expectCleared = (response: HttpResponse): void => {
    const isCleared = String(response.headers['set-cookie']).includes(`${kind.refreshCookie}=;`);
    probe.check(isCleared, 'the cookie is not cleared', response);
  };
  const forget = (): void => {
    state.device = undefined;
    probe.undos.delete(nameSignOut(state));
  };
  const sendPassword = () => sendPasswordOf(state, probe);
  const own = { state, device, client, signIn: () => signIn(state, probe) };
  const take = (response: HttpResponse): SignedIn => {
    takeDevice(state, probe, response);
    return toSignedIn(state, probe);
  };
  return { ...probe, ...own, send, sendPassword, take, forget, expectCleared };
};

/** Checks of a signed-in account, by their names. */
export type AccountChecks = Record<string, (signedIn: SignedIn) => Promise<unknown>>;

export const toChecks = (checks: AccountChecks, toAccount: (probe: Probe) => SignedIn): Checks =>
  Object.fromEntries(Object.entries(checks).map(([name, run]) => [name, (probe) => run(toAccount(probe))]));

export const checksOf = (state: AccountState, checks: AccountChecks): Checks =>
  toChecks(checks, (probe) => toSignedIn(state, probe));

const nameSignOut = ({ kind, email }: AccountState): string => `sign out ${kind.kind} ${email}`;

/** Takes the tokens of a sign-in. The account is signed out at the end of the run. */
const takeDevice = (state: AccountState, probe: Probe, response: HttpResponse): void => {
  state.device = probe.auth(state.kind).toDevice(response);
  state.user = response.body.user;
  probe.undos.set(nameSignOut(state), async (last) => {
    if (state.device) await last.expect(last.auth(state.kind).signOut(state.device), 204);
  });
};

const sendPasswordOf = ({ kind, email, password, fingerprint }: AccountState, { auth }: Probe) =>
  auth(kind).signIn({ fingerprint, body: { email, password } });

export const signIn = async (state: AccountState, probe: Probe): Promise<void> => {
  const response = await sendPasswordOf(state, probe);
  if (response.code === 'SECOND_FACTOR_REQUIRED')
    probe.skip('the account has a second factor, which the command does not have');
  await probe.expect(response, 200);
  takeDevice(state, probe, response);
};
