import { ADMINISTRATOR, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { createRecords } from '@platform/shared/testing/records';
import { startServiceWriters } from './service-writers.ts';

const USERS = 6;
const WRITERS_PER_USER = 2;
const SIGN_UP_WRITERS = 3;

type Urls = { gatewayUrl: string; databaseUrl: string; adminUrls: () => readonly string[] };

/**
 * Starts twenty writers: pairs that block and unblock the same user, sign-ups, and those of another service.
 * Requests may fail.
 */
export const startWriters = async ({ gatewayUrl, databaseUrl, adminUrls }: Urls) => {
  const client = createHttpClient(gatewayUrl, { keepAlive: true, timeoutSeconds: 15 });
  const records = createRecords(databaseUrl);
  const administrator = await records.user(['ADMIN']);
  const users = await Promise.all(Array.from({ length: USERS }, () => records.user(['CUSTOMER'])));
  const services = await startServiceWriters(records, adminUrls);
  await records.close();
  const auth = createAuthClient(gatewayUrl, ADMINISTRATOR, client.sendOrThrow);
  const { accessToken } = await auth.openDevice(administrator);
  const headers = { Authorization: `Bearer ${accessToken}` };
  let isStopped = false;

  const toggle = (id: string) => async (turn: number) => {
    const path = `/api/v1/users/${id}/${turn % 2 === 0 ? 'block' : 'unblock'}`;
    await client.send({ method: 'PATCH', path, headers });
  };
  const signUp = async () => {
    const body = { email: uniqueEmail(), password: PASSWORD };
    await client.send({ method: 'POST', path: '/api/v1/customers/auth/sign-up', body });
  };
  const repeat = async (write: (turn: number) => Promise<void>) => {
    for (let turn = 0; !isStopped; turn += 1) await write(turn);
  };
  const writers = [
    ...users.flatMap(({ id }) => Array.from({ length: WRITERS_PER_USER }, () => toggle(id))),
    ...Array.from({ length: SIGN_UP_WRITERS }, () => signUp),
  ];
  const running = Promise.all(writers.map(repeat));
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all([running, services.stop()]);
    },
    findProblems: services.findProblems,
  };
};
