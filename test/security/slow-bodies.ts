import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { createHttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { openRawConnection, parseStatuses } from '@platform/shared/testing/raw-http';
import { type StackFile, startStack } from '@platform/shared/testing/stack';
import type { Report } from '@platform/shared/testing/suite';

const MAX_P99_MILLISECONDS = 250;
const MAX_RSS_MEGABYTES = 300;
const BYTE_EVERY_MILLISECONDS = 4_000;
/** Stays well below the limit of 600 requests a minute per address. */
const PAUSE_MILLISECONDS = 110;
const OTHER_ADDRESSES = ['127.0.0.11', '127.0.0.12', '127.0.0.13'];

/** Routes with the general rate limit only, which the services respond to with 200. */
const TARGETS = {
  'auth-service': `${CUSTOMER.path}/me`,
  'admin-service': '/api/v1',
} as const;
type Target = keyof typeof TARGETS;

const createSignedInHeaders = async (gatewayUrl: string): Promise<Record<string, string>> => {
  const customers = createAuthClient(gatewayUrl, CUSTOMER);
  const { accessToken, fingerprint } = await customers.openDevice(await customers.createAccount());
  return { Authorization: `Bearer ${accessToken}`, 'X-Fingerprint': fingerprint };
};

/** Opens connections from one address, each with a body that sends a byte every 4 s. */
const openSlowBodies = async (gatewayUrl: string, target: Target, localAddress: string, count: number) => {
  const headers = {
    ...(await createSignedInHeaders(gatewayUrl)),
    'Content-Type': 'application/json',
    'Content-Length': '200',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const connections = Array.from({ length: count }, () => {
    const connection = openRawConnection(gatewayUrl, { localAddress });
    connection.write(`GET ${TARGETS[target]} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n{`);
    const timer = setInterval(() => connection.write('x'), BYTE_EVERY_MILLISECONDS);
    void connection.closed.then(() => clearInterval(timer));
    return connection;
  });
  return {
    /** The number of responses by status. */
    countStatuses: (): Map<number, number> => {
      const statuses = connections.flatMap(({ received }) => parseStatuses(received()));
      return new Map(
        [...Map.groupBy(statuses, (status) => status)].map(([status, { length }]) => [status, length]),
      );
    },
    close: () => {
      for (const connection of connections) connection.close();
    },
  };
};

const readRss = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
};

/** Sends a customer's requests from other addresses, alternately to both services, and measures the gateway's peak memory. */
const measureOtherClients = async ({ gatewayUrl, pids }: StackFile, seconds: number) => {
  const headers = await createSignedInHeaders(gatewayUrl);
  const paths = Object.values(TARGETS);
  const responses: HttpResponse[] = [];
  let rss = 0;
  const deadline = performance.now() + seconds * 1_000;
  const sendFrom = async (localAddress: string) => {
    const client = createHttpClient(gatewayUrl, { localAddress, timeoutSeconds: 10 });
    while (performance.now() < deadline) {
      responses.push(await client.send({ path: paths[responses.length % 2] ?? '', headers }));
      rss = Math.max(rss, await readRss(pids.gateway));
      await delay(PAUSE_MILLISECONDS);
    }
  };
  await Promise.all(OTHER_ADDRESSES.map(sendFrom));
  const sorted = responses.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return {
    total: responses.length,
    failed: responses.filter(({ status }) => status !== 200).length,
    p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN,
    rss,
  };
};

const checkOtherClients = (
  report: Report,
  attack: string,
  { total, failed, p99, rss }: Awaited<ReturnType<typeof measureOtherClients>>,
): void => {
  report.check(
    failed === 0 && p99 < MAX_P99_MILLISECONDS && rss < MAX_RSS_MEGABYTES,
    `${attack} → other clients: ${total - failed} of ${total} succeed, p99 ${p99.toFixed(0)} ms; gateway ${rss.toFixed(0)} MB`,
  );
};

/** Uses a stack with the default rate limits, unlike the other attacks. */
export const testSlowBodies = async (report: Report, connections = 300, seconds = 13): Promise<void> => {
  report.log('\nSlow bodies from one address: other clients are not affected');
  const { stack, stop } = await startStack({ RATE_LIMIT_SCALE: '1' });
  try {
    for (const [index, target] of (Object.keys(TARGETS) as Target[]).entries()) {
      const attack = await openSlowBodies(stack.gatewayUrl, target, `127.0.0.${index + 3}`, connections);
      const outcome = await measureOtherClients(stack, seconds);
      attack.close();
      checkOtherClients(report, `${connections} slow bodies to ${target}`, outcome);
      const statuses = attack.countStatuses();
      const summary = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
      const [timedOut = 0, limited = 0] = [408, 429].map((status) => statuses.get(status));
      report.check(
        timedOut === 50 && timedOut + limited === connections,
        `slow bodies to ${target} → ${summary}`,
      );
    }
  } finally {
    await stop();
  }
};
