import { conflict } from '@platform/shared/errors/app-error';

/** The encrypted secret of an authenticator app. */
export type SealedSecret = { userId: string; sealedSecret: string };

/** Includes the time step of the last code, because each code is accepted once. */
export type TotpSecret = { sealedSecret: string; lastUsedStep: number | null };

export const secondFactorEnabled = () =>
  conflict('SECOND_FACTOR_ENABLED', 'An authenticator app is already enabled for this account');
