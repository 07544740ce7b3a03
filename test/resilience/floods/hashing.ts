import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { formatStatus } from '@platform/shared/testing/http-client';
import { countStatuses, createMember, type Flood, range, sendFrom } from './fixture.ts';

const NETWORKS = 20;
const CONNECTIONS_PER_NETWORK = 2;
const PAUSE_MILLISECONDS = 200;

/** Changes the password of one account repeatedly. Every other request has a wrong current password. */
export const hashing: Flood = {
  name: `password changes of one account from ${NETWORKS} networks`,
  start: async (stack) => {
    const { client, account } = await createMember(stack, '203.0.113.250');
    const statuses: (number | string)[] = [];
    let isRunning = true;
    const device = await client.openDevice(account);
    const keepChanging = async (index: number): Promise<void> => {
      const send = sendFrom(stack.gatewayUrl, `203.0.113.${index % NETWORKS}`);
      const attacker = createAuthClient('', CUSTOMER, send);
      for (let round = 0; isRunning; round += 1) {
        const currentPassword = round % 2 === 0 ? `wrong ${account.password}` : account.password;
        // Rejected as the current one, so that the next request still knows the password.
        const body = { currentPassword, newPassword: account.password };
        statuses.push(formatStatus(await attacker.resetPasswordMe({ ...device, body })));
        await delay(PAUSE_MILLISECONDS);
      }
    };
    const attack = range(NETWORKS * CONNECTIONS_PER_NETWORK).map(keepChanging);
    return {
      stop: async () => {
        isRunning = false;
        await Promise.all(attack);
        return countStatuses(statuses);
      },
    };
  },
};
