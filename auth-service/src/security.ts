import type { RequestContext } from '@platform/shared/audit/audit-log';
import { AppError, tokenInvalid } from '@platform/shared/errors/app-error';
import type { SecurityHandler } from '@platform/shared/http/operation-router';
import { toRequestContext } from '@platform/shared/http/operation-router';
import { logCaller } from '@platform/shared/http/request-logging';
import { parseBearerToken, type TokenClaims, verifyToken } from '@platform/shared/tokens/tokens';
import type { ErrorRequestHandler, Response } from 'express';
import type { Registrar } from './accounts/account.ts';
import { KIND_NAMES, KINDS, type Kind, type KindKeys } from './kinds.ts';
import type { AuthCaller, PresentedToken } from './sessions/session.ts';
import { clearRefreshCookie } from './sessions/session-tokens.ts';

type Dependencies = {
  keys: KindKeys;
  checkAccess: (kind: Kind, claims: TokenClaims) => Promise<AuthCaller>;
  findRefreshCaller: (kind: Kind, claims: TokenClaims, origin: RequestContext) => Promise<AuthCaller>;
  requireRegistrar: (signedIn: AuthCaller) => Registrar;
  requireBootstrap: () => Promise<void>;
};

/** Names the caller in the access log. */
const logged = (res: Response, signedIn: AuthCaller): AuthCaller => {
  logCaller(res, signedIn);
  return signedIn;
};

/** Token → caller, for each security scheme of openapi/auth.yaml. */
export const createSecurity = (dependencies: Dependencies) => {
  const {
    keys,
    checkAccess: findSignedIn,
    findRefreshCaller,
    requireRegistrar,
    requireBootstrap,
  } = dependencies;

  const access =
    (kinds: readonly Kind[]): SecurityHandler<AuthCaller> =>
    async (req, res) => {
      const token = parseBearerToken(req.headers.authorization) ?? '';
      for (const kind of kinds) {
        const claims = verifyToken(token, keys[kind].accessKeys);
        if (claims) return logged(res, await findSignedIn(kind, claims));
      }
      throw tokenInvalid();
    };

  const refresh =
    (kind: Kind): SecurityHandler<PresentedToken> =>
    async (req, res) => {
      const cookie: unknown = req.cookies[KINDS[kind].refreshCookie];
      const token = typeof cookie === 'string' ? cookie : parseBearerToken(req.headers.authorization);
      const claims = verifyToken(token ?? '', keys[kind].refreshKeys);
      if (!claims) throw tokenInvalid();
      let caller: Promise<AuthCaller> | undefined;
      const getCaller = () => {
        caller ??= findRefreshCaller(kind, claims, toRequestContext(req)).then((found) => logged(res, found));
        return caller;
      };
      const presented = { kind, claims, getCaller };
      res.locals.refreshToken = presented;
      return presented;
    };

  /** No token at all is judged by whether the platform has an ADMIN; a token must be good in any case. */
  const registration: SecurityHandler<Registrar> = async (req, res) => {
    if (req.headers.authorization !== undefined)
      return requireRegistrar(await access(['administrator'])(req, res));
    await requireBootstrap();
    return {};
  };

  return {
    customerAccess: access(['customer']),
    employeeAccess: access(['employee']),
    universalAccess: access(KIND_NAMES),
    customerRefresh: refresh('customer'),
    employeeRefresh: refresh('employee'),
    administratorAccess: access(['administrator']),
    administratorRefresh: refresh('administrator'),
    administratorRegistration: registration,
  };
};

export type Security = ReturnType<typeof createSecurity>;

/** What of a request is judged after its token. */
const isOfContract = ({ status }: { status?: number }): boolean =>
  status === 400 || status === 413 || status === 415;

/** A refresh token is looked up late, but its fault comes before those of the request. */
export const judgeTokenFirst: ErrorRequestHandler = async (error, _req, res, next) => {
  const presented: PresentedToken | undefined = res.locals.refreshToken;
  if (presented && isOfContract(error)) await presented.getCaller();
  next(error);
};

/** A reused refresh token has ended its session, wherever on its way the request found out: the cookie goes too. */
export const clearRevokedCookie: ErrorRequestHandler = (error, _req, res, next) => {
  const presented: PresentedToken | undefined = res.locals.refreshToken;
  if (presented && error instanceof AppError && error.code === 'REFRESH_TOKEN_REUSED') {
    const { name, options } = clearRefreshCookie(presented.kind);
    res.clearCookie(name, options);
  }
  next(error);
};
