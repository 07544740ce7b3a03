import { forbidden } from '../errors/app-error.ts';
import type { PlatformRole } from './platform-role.ts';

/** How a session was signed in; the values of `token_records.methods`. */
export const SIGN_IN_METHODS = ['password', 'totp', 'recovery-code', 'passkey'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** A passkey is two factors, because its use requires user verification. */
export const isOneFactor = (methods: readonly SignInMethod[]): boolean =>
  methods.every((method) => method === 'password');

/** The roles as stored now and the methods of the session. */
type SignedInCaller = { account: { roles: readonly string[] }; methods: readonly SignInMethod[] };

/**
 * For users with one of the platform roles, whatever the kind of their token: a session that was signed in with a password
 * alone may only enrol a second factor.
 * @returns a check that throws AppError 403 SECOND_FACTOR_ENROLMENT_REQUIRED
 */
export const createSecondFactorRequirement =
  (requiredFor: readonly PlatformRole[]) =>
  ({ account, methods }: SignedInCaller): void => {
    if (isOneFactor(methods) && requiredFor.some((role) => account.roles.includes(role)))
      throw forbidden(
        'SECOND_FACTOR_ENROLMENT_REQUIRED',
        'Your platform role requires a second factor: enable one, or sign in with it',
      );
  };

export type SecondFactorRequirement = ReturnType<typeof createSecondFactorRequirement>;
