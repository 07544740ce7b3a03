import type { Metrics } from '@platform/shared/metrics/metrics';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import { KIND_NAMES, type Kind } from '../kinds.ts';
import { listOutcomes, type Outcomes, toOutcome } from '../sessions/outcomes.ts';

const SIGN_IN_FAILURES: Outcomes = {
  INVALID_CREDENTIALS: 'failure',
  SECOND_FACTOR_REQUIRED: 'second-factor-required',
  SECOND_FACTOR_INVALID: 'failure',
  CHALLENGE_INVALID: 'failure',
  RATE_LIMITED: 'throttled',
  USER_BLOCKED: 'blocked',
  OIDC_STATE_INVALID: 'failure',
  OIDC_DENIED: 'failure',
  OIDC_RESPONSE_INVALID: 'failure',
  OIDC_NO_ACCOUNT: 'rejected',
  OIDC_EMAIL_UNVERIFIED: 'rejected',
  ACCOUNT_EXISTS: 'rejected',
  EMAIL_TAKEN: 'rejected',
  DOMAIN_NOT_ALLOWED: 'rejected',
  PLATFORM_ROLE_INVALID: 'rejected',
};
/** Other methods are the providers, as `oidc:<name>`. */
const METHODS: SignInMethod[] = ['password', 'totp', 'recovery-code', 'passkey'];

export const createSignInMetrics = (metrics: Metrics, providers: readonly string[]) => {
  const countAttempt = metrics.counter('sign_ins_total', 'Sign-ins by outcome and by the last method', {
    kind: KIND_NAMES,
    outcome: listOutcomes('success', SIGN_IN_FAILURES),
    method: [...METHODS, ...providers.map((name) => `oidc:${name}`)],
  });

  return {
    /** Counts the result of the sign-in and returns it. `method` is the last method of the sign-in. */
    countSignIn: async <Result>(
      kind: Kind,
      method: SignInMethod,
      attempt: Promise<Result>,
    ): Promise<Result> => {
      try {
        const result = await attempt;
        countAttempt({ kind, outcome: 'success', method });
        return result;
      } catch (error) {
        countAttempt({ kind, outcome: toOutcome(error, SIGN_IN_FAILURES), method });
        throw error;
      }
    },
  };
};

export type SignInMetrics = ReturnType<typeof createSignInMetrics>;
