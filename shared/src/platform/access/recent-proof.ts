import { integer } from '../../config/env.ts';
import { forbidden } from '../../errors/app-error.ts';

/** A variable of auth-service and admin-service: the maximum age of a proof; 0 accepts any. */
export const proofVariables = { ADMIN_PROOF_SECONDS: integer(900, 0, 365 * 24 * 3_600) };

/** A caller whose proof can be judged. */
export type ProvedCaller = {
  /** How long ago the session was signed in, or its user has proved their identity again. */
  proofAgeSeconds: number;
};

/** A column of the lookups of callers, which read `token_records t` anyway. */
export const PROOF_AGE_COLUMN =
  'extract(epoch from now() - coalesce(t.proved_at, t.created_at))::float8 as proof_age_seconds';

/**
 * For the operations with `x-recent-proof`.
 * @param maxAgeSeconds ADMIN_PROOF_SECONDS; 0 accepts a proof of any age
 * @returns a check that throws AppError 403 PROOF_REQUIRED
 */
export const createRecentProofRequirement =
  (maxAgeSeconds: number) =>
  ({ proofAgeSeconds }: ProvedCaller): void => {
    if (maxAgeSeconds > 0 && !(proofAgeSeconds <= maxAgeSeconds))
      throw forbidden(
        'PROOF_REQUIRED',
        'The last proof of your identity is too old: send one to auth/admin/proof, and repeat the request',
      );
  };
