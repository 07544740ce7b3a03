import { AppError } from '@platform/shared/errors/app-error';
import type { Metrics } from '@platform/shared/metrics/metrics';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import { KIND_NAMES, type Kind } from '../kinds.ts';

/** Error codes of a sign-in that the metric counts as separate outcomes. */
const SIGN_IN_OUTCOMES: Readonly<Record<string, string>> = {
  SECOND_FACTOR_REQUIRED: 'second-factor-required',
  USER_BLOCKED: 'blocked',
};

/**
 * The outcome follows from the status, so that a new error code of a sign-in needs no entry here: a wrong
 * proof, a rule that rejects the account, too many attempts. Anything else is a bug, an overload or an outage.
 */
const toSignInOutcome = (error: unknown): string => {
  if (!(error instanceof AppError)) return 'error';
  const { code, status } = error;
  if (SIGN_IN_OUTCOMES[code]) return SIGN_IN_OUTCOMES[code];
  // A wrong mailed code is 400, as for every operation that takes one.
  if (status === 401 || code === 'CODE_INVALID') return 'failure';
  if (status === 429) return 'throttled';
  return status < 500 ? 'rejected' : 'error';
};

/** Other methods are the providers, as `oidc:<name>`. */
const METHODS: SignInMethod[] = ['password', 'email-code', 'totp', 'recovery-code', 'passkey'];

export const createSignInMetrics = (metrics: Metrics, providers: readonly string[]) => {
  const countAttempt = metrics.counter('sign_ins_total', 'Sign-ins by outcome and by the last method', {
    kind: KIND_NAMES,
    outcome: ['success', ...Object.values(SIGN_IN_OUTCOMES), 'failure', 'throttled', 'rejected', 'error'],
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
        countAttempt({ kind, outcome: toSignInOutcome(error), method });
        throw error;
      }
    },
  };
};

export type SignInMetrics = ReturnType<typeof createSignInMetrics>;
