import { toRequestContext } from '@platform/shared/http/request-context';
import type { SecurityHandler } from '@platform/shared/openapi/operation-router';
import type { SecondFactorRequirement } from '@platform/shared/platform/access/caller';
import { logCaller } from '@platform/shared/platform/access/caller';
import { parseBearerToken } from '@platform/shared/tokens/tokens';
import type { Request } from 'express';
import { KIND_NAMES, type Kind } from '../kinds.ts';
import type { AuthCaller, RegistrationCaller, StoredCaller } from './callers.ts';
import { createRefreshGuard, type RefreshGuardDependencies } from './refresh-guard.ts';

type Dependencies = RefreshGuardDependencies & {
  callers: { findAccessCaller: (token: string, kinds: readonly Kind[]) => Promise<StoredCaller> };
  registration: {
    toRegistrationCaller: (caller: AuthCaller) => RegistrationCaller;
    requireBootstrapOpen: () => Promise<void>;
  };
  /** @throws AppError 403 SECOND_FACTOR_ENROLMENT_REQUIRED */
  requireSecondFactor: SecondFactorRequirement;
};

/** A handler for each security scheme of the contract. It finds the caller of a token. */
export const createSecurity = (dependencies: Dependencies) => {
  const { callers, registration } = dependencies;

  const noteCaller = <Found extends AuthCaller>(req: Request, caller: Found): Found => {
    logCaller(req, caller);
    dependencies.updatePreferences(caller.account, req);
    return caller;
  };

  /** Callers who owe a second factor may call only `x-before-enrolment` operations. */
  const admit = <Found extends AuthCaller>(req: Request, caller: Found): Found => {
    noteCaller(req, caller);
    if (!req.state.operation?.schema['x-before-enrolment']) dependencies.requireSecondFactor(caller);
    return caller;
  };

  const findCaller = async (req: Request, kinds: readonly Kind[]): Promise<AuthCaller> => {
    const token = parseBearerToken(req.headers.authorization) ?? '';
    const caller = await callers.findAccessCaller(token, kinds);
    return { ...caller, context: toRequestContext(req) };
  };

  const access =
    (kinds: readonly Kind[]): SecurityHandler<AuthCaller> =>
    async (req) =>
      admit(req, await findCaller(req, kinds));

  const refresh = createRefreshGuard(dependencies, admit);

  // The alternatives of an operation must share one handler.
  const customerRefresh = refresh('customer');
  const employeeRefresh = refresh('employee');
  const administratorRefresh = refresh('administrator');

  /**
   * Without a token, registration is open until the platform has an ADMIN. If there is a token, it must be
   * valid.
   */
  const administratorRegistration: SecurityHandler<RegistrationCaller> = async (req) => {
    if (req.headers.authorization !== undefined) {
      const caller = noteCaller(req, await findCaller(req, ['administrator']));
      // The role comes first: nobody is asked to set up a factor for what is refused then.
      const registering = registration.toRegistrationCaller(caller);
      dependencies.requireSecondFactor(caller);
      return registering;
    }
    await registration.requireBootstrapOpen();
    // The session is new, so there is no proof yet.
    return { proofAgeSeconds: 0 };
  };

  return {
    customerAccess: access(['customer']),
    employeeAccess: access(['employee']),
    administratorAccess: access(['administrator']),
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
