// The other clients run in a separate thread, so that the attack in the main thread does not delay their
// clock.
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { bearer } from '@platform/shared/testing/auth-client';
import { createHttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { startSteadyLoad } from '../load/steady-load.ts';

/** Signed-in clients, each in a separate network. */
export type Others = { gatewayUrl: string; clients: { localAddress: string; accessToken: string }[] };
export type OthersEntry = { path: string } & Pick<
  HttpResponse,
  'status' | 'code' | 'failure' | 'milliseconds'
>;

/** The rate in all networks together, which is below the 600 requests a minute of each. */
const ME_PER_SECOND = 32;
const HEALTH_PER_SECOND = 4;

const { gatewayUrl, clients }: Others = workerData;
const senders = clients.map(({ localAddress, accessToken }) => ({
  send: createHttpClient(gatewayUrl, { localAddress }).send,
  headers: bearer({ accessToken }),
}));

const createOperation = (path: string, perSecond: number, entries: OthersEntry[]) => {
  let next = 0;
  const run = async (): Promise<true> => {
    const sender = senders[next++ % senders.length];
    if (!sender) throw new Error('There is no client');
    const { status, code, failure, milliseconds } = await sender.send({ path, headers: sender.headers });
    entries.push({ path, status, code, failure, milliseconds });
    return true;
  };
  return { perSecond, run };
};

parentPort?.on('message', async (seconds: number) => {
  const entries: OthersEntry[] = [];
  const load = startSteadyLoad([
    createOperation('/api/v1/auth/me', ME_PER_SECOND, entries),
    createOperation('/healthz', HEALTH_PER_SECOND, entries),
  ]);
  await delay(seconds * 1_000);
  await load.stop();
  parentPort?.postMessage(entries);
});
