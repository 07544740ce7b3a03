import { tokenInvalid } from '@platform/shared/errors/app-error';
import { hasBody } from '@platform/shared/http/request-body';
import { type RequestContext, toRequestContext } from '@platform/shared/http/request-context';
import type { SecurityHandler } from '@platform/shared/openapi/operation-router';
import type { KnownPreferences, UpdatePreferences } from '@platform/shared/platform/access/caller';
import { parseBearerToken, type TokenClaims, verifyToken } from '@platform/shared/tokens/tokens';
import type { Request } from 'express';
import { KIND_CONFIGS, type Kind, type KindKeys } from '../kinds.ts';
import type { AuthCaller, RefreshRequest } from './callers.ts';

type FindByRefreshToken = (kind: Kind, claims: TokenClaims, context: RequestContext) => Promise<AuthCaller>;

export type RefreshGuardDependencies = {
  keys: KindKeys;
  callers: {
    findRefreshCaller: FindByRefreshToken;
    /** Serves requests that change nothing. */
    findReader: FindByRefreshToken;
    /** @param sessionId the session that the request names; undefined if its operation names none */
    selectToken: (kind: Kind, tokens: TokenClaims[], sessionId: string | undefined) => Promise<TokenClaims>;
  };
  updatePreferences: UpdatePreferences;
};

const listCookies = (header: string | undefined, name: string): string[] =>
  (header ?? '').split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=');
    return key.trim() === name ? value.join('=').trim() : [];
  });

/**
 * Another host of the same site can add cookies of the same name, so all of them are read. The Authorization
 * header counts only without a cookie.
 */
const listTokens = ({ headers }: Request, kind: Kind): Iterable<string> => {
  const cookies = listCookies(headers.cookie, KIND_CONFIGS[kind].refreshCookie).filter(Boolean);
  return cookies.length > 0 ? new Set(cookies) : [parseBearerToken(headers.authorization) ?? ''];
};

const isRefresh = ({ state: { operation } }: Request): boolean =>
  operation?.schema['x-operation'] === 'refreshToken';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const FINGERPRINT = /^.{1,256}$/s;

/**
 * Whether the rotation looks the token up, which saves a round trip. Any other request is looked up before its
 * validation, because token errors take precedence over validation errors. So this must be true only if the
 * contract accepts the request.
 */
const isLookedUpByRotation = (req: Request): boolean =>
  isRefresh(req) &&
  !hasBody(req) &&
  !req.originalUrl.includes('?') &&
  UUID.test(req.get('X-Session-Id') ?? '') &&
  FINGERPRINT.test(req.get('X-Fingerprint') ?? '');

/** Verifies a refresh token. `admit` authorizes its caller. */
export const createRefreshGuard = (
  { keys, callers, updatePreferences }: RefreshGuardDependencies,
  admit: <Found extends AuthCaller>(req: Request, caller: Found) => Found,
) => {
  const verify = (req: Request, kind: Kind): TokenClaims[] =>
    [...listTokens(req, kind)].flatMap((token) => verifyToken(token, keys[kind].refreshKeys) ?? []);

  const select = async (req: Request, kind: Kind): Promise<{ claims: TokenClaims; isSelected: boolean }> => {
    const [first, ...others] = verify(req, kind);
    if (!first) throw tokenInvalid('refresh');
    if (others.length === 0) return { claims: first, isSelected: true };
    // Undefined for an operation that does not name a session.
    const sessionId = isRefresh(req) ? (req.get('X-Session-Id') ?? '') : undefined;
    const claims = await callers.selectToken(kind, [first, ...others], sessionId);
    // Without the session's id, the contract rejects the request, whichever token it has.
    return { claims, isSelected: sessionId !== '' };
  };

  return (kind: Kind): SecurityHandler<RefreshRequest> =>
    async (req) => {
      const { claims, isSelected } = await select(req, kind);
      const isReadOnly = req.state.operation?.schema['x-read-only'] !== undefined;
      const lookUp = isReadOnly ? callers.findReader : callers.findRefreshCaller;
      const find = async () => admit(req, await lookUp(kind, claims, toRequestContext(req)));
      const caller = isSelected && !isLookedUpByRotation(req) ? await find() : undefined;
      return {
        kind,
        claims,
        getCaller: async () => caller ?? (await find()),
        updatePreferences: (account: KnownPreferences) => updatePreferences(account, req),
      };
    };
};
