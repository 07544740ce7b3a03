import { toUserBody } from '../accounts/account-mapper.ts';
import type { Kind } from '../kinds.ts';
import type { RefreshCookie, SignedIn } from './session.ts';

/** The response of every sign-in. */
export const toSignInResponse = (
  kind: Kind,
  { accessToken, refreshToken, session, account }: SignedIn,
  refreshCookie: RefreshCookie,
) => ({
  status: 200 as const,
  caller: { userId: account.userId, sessionId: session.id },
  cookies: [refreshCookie(kind, refreshToken)],
  body: { token: accessToken, session, user: toUserBody(kind, account) },
});
