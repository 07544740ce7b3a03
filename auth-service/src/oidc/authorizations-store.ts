import { toRedisKey } from '@platform/shared/redis/key-families';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { setCeremony } from '../webauthn/ceremony-scripts.ts';
import { AUTHORIZATION_SECONDS, type Authorization, type AuthorizationBinding, toDigest } from './oidc.ts';

const toKey = (state: string): string => toRedisKey('oidc-authorization:*', toDigest(state));

/** Only a digest is stored, because the binding contains a fingerprint or the id of a session. */
const toBindingDigest = ({ purpose, kind, provider, owner }: AuthorizationBinding): string =>
  toDigest([purpose, kind, provider, owner]);

type StoredAuthorization = Authorization & { binding: string };

/**
 * Stores authorizations that wait for the provider's response in Redis. Every method throws AppError 503 if
 * Redis is unavailable.
 */
export const createAuthorizationStore = (redis: RedisClient) => ({
  add: async (state: string, binding: AuthorizationBinding, authorization: Authorization): Promise<void> => {
    const stored: StoredAuthorization = { ...authorization, binding: toBindingDigest(binding) };
    const value = JSON.stringify(stored);
    const { purpose } = binding;
    await setCeremony(redis, { key: toKey(state), value, seconds: AUTHORIZATION_SECONDS, purpose });
  },

  /** Uses up the state. Undefined if it is unknown or used, or has another binding. */
  take: async (state: string, binding: AuthorizationBinding): Promise<Authorization | undefined> => {
    const text = await withRedisTimeout(redis.getDel(toKey(state)));
    if (text === null) return undefined;
    const { binding: digest, ...authorization } = JSON.parse(text) as StoredAuthorization;
    return digest === toBindingDigest(binding) ? authorization : undefined;
  },
});

export type AuthorizationStore = ReturnType<typeof createAuthorizationStore>;
