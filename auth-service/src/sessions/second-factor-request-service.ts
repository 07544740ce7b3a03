import type { AccountWithPassword } from '../accounts/account.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import type { ChallengeStore } from '../sign-in/challenges-store.ts';
import { type FirstStep, type SignInDevice, secondFactorRequired } from './session.ts';

type Dependencies = Pick<Infrastructure, 'config'> & { challenges: ChallengeStore };

export const createSecondFactorRequest =
  ({ config, challenges }: Dependencies) =>
  /** @throws AppError always: 401 SECOND_FACTOR_REQUIRED with a challenge, or 503 */
  async (
    kind: Kind,
    account: AccountWithPassword,
    device: SignInDevice,
    firstStep: FirstStep,
  ): Promise<never> => {
    const challenge = await challenges.create(kind, account, device.fingerprint, firstStep);
    const offersPasskeys = config.webauthn !== undefined;
    const factors = account.factors.filter((factor) => offersPasskeys || factor !== 'passkey');
    throw secondFactorRequired(challenge, factors);
  };

export type SecondFactorRequest = ReturnType<typeof createSecondFactorRequest>;
