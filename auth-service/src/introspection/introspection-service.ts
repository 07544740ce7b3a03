import { AppError } from '@platform/shared/errors/app-error';
import type { SecondFactorRequirement } from '@platform/shared/platform/access/caller';
import { KIND_NAMES } from '../kinds.ts';
import type { CallerService } from '../sessions/callers-service.ts';
import { requireSameSession } from '../sessions/session.ts';

/**
 * Returns a function that finds the caller of a token. It returns undefined if `me` or a required second
 * factor would reject the token.
 */
export const createIntrospectionService =
  (callers: CallerService, requireSecondFactor: SecondFactorRequirement) =>
  async (token: string, fingerprint: string | undefined) => {
    try {
      const caller = await callers.findAccessCaller(token, KIND_NAMES);
      requireSecondFactor(caller);
      if (fingerprint !== undefined) requireSameSession(caller.session, { fingerprint });
      return caller;
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return undefined;
      throw error;
    }
  };

export type Introspect = ReturnType<typeof createIntrospectionService>;
