import { LRUCache } from 'lru-cache';
import type { AdapterFactory, AdapterPayload } from 'oidc-provider';

const maxRecords = 10_000;

/** Keeps the sessions, codes and tokens of a provider in memory, even if its keys are rotated. */
export const createProviderStorage = (): AdapterFactory => {
  const records = new LRUCache<string, AdapterPayload>({ max: maxRecords });
  return (model) => {
    const toKey = (id: string) => `${model}:${id}`;
    const findBy = async (field: 'uid' | 'userCode', value: string) =>
      [...records].find(([key, payload]) => key.startsWith(`${model}:`) && payload[field] === value)?.[1];
    return {
      find: async (id) => records.get(toKey(id)),
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (userCode) => findBy('userCode', userCode),
      upsert: async (id, payload, expiresIn) =>
        void records.set(toKey(id), payload, { ttl: (expiresIn ?? 0) * 1_000 }),
      consume: async (id) => {
        const payload = records.get(toKey(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1_000);
      },
      destroy: async (id) => void records.delete(toKey(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of records) if (payload.grantId === grantId) records.delete(key);
      },
    };
  };
};
