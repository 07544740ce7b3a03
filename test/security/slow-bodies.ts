import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { type StackFile, startStack } from '@platform/shared/testing/stack';
import type { Report } from '@platform/shared/testing/suite';

const MAX_P99_MILLISECONDS = 250;
const MAX_RSS_MEGABYTES = 300;
const BYTE_EVERY_MILLISECONDS = 4_000;
/** Well below 600 a minute, the limit of an address. */
const PAUSE_MILLISECONDS = 110;
const OTHER_ADDRESSES = ['127.0.0.11', '127.0.0.12', '127.0.0.13'];

/** Under the broad limit only, and each service reads the body: the customer's token is valid, the other route needs none. */
const TARGETS = {
  'auth-service': `${CUSTOMER.path}/me`,
  'admin-service': '/api/v1',
} as const;
type Target = keyof typeof TARGETS;

const openAccount = async (gatewayUrl: string): Promise<Record<string, string>> => {
  const customers = createAuthClient(gatewayUrl, CUSTOMER);
  const { accessToken, fingerprint } = await customers.openDevice(await customers.createAccount());
  return { Authorization: `Bearer ${accessToken}`, 'X-Fingerprint': fingerprint };
};

/** Opens connections from one address, each with a body of which a byte arrives every 4 s. @returns how to end them */
const holdSlowBodies = async (gatewayUrl: string, target: Target, from: string, count: number) => {
  const { hostname, port } = new URL(gatewayUrl);
  const headers = {
    ...(await openAccount(gatewayUrl)),
    'Content-Type': 'application/json',
    'Content-Length': '200',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const statuses = new Map<string, number>();
  const sockets: Socket[] = [];
  const open = () => {
    const socket = connect({ port: Number(port), host: hostname, localAddress: from });
    const timer = setInterval(() => socket.write('x'), BYTE_EVERY_MILLISECONDS);
    socket.write(`GET ${TARGETS[target]} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n{`);
    socket.setEncoding('latin1').on('data', (text: string) => {
      for (const [line] of text.matchAll(/HTTP\/1\.1 \d{3}/g))
        statuses.set(line.slice(-3), (statuses.get(line.slice(-3)) ?? 0) + 1);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => clearInterval(timer));
    sockets.push(socket);
  };
  for (let index = 0; index < count; index += 1) open();
  return {
    statuses,
    stop: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};

type Outcome = { milliseconds: number; status: number };

const timeRequest = (url: string, from: string, headers: Record<string, string>): Promise<Outcome> => {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const started = performance.now();
  const end = (status: number) => resolve({ milliseconds: performance.now() - started, status });
  const outgoing = request(url, { agent: false, localAddress: from, headers }, (response) => {
    response.resume().on('end', () => end(response.statusCode ?? 0));
  });
  outgoing.setTimeout(10_000, () => outgoing.destroy());
  outgoing.on('error', () => end(0));
  outgoing.end();
  return promise;
};

const readRss = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
};

/** Requests of a customer from other addresses, to both services in turn; and the most memory of the gateway meanwhile. */
const measureOthers = async ({ gatewayUrl, pids }: StackFile, seconds: number) => {
  const headers = await openAccount(gatewayUrl);
  const urls = [`${gatewayUrl}${CUSTOMER.path}/me`, `${gatewayUrl}/api/v1`];
  const outcomes: Outcome[] = [];
  let rss = 0;
  const deadline = performance.now() + seconds * 1_000;
  const sendFrom = async (address: string) => {
    while (performance.now() < deadline) {
      outcomes.push(await timeRequest(urls[outcomes.length % 2] ?? '', address, headers));
      rss = Math.max(rss, await readRss(pids.gateway));
      await delay(PAUSE_MILLISECONDS);
    }
  };
  await Promise.all(OTHER_ADDRESSES.map(sendFrom));
  const sorted = outcomes.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
  return {
    total: outcomes.length,
    failed: outcomes.filter(({ status }) => status !== 200).length,
    p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN,
    rss,
  };
};

const judgeOthers = (
  report: Report,
  attack: string,
  { total, failed, p99, rss }: Awaited<ReturnType<typeof measureOthers>>,
): void => {
  report.check(
    failed === 0 && p99 < MAX_P99_MILLISECONDS && rss < MAX_RSS_MEGABYTES,
    `${attack} → other clients: ${total - failed} of ${total} succeed, p99 ${p99.toFixed(0)} ms; gateway ${rss.toFixed(0)} MB`,
  );
};

/** At the default limits, which the suite's own stack does not have. */
export const attackBySlowBodies = async (report: Report, connections = 300, seconds = 13): Promise<void> => {
  report.log('\nSlow bodies: a byte every 4 s, from one address, at the default limits');
  const { stack, stop } = await startStack({ RATE_LIMIT_SCALE: '1' });
  try {
    for (const [index, target] of (Object.keys(TARGETS) as Target[]).entries()) {
      const attack = await holdSlowBodies(stack.gatewayUrl, target, `127.0.0.${index + 3}`, connections);
      const outcome = await measureOthers(stack, seconds);
      attack.stop();
      judgeOthers(report, `${connections} slow bodies to ${target}`, outcome);
      const seen = [...attack.statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
      const [timedOut = 0, limited = 0] = ['408', '429'].map((status) => attack.statuses.get(status));
      report.check(timedOut === 50 && timedOut + limited === connections, `the slow bodies → ${seen}`);
    }
  } finally {
    await stop();
  }
};
