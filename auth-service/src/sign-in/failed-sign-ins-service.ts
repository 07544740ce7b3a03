import type { Background } from '@platform/shared/async/tasks';
import { AppError } from '@platform/shared/errors/app-error';
import { toClientSubnet } from '@platform/shared/network/client-address';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { toAccountAudit } from '../accounts/account-audit.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import { GuessesLimited } from '../guess-limits/guess-limits.ts';
import type { Kind } from '../kinds.ts';
import type { SignInDevice } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessions-store.ts';

/** Why a sign-in failed, as the audit log and the owner's history name it. */
type FailureReason =
  | 'WRONG_PASSWORD'
  | 'WRONG_CODE'
  | 'WRONG_FACTOR'
  | 'PAUSED'
  | 'BLOCKED'
  | 'NO_ROLE'
  | 'WRONG_KIND'
  | 'PROVIDER_REJECTED';

/** Other responses are no failed sign-ins: a missing second step, an expired challenge, an outage. */
const REASONS: Readonly<Record<string, FailureReason>> = {
  INVALID_CREDENTIALS: 'WRONG_PASSWORD',
  CODE_INVALID: 'WRONG_CODE',
  SECOND_FACTOR_INVALID: 'WRONG_FACTOR',
  USER_BLOCKED: 'BLOCKED',
  PLATFORM_ROLE_INVALID: 'NO_ROLE',
  EMAIL_TAKEN: 'WRONG_KIND',
  PROVIDER_NOT_ALLOWED: 'PROVIDER_REJECTED',
  OIDC_EMAIL_UNVERIFIED: 'PROVIDER_REJECTED',
  OIDC_NO_ACCOUNT: 'PROVIDER_REJECTED',
  ACCOUNT_EXISTS: 'PROVIDER_REJECTED',
};

/** The account that somebody tried to sign in to, or the address without one of the kind. */
type SignInTarget = { kind: Kind } & ({ userId: string } | { email: string });

type Dependencies = {
  stores: { accounts: AccountStore; sessions: SessionStore; audit: AuditLog };
  background: Background;
};

const findReason = (error: unknown): FailureReason | undefined => {
  // The delay of a network concerns no account.
  if (error instanceof GuessesLimited) return error.isPause ? 'PAUSED' : undefined;
  return error instanceof AppError ? REASONS[error.code] : undefined;
};

export const createFailedSignInService = ({ stores, background }: Dependencies) => {
  /** The user with the address may be of another kind. */
  const findUser = async (target: SignInTarget): Promise<string | null> =>
    'userId' in target ? target.userId : ((await stores.accounts.findIdByEmail(target.email)) ?? null);

  const record = async (
    target: SignInTarget,
    reason: FailureReason,
    { fingerprint, userAgent, context }: SignInDevice,
    error: unknown,
    details: object,
  ): Promise<void> => {
    const userId = await findUser(target);
    const isOtherKind = userId !== null && !('userId' in target);
    const isNewDevice = userId === null || (await stores.sessions.isNewDevice(userId, fingerprint));
    const failure = toAccountAudit('SIGN_IN_FAILED', { kind: target.kind, userId }, context, {
      ...details,
      reason: isOtherKind ? 'WRONG_KIND' : reason,
      methods: [],
      userAgent,
      isNewDevice,
    });
    // Without a user, nothing but the hourly limit keeps strangers from filling the log.
    if (!(error instanceof GuessesLimited) || userId === null) return await stores.audit.addFailure(failure);
    const pausedUntil = new Date(Date.now() + error.seconds * 1_000);
    await stores.audit.addPausedSignIn(failure, toClientSubnet(context.address), pausedUntil);
  };

  return {
    /**
     * Runs the attempt, and records why it failed. This takes place in the background: otherwise the response
     * for an account would take longer than for an unknown e-mail.
     */
    recordFailure: async <Result>(
      target: SignInTarget,
      device: SignInDevice,
      attempt: () => Promise<Result>,
      details: object = {},
    ): Promise<Result> => {
      try {
        return await attempt();
      } catch (error) {
        const reason = findReason(error);
        if (reason !== undefined) background.run(() => record(target, reason, device, error, details));
        throw error;
      }
    },
  };
};

export type FailedSignInService = ReturnType<typeof createFailedSignInService>;
