import { tokenInvalid } from '@platform/shared/errors/app-error';
import { findLanguage } from '@platform/shared/http/language';
import type { SecurityHandler } from '@platform/shared/http/operation-router';
import { type RequestContext, toRequestContext } from '@platform/shared/http/request-context';
import type {
  KnownLanguage,
  SecondFactorRequirement,
  UpdateLanguage,
} from '@platform/shared/platform/access/caller';
import { logCaller } from '@platform/shared/platform/access/caller';
import { parseBearerToken, type TokenClaims, verifyToken } from '@platform/shared/tokens/tokens';
import type { Request } from 'express';
import { KIND_CONFIGS, KIND_NAMES, type Kind, type KindKeys } from '../kinds.ts';
import type { AuthCaller, RefreshRequest, RegistrationCaller, StoredCaller } from './callers.ts';

type FindByRefreshToken = (kind: Kind, claims: TokenClaims, context: RequestContext) => Promise<AuthCaller>;

type Dependencies = {
  keys: KindKeys;
  callers: {
    findAccessCaller: (token: string, kinds: readonly Kind[]) => Promise<StoredCaller>;
    findRefreshCaller: FindByRefreshToken;
    /** Serves requests that change nothing. */
    findReader: FindByRefreshToken;
  };
  metrics: { countRefresh: (kind: Kind, outcome: string) => void };
  registration: {
    toRegistrationCaller: (caller: AuthCaller) => RegistrationCaller;
    requireBootstrapOpen: () => Promise<void>;
  };
  /** @throws AppError 403 SECOND_FACTOR_ENROLMENT_REQUIRED */
  requireSecondFactor: SecondFactorRequirement;
  updateLanguage: UpdateLanguage;
};

/** A handler for each security scheme of the contract. It finds the caller of a token. */
export const createSecurity = (dependencies: Dependencies) => {
  const { keys, callers, metrics, registration } = dependencies;

  /** Callers who owe a second factor may call only `x-before-enrolment` operations. */
  const admit = <Found extends AuthCaller>(req: Request, caller: Found): Found => {
    logCaller(req, caller);
    dependencies.updateLanguage(caller.account, findLanguage(req));
    if (!req.state.operation?.schema['x-before-enrolment']) dependencies.requireSecondFactor(caller);
    return caller;
  };

  const access =
    (kinds: readonly Kind[]): SecurityHandler<AuthCaller> =>
    async (req) => {
      const token = parseBearerToken(req.headers.authorization) ?? '';
      const caller = await callers.findAccessCaller(token, kinds);
      return admit(req, { ...caller, context: toRequestContext(req) });
    };

  const refresh =
    (kind: Kind): SecurityHandler<RefreshRequest> =>
    async (req) => {
      const cookie: unknown = req.cookies[KIND_CONFIGS[kind].refreshCookie];
      const token = typeof cookie === 'string' ? cookie : parseBearerToken(req.headers.authorization);
      const claims = verifyToken(token ?? '', keys[kind].refreshKeys);
      const isReadOnly = req.state.operation?.schema['x-read-only'] !== undefined;
      if (!claims) {
        if (!isReadOnly) metrics.countRefresh(kind, 'invalid');
        throw tokenInvalid();
      }
      const find = isReadOnly ? callers.findReader : callers.findRefreshCaller;
      let found: Promise<AuthCaller> | undefined;
      const getCaller = () => {
        found ??= find(kind, claims, toRequestContext(req)).then((caller) => admit(req, caller));
        return found;
      };
      const updateLanguage = (account: KnownLanguage) =>
        dependencies.updateLanguage(account, findLanguage(req));
      const request = { kind, claims, getCaller, updateLanguage };
      req.state.refreshRequest = request;
      return request;
    };

  // The alternatives of an operation must share one handler.
  const customerRefresh = refresh('customer');
  const employeeRefresh = refresh('employee');
  const administratorRefresh = refresh('administrator');
  const administratorAccess = access(['administrator']);

  /**
   * Without a token, registration is open until the platform has an ADMIN. If there is a token, it must be
   * valid.
   */
  const administratorRegistration: SecurityHandler<RegistrationCaller> = async (req) => {
    if (req.headers.authorization !== undefined)
      return registration.toRegistrationCaller(await administratorAccess(req));
    await registration.requireBootstrapOpen();
    // Nobody can have proved anything yet.
    return { proofAgeSeconds: 0 };
  };

  return {
    customerAccess: access(['customer']),
    employeeAccess: access(['employee']),
    administratorAccess,
    universalAccess: access(KIND_NAMES),
    customerRefresh,
    customerRefreshBearer: customerRefresh,
    employeeRefresh,
    employeeRefreshBearer: employeeRefresh,
    administratorRefresh,
    administratorRefreshBearer: administratorRefresh,
    administratorRegistration,
  };
};
