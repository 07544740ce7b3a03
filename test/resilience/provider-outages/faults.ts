import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { respondsOk } from '@platform/dev/ports';
import { waitFor } from '@platform/shared/testing/poll';
import { startProcess } from '@platform/shared/testing/process';
import { toOidcSettings } from '../../oidc-client.ts';
import { findPorts } from '../platform.ts';

export const COMPANY = 'company';
/** A person at the provider, who has no account. */
export const PERSON = 'newcomer@example.com';

/** The real provider in a process of its own. */
export const startProvider = async () => {
  const [port = 0] = await findPorts(1);
  const issuer = `http://127.0.0.1:${port}`;
  const [clientId, clientSecret] = ['platform', 'secret'];
  const environment = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, OIDC_PORT: String(port) };
  const run = () => startProcess(['run.mjs', 'dev/oidc-provider/main.ts'], { environment });
  let running = run();
  const untilReady = () =>
    waitFor('the provider responds', () => respondsOk(`${issuer}/.well-known/openid-configuration`), 30);
  await untilReady();
  return {
    port,
    environment: toOidcSettings({
      [COMPANY]: { provider: { issuer, clientId, clientSecret }, settings: { DOMAINS: 'example.com' } },
    }),
    signal: (name: NodeJS.Signals): void => void process.kill(running.pid, name),
    kill: async (): Promise<void> => {
      running.kill('SIGKILL');
      await running.waitForExit();
    },
    /** After `kill`; it has new keys then. */
    restart: async (): Promise<void> => {
      running = run();
      await untilReady();
    },
  };
};

export type Provider = Awaited<ReturnType<typeof startProvider>>;
type Heal = () => Promise<void>;

const GARBAGE: readonly RequestListener[] = [
  (_req, res) => res.writeHead(200, { 'content-type': 'application/json' }).end('{"garbage'),
  (_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>'),
  (_req, res) => res.socket?.end('\0\0\0 garbage'),
];

/** Each begins when it is called; the result ends it. */
export const FAULTS: Record<string, (provider: Provider) => Promise<Heal>> = {
  killed: async ({ kill, restart }) => {
    await kill();
    return restart;
  },
  frozen: async ({ signal }) => {
    signal('SIGSTOP');
    return async () => signal('SIGCONT');
  },
  'sending garbage': async ({ port, kill, restart }) => {
    await kill();
    let count = 0;
    const server = createServer((req, res) => {
      count += 1;
      GARBAGE[count % GARBAGE.length]?.(req, res);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await restart();
    };
  },
};
