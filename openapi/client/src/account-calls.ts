import { type Kind, type Me, ROUTES } from './kinds.ts';
import type { CodeSent, NewPassword, OwnSession, PasswordReset } from './named-types.ts';
import type { CallSignal } from './operation-types.ts';

export type AccountCalls<K extends Kind> = {
  me: (options?: CallSignal) => Promise<Me<K>>;
  /** Sends a code to the user's e-mail address. Fails with `RESEND_LOCKED` until `resendIn` seconds have passed. */
  sendVerificationCode: () => Promise<CodeSent>;
  verifyEmail: (code: string) => Promise<void>;
  isEmailVerified: (options?: CallSignal) => Promise<boolean>;
  /** Sends a code if the e-mail is known; the response is the same if it is not. */
  requestPasswordReset: (email: string) => Promise<CodeSent>;
  /** Ends all sessions of the user; does not sign in. */
  resetPassword: (reset: PasswordReset) => Promise<void>;
  /** Ends the user's other sessions. */
  changePassword: (passwords: NewPassword) => Promise<void>;
  /** The user's signed-in sessions, the latest sign-in first. */
  listSessions: (options?: CallSignal) => Promise<OwnSession[]>;
  endSession: (sessionId: string) => Promise<void>;
  endOtherSessions: () => Promise<void>;
};

type Method = 'get' | 'post' | 'delete';
type Request = (method: Method, path: string, options?: object) => Promise<never>;

/** The same calls for each kind. `onEnded` is called with the id of a session that was ended. */
export const createAccountCalls = <K extends Kind>(
  kind: K,
  request: Request,
  onEnded: (sessionId: string) => void,
): AccountCalls<K> => {
  const { auth } = ROUTES[kind];
  const [verification, reset] = [`${auth}/verification/email`, `${auth}/reset-password`];
  return {
    me: (options) => request('get', `${auth}/me`, options),
    sendVerificationCode: () => request('get', `${verification}/code`),
    verifyEmail: (code) => request('post', `${verification}/code/check`, { body: { code } }),
    isEmailVerified: async (options) => {
      const { verified }: { verified: boolean } = await request('get', `${verification}/check`, options);
      return verified;
    },
    requestPasswordReset: (email) => request('post', `${reset}/email/code/send`, { body: { email } }),
    resetPassword: (body) => request('post', `${reset}/email/code`, { body }),
    changePassword: (body) => request('post', `${reset}/me`, { body }),
    listSessions: async (options) => {
      const { data }: { data: OwnSession[] } = await request('get', `${auth}/sessions`, options);
      return data;
    },
    endSession: async (sessionId) => {
      await request('delete', `${auth}/sessions/{sessionId}`, { params: { path: { sessionId } } });
      onEnded(sessionId);
    },
    endOtherSessions: () => request('delete', `${auth}/sessions`),
  };
};
