import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, createAuthClient, type Device } from '@platform/shared/testing/auth-client';
import { formatStatus, type HttpClient } from '@platform/shared/testing/http-client';

const SESSIONS = 12;
const MAX_PAUSE_MILLISECONDS = 3_000;
const RETRY_MILLISECONDS = 1_000;

/**
 * Sessions that refresh continuously. After a refresh without a result they retry with the same token, as
 * browsers do. The platform must never end one of them.
 */
export const startRetryingSessions = async (client: HttpClient) => {
  const { createAccount, openDevice, refresh, afterRefresh } = createAuthClient(
    client.baseUrl,
    CUSTOMER,
    client.sendOrThrow,
  );
  const rejections: string[] = [];
  let isStopped = false;
  let refreshes = 0;
  let retries = 0;

  const openNew = async (): Promise<Device> => openDevice(await createAccount());
  const keepAlive = async (first: Device): Promise<void> => {
    let device = first;
    while (!isStopped) {
      const response = await refresh(device).catch(() => undefined);
      if (response?.status === 200) {
        device = afterRefresh(device, response);
        refreshes += 1;
        await delay(Math.random() * MAX_PAUSE_MILLISECONDS);
      } else if (response && response.status < 500) {
        rejections.push(formatStatus(response));
        return;
      } else {
        retries += 1;
        await delay(RETRY_MILLISECONDS);
      }
    }
  };
  const devices = await Promise.all(Array.from({ length: SESSIONS }, openNew));
  const running = Promise.all(devices.map(keepAlive));
  return {
    /**
     * Stops the sessions. Returns the successful and the repeated refreshes, and the responses that ended a
     * session.
     */
    stop: async () => {
      isStopped = true;
      await running;
      return { sessions: SESSIONS, refreshes, retries, rejections };
    },
  };
};

export type RetryingSessions = Awaited<ReturnType<typeof startRetryingSessions>>;
