import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { components } from '../../types/auth.ts';

type BotChallenge = components['schemas']['BotChallenge'];

/** Uses Web Crypto, which browsers and Node have. @throws Error if there is no solution within 90 s */
export const solve = async (challenge: BotChallenge): Promise<object> => {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('The challenge took too long');
  return solution;
};
