import { randomBytes, randomUUID } from 'node:crypto';
import { tokenInvalid } from '@platform/shared/errors/app-error';
import { createTokenKeys, signToken, verifyToken } from '@platform/shared/tokens/tokens';

export type Kind = 'customer' | 'employee' | 'administrator';
export type Json = Record<string, unknown>;
export type MockSession = {
  kind: Kind;
  /** The `user` and `session` of the sign-in response. */
  user: Json;
  session: Json;
  /** To which a code was sent. */
  newEmail?: unknown;
  accessTokenId: string;
  refreshTokenId: string;
};

const ACCESS_SECONDS = 15 * 60;
export const REFRESH_SECONDS = 2 * 60 * 60;

/** Signed-in sessions, in memory: after a restart every token is invalid. */
export const createMockSessions = () => {
  const [key] = createTokenKeys({ current: randomBytes(32).toString('hex'), previous: [] });
  const byTokenId = new Map<string, MockSession>();

  const end = ({ accessTokenId, refreshTokenId }: MockSession): void => {
    byTokenId.delete(accessTokenId);
    byTokenId.delete(refreshTokenId);
  };

  /** Replaces the tokens of the session. */
  const issueTokens = (session: MockSession) => {
    end(session);
    session.accessTokenId = randomUUID();
    session.refreshTokenId = randomUUID();
    byTokenId.set(session.accessTokenId, session).set(session.refreshTokenId, session);
    const claims = { userId: session.user['id'], roles: session.user['roles'] };
    const sign = (jti: string, lifetimeSeconds: number) => signToken(claims, { key, jti, lifetimeSeconds });
    return {
      accessToken: sign(session.accessTokenId, ACCESS_SECONDS),
      refreshToken: sign(session.refreshTokenId, REFRESH_SECONDS),
    };
  };

  /** @throws AppError 401 unless the token is of this type and of one of the kinds */
  const find = (
    token: string | undefined,
    type: 'accessTokenId' | 'refreshTokenId',
    kinds: readonly Kind[],
  ): MockSession => {
    const id = verifyToken(token ?? '', [key])?.jti ?? '';
    const session = byTokenId.get(id);
    if (!session || session[type] !== id || !kinds.includes(session.kind)) throw tokenInvalid();
    return session;
  };

  return {
    open: (kind: Kind, user: Json, session: Json) => {
      const opened = { kind, user, session, accessTokenId: '', refreshTokenId: '' };
      return issueTokens(opened);
    },
    issueTokens,
    find,
    end,
  };
};

export type MockSessions = ReturnType<typeof createMockSessions>;
