import type { createClient } from 'redis';

export type RedisClient = ReturnType<typeof createClient>;
export type ClientOptions = NonNullable<Parameters<typeof createClient>[0]>;
