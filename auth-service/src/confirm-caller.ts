import type { ConfirmingCaller } from './accounts/account.ts';
import type { Confirmation, FactorRequirement } from './second-factor/confirmation.ts';
import type { Stores } from './stores.ts';

/** Runs a change in a transaction that has locked the user, who has confirmed the change. */
export type RunConfirmed = <Result>(change: (stores: Stores) => Promise<Result>) => Promise<Result>;

/**
 * Verifies the password and factor of a signed-in user before a change; second-factor/confirmation-service.ts
 * has the rules.
 */
export type ConfirmCaller = (
  caller: ConfirmingCaller,
  confirmation: Confirmation,
  factor: FactorRequirement,
) => Promise<RunConfirmed>;
