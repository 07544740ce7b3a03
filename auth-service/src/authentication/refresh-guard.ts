import { tokenInvalid } from '@platform/shared/errors/app-error';
import { findLanguage } from '@platform/shared/http/language';
import { type RequestContext, toRequestContext } from '@platform/shared/http/request-context';
import type { SecurityHandler } from '@platform/shared/openapi/operation-router';
import type { KnownLanguage, UpdateLanguage } from '@platform/shared/platform/access/caller';
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
  metrics: { countRefresh: (kind: Kind, outcome: string) => void };
  updateLanguage: UpdateLanguage;
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

/** Undefined for an operation that does not name a session. */
const findSessionId = (req: Request): string | undefined =>
  req.state.operation?.schema['x-operation'] === 'refreshToken' ? (req.get('X-Session-Id') ?? '') : undefined;

/** Verifies a refresh token. `admit` authorizes its caller. */
export const createRefreshGuard = (
  { keys, callers, metrics, updateLanguage }: RefreshGuardDependencies,
  admit: <Found extends AuthCaller>(req: Request, caller: Found) => Found,
) => {
  const verify = (req: Request, kind: Kind): TokenClaims[] =>
    [...listTokens(req, kind)].flatMap((token) => verifyToken(token, keys[kind].refreshKeys) ?? []);

  const toRequest = (req: Request, kind: Kind, claims: TokenClaims, isReadOnly: boolean): RefreshRequest => {
    const find = isReadOnly ? callers.findReader : callers.findRefreshCaller;
    let found: Promise<AuthCaller> | undefined;
    return {
      kind,
      claims,
      getCaller: () => {
        found ??= find(kind, claims, toRequestContext(req)).then((caller) => admit(req, caller));
        return found;
      },
      updateLanguage: (account: KnownLanguage) => updateLanguage(account, findLanguage(req)),
    };
  };

  return (kind: Kind): SecurityHandler<RefreshRequest> =>
    async (req) => {
      const [first, ...others] = verify(req, kind);
      const isReadOnly = req.state.operation?.schema['x-read-only'] !== undefined;
      if (!first) {
        if (!isReadOnly) metrics.countRefresh(kind, 'invalid');
        throw tokenInvalid('refresh');
      }
      const sessionId = findSessionId(req);
      const claims =
        others.length === 0 ? first : await callers.selectToken(kind, [first, ...others], sessionId);
      const request = toRequest(req, kind, claims, isReadOnly);
      // Without the session's id, the contract rejects the request, whatever token it has.
      if (others.length === 0 || sessionId !== '') req.state.refreshRequest = request;
      return request;
    };
};
