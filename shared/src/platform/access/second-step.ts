import type { PlatformRole } from './platform-role.ts';

/** The facts that decide whether a second step is due. */
type SecondStepFacts = {
  hasTotp: boolean;
  /** Whether the owner has switched the second step on, which takes an authenticator app or a passkey. */
  isSecondStepOn: boolean;
  /** The roles as stored now. */
  roles: readonly string[];
};

/** Whether SECOND_FACTOR_REQUIRED_FOR names one of the roles. */
export const isSecondStepOwed = (roles: readonly string[], requiredFor: readonly PlatformRole[]): boolean =>
  requiredFor.some((role) => roles.includes(role));

/** An authenticator app or a role needs the second step, so its owner cannot switch it off. */
export const isSecondStepNeeded = (
  { hasTotp, roles }: Omit<SecondStepFacts, 'isSecondStepOn'>,
  requiredFor: readonly PlatformRole[],
): boolean => hasTotp || isSecondStepOwed(roles, requiredFor);

/**
 * Whether sign-ins and confirmations take a second factor. A passkey alone does not make it due: people add
 * one for convenience, and would be locked out when they lose it.
 */
export const isSecondStepDue = (facts: SecondStepFacts, requiredFor: readonly PlatformRole[]): boolean =>
  facts.isSecondStepOn || isSecondStepNeeded(facts, requiredFor);
