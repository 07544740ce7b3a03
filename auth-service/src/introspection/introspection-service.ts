import type { SecondFactorRequirement } from '@platform/shared/access/caller';
import { AppError } from '@platform/shared/errors/app-error';
import { KIND_NAMES } from '../kinds.ts';
import type { FindAccessCaller } from '../sessions/access-token-service.ts';
import { requireSameSession } from '../sessions/session.ts';

type Dependencies = { findAccessCaller: FindAccessCaller; requireSecondFactor: SecondFactorRequirement };

const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && (error.status === 401 || error.status === 403);

export const createIntrospectionService = ({ findAccessCaller, requireSecondFactor }: Dependencies) => ({
  /** Undefined for a token with which `me`, or the second factor that the user must set up first, would be refused. */
  findActive: async (token: string, fingerprint: string | undefined) => {
    try {
      const caller = await findAccessCaller(token, KIND_NAMES);
      requireSecondFactor(caller);
      if (fingerprint !== undefined) requireSameSession(caller.session, { fingerprint });
      return caller;
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  },
});

export type IntrospectionService = ReturnType<typeof createIntrospectionService>;
export type ActiveCaller = NonNullable<Awaited<ReturnType<IntrospectionService['findActive']>>>;
