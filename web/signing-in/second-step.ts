import { isPlatformError, type Kind, type SecondFactor } from '@platform/client';
import type { Platform } from '../session/platform.ts';
import type { Stay } from './stay-signed-in.ts';
import { createTabState } from './tab-state.ts';
import { keepTypedPassword } from './typed-password.ts';

/** A sign-in that waits for its second step. */
export type SecondStep = {
  kind: Kind;
  challenge: string;
  factors: readonly SecondFactor[];
  email: string;
  expiresAt: number;
};

/** The platform accepts a challenge for 300 s. */
const LIFETIME_MILLISECONDS = 300_000;

/** May be stored: the challenge is useless without the factor. */
const kept = createTabState<SecondStep>('platform.second-step', ({ factors }) => Array.isArray(factors));

export const { forget: forgetSecondStep, read: readSecondStep } = kept;

/** The second step that an error asks for. @throws the error if it is another one */
export const toSecondStep = (error: unknown, kind: Kind, email: string): SecondStep => {
  if (!isPlatformError(error, 'SECOND_FACTOR_REQUIRED')) throw error;
  const { challenge, factors } = error;
  const step = { kind, challenge, factors, email, expiresAt: Date.now() + LIFETIME_MILLISECONDS };
  kept.save(step);
  return step;
};

type Credentials = { email: string; password: string } & Stay;

/** Signs in by a password. Returns the second step if the platform asks for one. @throws PlatformError */
export const signInOrAsk = async (
  { client, kind }: Pick<Platform, 'client' | 'kind'>,
  credentials: Credentials,
): Promise<SecondStep | undefined> => {
  const { email, password } = credentials;
  const step = await client.signIn(credentials).then(
    () => undefined,
    (error: unknown) => toSecondStep(error, kind, email),
  );
  // The console asks for the password each time.
  if (kind !== 'administrator') keepTypedPassword(email, password);
  return step;
};
