import { routeNotFound } from '@platform/shared/errors/app-error';
import type { BotCheck } from '@platform/shared/platform/bot-check/bot-check';
import type { AuthOperations } from '../authentication/operations.ts';

/** `botCheck` is undefined where bots are not checked. */
export const botCheckRoutes = (botCheck: Pick<BotCheck, 'createChallenge'> | undefined) =>
  ({
    botCheckChallenge: async () => {
      if (!botCheck) throw routeNotFound();
      return { status: 200, body: await botCheck.createChallenge() };
    },
  }) satisfies Partial<AuthOperations>;
