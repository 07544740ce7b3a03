import type { Background } from '@platform/shared/async/tasks';
import type { AuthConfig } from '../config.ts';
import type { Stores } from '../stores.ts';
import { createKeyedHashes } from './guess-limits.ts';
import { createGuessLimitService } from './guess-limits-service.ts';

type Dependencies = { config: AuthConfig; stores: Stores; background: Background };

/** Part of the infrastructure, because the other features use it to limit guesses. */
export const createGuessLimits = ({ config, stores, background }: Dependencies) => {
  const [hash] = createKeyedHashes(config.codeSecret);
  return createGuessLimitService({ stores, hash, background });
};
