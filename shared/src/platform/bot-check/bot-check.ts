import { hkdfSync, randomInt } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Payload } from 'altcha-lib/types';
import { AppError, forbidden } from '../../errors/app-error.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { toRedisKey } from '../../redis/key-families.ts';
import { withRedisTimeout } from '../../redis/redis.ts';
import type { RedisClient } from '../../redis/redis-client.ts';
import type { BotCheckSettings } from './bot-check-settings.ts';

const ALGORITHM = 'PBKDF2/SHA-256';
const CHALLENGE_SECONDS = 300;
/**
 * A solver tries half of them on average. The server chooses the number, so that the work varies less than
 * with a random number of tries: at most twice the average.
 */
const TRIES = 600;

const OUTCOMES = ['passed', 'missing', 'failed', 'replayed'] as const;

const botCheckRequired = () =>
  forbidden('BOT_CHECK_REQUIRED', 'Solve a challenge of /auth/bot-check, and send X-Bot-Check');
const botCheckFailed = () =>
  forbidden('BOT_CHECK_FAILED', 'The solution is wrong, was used before or has expired');

/** A challenge as the contract describes it. */
type SignedChallenge = {
  parameters: {
    algorithm: typeof ALGORITHM;
    cost: number;
    expiresAt: number;
    keyLength: number;
    keyPrefix: string;
    keySignature: string;
    nonce: string;
    salt: string;
  };
  signature: string;
};

type Dependencies = BotCheckSettings & { redis: RedisClient; metrics: Metrics };

/** Two keys: one signs the challenge, the other its solution, so that verifying derives nothing. */
const toKeys = (secret: string) => {
  const derive = (purpose: string): string =>
    Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)).toString('hex');
  return {
    hmacSignatureSecret: derive('bot check'),
    hmacKeySignatureSecret: derive('bot check solution'),
  };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Undefined for anything that cannot be verified. */
const parse = (header: string): (Payload & { challenge: SignedChallenge }) | undefined => {
  try {
    const payload: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
    if (!isRecord(payload) || !isRecord(payload.challenge) || !isRecord(payload.solution)) return undefined;
    const { challenge, solution } = payload;
    const isComplete =
      isRecord(challenge.parameters) &&
      typeof challenge.signature === 'string' &&
      typeof solution.derivedKey === 'string';
    return isComplete ? (payload as never) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/**
 * Proof of work for operations by which anonymous clients make the platform send mails. ALTCHA needs no
 * foreign server.
 */
export const createBotCheck = ({ key, cost, redis, metrics }: Dependencies) => {
  const [newest, ...older] = [key.current, ...key.previous].map(toKeys);
  const count = metrics.counter('bot_checks_total', 'Requests that needed a solved challenge, by outcome', {
    outcome: OUTCOMES,
  });

  const isSolved = async ({ challenge, solution }: Payload): Promise<boolean> => {
    for (const keys of [newest, ...older]) {
      if (!keys) continue;
      // The signature covers all parameters, so a client can change neither the cost nor the expiry.
      const { verified } = await verifySolution({ challenge, solution, deriveKey, ...keys });
      if (verified) return true;
    }
    return false;
  };

  /** One of concurrent calls is first. Without Redis, each is: the solution is good until it expires. */
  const isFirstUse = async (signature: string): Promise<boolean> => {
    // The key outlives the challenge, because the clocks of Redis and this machine may differ.
    const options = { EX: 2 * CHALLENGE_SECONDS, NX: true };
    try {
      return (await withRedisTimeout(redis.set(toRedisKey('bot-check:*', signature), '', options))) !== null;
    } catch (error) {
      if (error instanceof AppError) return true;
      throw error;
    }
  };

  return {
    createChallenge: async (): Promise<SignedChallenge> => {
      const challenge = await createChallenge({
        algorithm: ALGORITHM,
        cost,
        counter: randomInt(TRIES),
        expiresAt: new Date(Date.now() + CHALLENGE_SECONDS * 1_000),
        deriveKey,
        ...newest,
      });
      // A challenge with an expiry and both keys has every property of this type.
      return challenge as SignedChallenge;
    },

    /**
     * Uses up the solution, whatever the response to the request will be.
     * @param header the value of X-Bot-Check
     * @throws AppError 403 BOT_CHECK_REQUIRED, BOT_CHECK_FAILED
     */
    requireSolution: async (header: string | undefined): Promise<void> => {
      if (header === undefined || header === '') {
        count({ outcome: 'missing' });
        throw botCheckRequired();
      }
      const payload = parse(header);
      if (!payload || !(await isSolved(payload))) {
        count({ outcome: 'failed' });
        throw botCheckFailed();
      }
      if (!(await isFirstUse(payload.challenge.signature))) {
        count({ outcome: 'replayed' });
        throw botCheckFailed();
      }
      count({ outcome: 'passed' });
    },
  };
};

export type BotCheck = ReturnType<typeof createBotCheck>;
