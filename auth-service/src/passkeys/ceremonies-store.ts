import { createHash } from 'node:crypto';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { CEREMONY_SECONDS, type CeremonyBinding } from './passkeys.ts';

/** A challenge of 32 bytes in base64url, as the options have it. */
const CHALLENGE = /^[\w-]{43}$/;

const toKey = (challenge: string): string => `webauthn-challenge:${challenge}`;

const toValue = ({ purpose, owner }: CeremonyBinding): string =>
  createHash('sha256').update(`${purpose}\0${owner}`).digest('base64url');

/** Stores the challenges of WebAuthn in Redis. Every method throws AppError 503 when Redis is unavailable. */
export const createCeremonyStore = (redis: RedisClient) => ({
  add: async (challenge: string, binding: CeremonyBinding): Promise<void> => {
    await withRedisTimeout(redis.set(toKey(challenge), toValue(binding), { EX: CEREMONY_SECONDS }));
  },

  /** Deletes the challenge; true when it was stored with just this binding. Of concurrent calls, one returns true. */
  consume: async (challenge: string, binding: CeremonyBinding): Promise<boolean> => {
    if (!CHALLENGE.test(challenge)) return false;
    return (await withRedisTimeout(redis.getDel(toKey(challenge)))) === toValue(binding);
  },
});

export type CeremonyStore = ReturnType<typeof createCeremonyStore>;
