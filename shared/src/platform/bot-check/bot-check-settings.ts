import { ConfigError, integer, secret, secretList, text } from '../../config/env.ts';
import type { Secret } from '../../config/secrets.ts';

/** Iterations of PBKDF2 for one try: a phone needs about a second for all tries of a challenge. */
const DEFAULT_COST = 5_000;
const MIN_COST = 1_000;
/**
 * A challenge costs the server one derivation, and its sender nothing. At this cost it takes 9 ms, so that the
 * 60 a minute of a client network take 0.9 % of a core.
 */
const MAX_COST = 50_000;

/**
 * The same in auth-service, which makes the challenges, and admin-service. `readSecrets` checks the key like
 * every other secret.
 */
export const botCheckVariables = {
  BOT_CHECK: text({ choices: ['off', 'altcha'], default: 'off' }),
  BOT_CHECK_KEY: secret({ default: undefined }),
  BOT_CHECK_KEY_PREVIOUS: secretList({ default: [] }),
  BOT_CHECK_COST: integer(DEFAULT_COST, MIN_COST, MAX_COST),
};

export type BotCheckVariables = {
  BOT_CHECK: string;
  BOT_CHECK_KEY: string | undefined;
  BOT_CHECK_KEY_PREVIOUS: string[];
  BOT_CHECK_COST: number;
};

export type BotCheckSettings = { key: Secret; cost: number };

/** Undefined if bots are not checked. @throws ConfigError without a key */
export const readBotCheck = (env: BotCheckVariables): BotCheckSettings | undefined => {
  if (env.BOT_CHECK !== 'altcha') return undefined; // off, or an invalid value
  const { BOT_CHECK_KEY: current, BOT_CHECK_KEY_PREVIOUS: previous, BOT_CHECK_COST: cost } = env;
  if (current === undefined)
    throw new ConfigError(`BOT_CHECK_KEY is required with BOT_CHECK=${env.BOT_CHECK}`);
  return { key: { current, previous }, cost };
};
