import { hkdfSync, type KeyObject } from 'node:crypto';
import type { Secret } from '@platform/shared/config/secrets';
import type { CookieChange } from '@platform/shared/http/operations';
import { createTokenKeys, signToken, type TokenClaims, verifyToken } from '@platform/shared/tokens/tokens';
import type { AdminCaller } from '../workspaces/workspace.ts';

/** Where the pages are; the cookie goes nowhere else. */
export const QUEUES_PATH = '/api/v1/administrator/queues';
const COOKIE = 'QueuesToken';
const IN_COOKIES = new RegExp(`(?:^|; ?)${COOKIE}=([\\w.-]+)`);
/** A page left open is not a door left open. */
const LIFETIME_SECONDS = 900;

/** Of the access secret, yet another key: no access token is a token of the page, nor the reverse. */
const derive = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'page of queues', 32)).toString('base64');

const createKeys = ({ current, previous }: Secret): [KeyObject, ...KeyObject[]] =>
  createTokenKeys({ current: derive(current), previous: previous.map(derive) });

/** A browser that opens a page sends no bearer token: for a while it has a cookie in its place. */
export const createQueueSession = (accessSecret: Secret) => {
  const keys = createKeys(accessSecret);
  return {
    open: ({ account, tokenId, claimedRole }: AdminCaller): CookieChange => ({
      name: COOKIE,
      value: signToken(
        { userId: account.userId, platformRole: claimedRole },
        { key: keys[0], jti: tokenId, lifetimeSeconds: LIFETIME_SECONDS },
      ),
      options: {
        httpOnly: true,
        secure: true,
        sameSite: 'strict',
        path: QUEUES_PATH,
        maxAge: LIFETIME_SECONDS * 1_000,
      },
    }),
    /** `jti` names the token record that the sign-in made, so that its end is the end of this. */
    read: (cookies: string | undefined): TokenClaims | undefined =>
      verifyToken(IN_COOKIES.exec(cookies ?? '')?.[1] ?? '', keys),
  };
};

export type QueueSession = ReturnType<typeof createQueueSession>;
