import { abortable } from './abortable.ts';
import type { AccessToken } from './access-token.ts';
import type { SignedIn } from './device.ts';
import { isPlatformError } from './platform-error.ts';
import type { RequestFunction } from './request-function.ts';
import type { SessionManager } from './session-manager.ts';
import type { SessionState } from './session-state.ts';
import { FINAL_ERRORS } from './token-request.ts';

type Request = (path: string, token?: AccessToken) => Promise<never>;

/** A later sign-in on another page of the site has replaced the cookie, and its session has the same id. */
const signOut = async (request: Request, closed: SignedIn['session']): Promise<void> => {
  const { session }: SignedIn = await request('session');
  if (session.id !== closed.id || session.updatedAt !== closed.updatedAt) return;
  const { token }: { token: string } = await request('refresh/token');
  await request('sign-out', { token, sessionId: closed.id, generation: 0, renewAt: 0 });
};

type Dependencies = {
  auth: string;
  state: SessionState;
  requestAs: (record: SessionState['record'], token?: AccessToken) => RequestFunction;
  withLock: SessionManager['withLock'];
  milliseconds: number;
};

/** Signs out a session that has ended with the browser. The record names it until that has worked. */
export const signOutClosed = (dependencies: Dependencies): Promise<void> => {
  const { auth, state, requestAs, withLock, milliseconds } = dependencies;
  const work = async (signal: AbortSignal): Promise<void> => {
    const record = state.record();
    const { closed } = record;
    if (!closed) return;
    const getRecord = () => ({ ...record, signedIn: { user: {}, session: closed } });
    const request: Request = (path, token) =>
      requestAs(getRecord, token)('get', `${auth}/${path}`, { signal, keepalive: true });
    await signOut(request, closed).catch((error: unknown) => {
      if (!isPlatformError(error, ...FINAL_ERRORS)) throw error;
    });
    if (state.record().closed?.id === closed.id) state.change({ closed: undefined });
  };
  return abortable({ milliseconds }, (signal) => withLock(() => work(signal), signal));
};
