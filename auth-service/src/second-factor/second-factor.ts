import { conflict } from '@platform/shared/errors/app-error';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import {
  isSecondStepDue,
  isSecondStepNeeded,
  isSecondStepOwed,
} from '@platform/shared/platform/access/second-step';
import type { FactorMethod, FactorState } from '../accounts/account.ts';
import type { ChangeOf } from '../guess-limits/guess-limits.ts';

/** The encrypted secret of an authenticator app, or the encrypted hash of a recovery code. */
export type SealedSecret = { userId: string; sealedSecret: string };

/** Includes the time step of the last code, because each code is accepted once. */
export type TotpSecret = { sealedSecret: string; lastUsedStep: number | null };

export type SecondStep = {
  /** Whether the account's role requires it. */
  isOwed: boolean;
  /** Whether its owner cannot switch it off. */
  isNeeded: boolean;
  /** Whether it is due, also for an account that must still add its first factor. */
  isDue: boolean;
  hasFactor: boolean;
  /** The factors that a sign-in and a confirmation accept; empty if they ask for none. */
  dueFactors: FactorMethod[];
};

/** Every decision about the second step of an account starts here. */
export const createSecondStepRule =
  (requiredFor: readonly PlatformRole[]) =>
  ({ factors, ...state }: FactorState): SecondStep => {
    const facts = { ...state, hasTotp: factors.includes('totp') };
    const isDue = isSecondStepDue(facts, requiredFor);
    return {
      isOwed: isSecondStepOwed(state.roles, requiredFor),
      isNeeded: isSecondStepNeeded(facts, requiredFor),
      isDue,
      hasFactor: factors.length > 0,
      dueFactors: isDue ? factors : [],
    };
  };

export type ToSecondStep = ReturnType<typeof createSecondStepRule>;

/** The factor that its owner adds with this change. */
const ADDED_FACTORS: Partial<Record<ChangeOf<'factors'>, FactorMethod>> = {
  TOTP_ENABLED: 'totp',
  PASSKEY_ADDED: 'passkey',
};

/** The consequences of a change of factors by the owner. */
export type Consequences = {
  endsOtherSessions: boolean;
  /** Whether what was prepared before the change ends, such as a waiting sign-in. */
  endsPrepared: boolean;
  givesRecoveryCodes: boolean;
  /** Counts as the second factor of the session that adds it. */
  provedFactor: FactorMethod | undefined;
};

/** Recovery codes that a change has given, which are shown only once. */
export type NewRecoveryCodes = { recoveryCodes?: string[] };

export const decideConsequences = (
  action: ChangeOf<'factors'>,
  before: SecondStep,
  after: SecondStep,
): Consequences => {
  const added = ADDED_FACTORS[action];
  const isDue = after.dueFactors.length > 0;
  const starts = isDue && before.dueFactors.length === 0;
  const lacksCodes = isDue && added !== undefined && !after.dueFactors.includes('recovery-code');
  const common = {
    givesRecoveryCodes: starts || lacksCodes,
    // A factor that is added to others proves nothing about the caller.
    provedFactor: starts ? added : undefined,
  };
  // A passkey of an account without a second step is only another way to sign in.
  if (action === 'PASSKEY_ADDED') return { ...common, endsOtherSessions: starts, endsPrepared: after.isDue };
  if (action === 'PASSKEY_REMOVED') return { ...common, endsOtherSessions: before.isDue, endsPrepared: true };
  return { ...common, endsOtherSessions: true, endsPrepared: true };
};

export const secondFactorEnabled = () =>
  conflict('SECOND_FACTOR_ENABLED', 'An authenticator app is already enabled for this account');
export const secondFactorMissing = () =>
  conflict('SECOND_FACTOR_MISSING', 'Add an authenticator app or a passkey first');
export const secondFactorNeeded = () =>
  conflict('SECOND_FACTOR_NEEDED', 'The authenticator app or the platform role needs the second step');

/** How long a code may confirm a new app. */
export const TOTP_SET_UP_SECONDS = 600;
