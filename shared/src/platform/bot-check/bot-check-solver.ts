import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge as BotChallenge } from 'altcha-lib/types';

export type { BotChallenge };

/**
 * Solves a challenge as openapi/client/src/bot-check-solver.ts does, for the probe and the tests; neither may
 * import the other. Returns the value of X-Bot-Check.
 * @throws Error if there is no solution within 90 s
 */
export const solveBotChallenge = async (challenge: BotChallenge): Promise<string> => {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('The challenge took too long');
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
};
