import { type Kind, type Me, ROUTES } from './kinds.ts';
import type { CodeSent, NewPassword, OwnSession, PasswordReset } from './named-types.ts';
import type { CallSignal } from './operation-types.ts';

export type AccountCalls<K extends Kind> = {
  me: (options?: CallSignal) => Promise<Me<K>>;
  /**
   * Sends a code to the user's e-mail address. Fails with `RESEND_LOCKED` until `resendIn` seconds have
   * passed. The link of the mail ends at `returnTo`, if the account pages may return to its origin.
   */
  sendVerificationCode: (options?: CallSignal & { returnTo?: string | undefined }) => Promise<CodeSent>;
  verifyEmail: (code: string, options?: CallSignal) => Promise<void>;
  isEmailVerified: (options?: CallSignal) => Promise<boolean>;
  /** Sends a code if there is an account with this e-mail; the response is the same if there is none. */
  requestPasswordReset: (email: string, options?: CallSignal) => Promise<CodeSent>;
  /** Ends all sessions of the user and does not sign in. */
  resetPassword: (reset: PasswordReset, options?: CallSignal) => Promise<void>;
  /** Ends the user's other sessions. */
  changePassword: (passwords: NewPassword, options?: CallSignal) => Promise<void>;
  /** The user's signed-in sessions, latest sign-in first. */
  listSessions: (options?: CallSignal) => Promise<OwnSession[]>;
  endSession: (sessionId: string, options?: CallSignal) => Promise<void>;
  endOtherSessions: (options?: CallSignal) => Promise<void>;
};

type Method = 'get' | 'post' | 'delete';
type Request = (method: Method, path: string, options?: object) => Promise<never>;

/**
 * Creates the calls that exist for each kind. `onEnded` is called with the id of a session that was ended.
 */
export const createAccountCalls = <K extends Kind>(
  kind: K,
  request: Request,
  onEnded: (sessionId: string) => void,
): AccountCalls<K> => {
  const { auth } = ROUTES[kind];
  const [verification, reset] = [`${auth}/verification/email`, `${auth}/reset-password`];
  return {
    me: (options) => request('get', `${auth}/me`, options),
    sendVerificationCode: ({ returnTo, ...options } = {}) =>
      request('get', `${verification}/code`, { ...options, params: { query: { returnTo } } }),
    verifyEmail: (code, options) =>
      request('post', `${verification}/code/check`, { ...options, body: { code } }),
    isEmailVerified: async (options) => {
      const { verified }: { verified: boolean } = await request('get', `${verification}/check`, options);
      return verified;
    },
    requestPasswordReset: (email, options) =>
      request('post', `${reset}/email/code/send`, { ...options, body: { email } }),
    resetPassword: (body, options) => request('post', `${reset}/email/code`, { ...options, body }),
    changePassword: (body, options) => request('post', `${reset}/me`, { ...options, body }),
    listSessions: async (options) => {
      const { data }: { data: OwnSession[] } = await request('get', `${auth}/sessions`, options);
      return data;
    },
    endSession: async (sessionId, options) => {
      const params = { path: { sessionId } };
      await request('delete', `${auth}/sessions/{sessionId}`, { ...options, params });
      onEnded(sessionId);
    },
    endOtherSessions: (options) => request('delete', `${auth}/sessions`, options),
  };
};
