import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { formatStatus } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import { runRedisCommand } from '@platform/shared/testing/redis-server';
import { countStatuses, type Flood, range, sendFrom } from './fixture.ts';

const REDIS_MEGABYTES = 16;
const REQUESTS_AT_ONCE = 20;
const PAUSE_MILLISECONDS = 200;
const FILL_SECONDS = 300;

/**
 * Requests reset codes for unknown addresses, each from another client network. The sign-ins begin when Redis
 * is nearly full.
 */
export const resetCodes: Flood = {
  name: `reset codes for unknown addresses, Redis of ${REDIS_MEGABYTES} MB`,
  start: async ({ gatewayUrl, redisUrl }) => {
    await runRedisCommand(redisUrl, 'CONFIG', 'SET', 'maxmemory', `${REDIS_MEGABYTES}mb`);
    const statuses: (number | string)[] = [];
    let networks = 0;
    let isRunning = true;
    let filledAfter = Number.POSITIVE_INFINITY;
    const keepRequesting = async (): Promise<void> => {
      while (isRunning) {
        networks += 1;
        const address = [203, networks >> 16, networks >> 8, networks].map((byte) => byte & 255).join('.');
        const attacker = createAuthClient('', CUSTOMER, sendFrom(gatewayUrl, address));
        statuses.push(
          formatStatus(await attacker.resetPasswordEmailCodeSend({ body: { email: uniqueEmail() } })),
        );
        if (statuses.length > filledAfter) await delay(PAUSE_MILLISECONDS);
      }
    };
    const attack = range(REQUESTS_AT_ONCE).map(keepRequesting);
    await waitFor('a rejected reset code', () => statuses.some((status) => status !== '200'), FILL_SECONDS);
    filledAfter = statuses.length;
    return {
      stop: async () => {
        isRunning = false;
        await Promise.all(attack);
        const memory = await runRedisCommand(redisUrl, 'INFO', 'memory');
        return `${countStatuses(statuses)}; Redis uses ${/used_memory_human:(\S+)/.exec(String(memory))?.[1]}`;
      },
    };
  },
};
