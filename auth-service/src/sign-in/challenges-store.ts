import { createHash, randomBytes } from 'node:crypto';
import type { Cipher } from '@platform/shared/encryption/cipher';
import { toRedisKey } from '@platform/shared/redis/key-families';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import type { AccountWithPassword } from '../accounts/account.ts';
import { toStateDigest } from '../accounts/account-state.ts';
import { CHALLENGE_TRIES } from '../guess-limits/guess-limits.ts';
import type { Kind } from '../kinds.ts';
import { challengeInvalid, type FirstStep } from './sign-in.ts';

const LIFETIME_SECONDS = 300;

/** A sign-in whose first step was correct and that waits for the second factor. */
export type SignInChallenge = {
  /** The SHA-256 of the challenge, which is the `owner` of its WebAuthn ceremony. */
  owner: string;
  kind: Kind;
  userId: string;
  /** A value that changes with the account's password and factors. */
  accountState: string;
  firstStep: FirstStep;
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

const CREATE = `-- create-challenge
  redis.call('HSET', KEYS[1], 'kind', ARGV[1], 'user', ARGV[2], 'fingerprint', ARGV[3], 'state', ARGV[4], 'first', ARGV[5],
    'tries', 0)
  return redis.call('EXPIRE', KEYS[1], ${LIFETIME_SECONDS})`;
const READ = `-- read-challenge
  return redis.call('HMGET', KEYS[1], 'kind', 'user', 'fingerprint', 'state', 'tries', 'first')`;
// An attempt is counted before the factor is verified, so that parallel attempts cannot share a count.
const COUNT_TRY = `#!lua flags=allow-oom
-- try-challenge
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  return redis.call('HINCRBY', KEYS[1], 'tries', 1) <= ${CHALLENGE_TRIES} and 1 or 0`;

type StoredValues = [
  kind: Kind,
  userId: string,
  fingerprint: string,
  state: string,
  tries: string,
  firstStep: string,
];

/**
 * Challenges are stored in Redis under their hash. Identities that a provider has confirmed are encrypted.
 * Every method throws AppError 503 when Redis is unavailable.
 */
export const createChallengeStore = (redis: RedisClient, cipher: Cipher) => {
  const run = (script: string, challenge: string, values: string[] = []): Promise<unknown> =>
    withRedisTimeout(redis.eval(script, { keys: [toKey(challenge)], arguments: values }));
  const toKey = (challenge: string): string => toRedisKey('sign-in-challenge:*', sha256(challenge));

  const seal = (text: string, { provider }: FirstStep): string => (provider ? cipher.encrypt(text) : text);
  const open = (text: string): string => (text.startsWith('{') ? text : cipher.decrypt(text));

  return {
    create: async (
      kind: Kind,
      account: AccountWithPassword,
      fingerprint: string,
      firstStep: FirstStep,
    ): Promise<string> => {
      const challenge = randomBytes(32).toString('base64url');
      const values = [
        kind,
        account.userId,
        sha256(fingerprint),
        toStateDigest(account),
        seal(JSON.stringify(firstStep), firstStep),
      ];
      await run(CREATE, challenge, values);
      return challenge;
    },

    /**
     * An attempt from another device costs a try, because that device cannot have received the challenge.
     * @throws AppError 401 CHALLENGE_INVALID if it is unknown, used, expired, or belongs to another kind or
     * device
     */
    find: async (kind: Kind, challenge: string, fingerprint: string): Promise<SignInChallenge> => {
      const values = (await run(READ, challenge)) as StoredValues | null[];
      const [storedKind, userId, storedFingerprint, accountState, tries, firstStep] = values;
      const isOwn = storedFingerprint === sha256(fingerprint);
      if (storedFingerprint && !isOwn) await run(COUNT_TRY, challenge);
      const isValid = storedKind === kind && isOwn && Number(tries) < CHALLENGE_TRIES;
      if (!isValid || !userId || !accountState || !firstStep) throw challengeInvalid();
      return { owner: sha256(challenge), kind, userId, accountState, firstStep: JSON.parse(open(firstStep)) };
    },

    /** Counts an attempt. Returns false if none is left. */
    countTry: async (challenge: string): Promise<boolean> => (await run(COUNT_TRY, challenge)) === 1,

    /** Returns true to only one of concurrent calls. */
    consume: async (challenge: string): Promise<boolean> =>
      (await withRedisTimeout(redis.del(toKey(challenge)))) === 1,
  };
};

export type ChallengeStore = ReturnType<typeof createChallengeStore>;
