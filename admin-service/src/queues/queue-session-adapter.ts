import { hkdfSync } from 'node:crypto';
import type { Secret } from '@platform/shared/config/secrets';
import type { CookieChange } from '@platform/shared/http/operations';
import { QUEUES_COOKIE } from '@platform/shared/platform/platform-cookies';
import { createTokenKeys, signToken, type TokenClaims, verifyToken } from '@platform/shared/tokens/tokens';
import type { AdminCaller } from '../authentication/callers.ts';

export const QUEUES_PATH = '/api/v1/administrator/queues';
const COOKIE_VALUE = new RegExp(`(?:^|; ?)${QUEUES_COOKIE}=([\\w.-]+)`);
const LIFETIME_SECONDS = 900;

/**
 * Derives a separate key from the access secret, so that an access token is not valid as a dashboard token,
 * and vice versa.
 */
const deriveSecret = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'page of queues', 32)).toString('base64');

/** Browsers send no bearer token when they open a page, so the dashboard uses a short-lived cookie. */
export const createQueueSession = ({ current, previous }: Secret) => {
  const keys = createTokenKeys({ current: deriveSecret(current), previous: previous.map(deriveSecret) });
  return {
    createCookie: ({ account, tokenId, claimedRole }: AdminCaller): CookieChange => ({
      name: QUEUES_COOKIE,
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
    /** `jti` is the id of the token record, so the cookie is valid only as long as the session. */
    verifyCookie: (cookies: string | undefined): TokenClaims | undefined =>
      verifyToken(COOKIE_VALUE.exec(cookies ?? '')?.[1] ?? '', keys),
  };
};

export type QueueSession = ReturnType<typeof createQueueSession>;
