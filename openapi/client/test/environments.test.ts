import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { DeviceStorage } from '../src/device.ts';
import { CREDENTIALS, caught, useFakeGateway } from './fake-gateway.ts';

const CLIENT = resolve(import.meta.dirname, '../src/client.ts');

/** Removes the globals that React Native lacks; signs in, restarts with the stored session and signs out. */
const REACT_NATIVE = `
  const { createPlatformClient } = await import(${JSON.stringify(CLIENT)});
  for (const name of ['BroadcastChannel', 'DOMException', 'navigator', 'crypto', 'window', 'localStorage'])
    Object.defineProperty(globalThis, name, { value: undefined });
  AbortSignal.timeout = undefined;
  Headers.prototype.getSetCookie = undefined;
  const items = new Map();
  const storage = {
    getItem: async (key) => items.get(key) ?? null,
    setItem: async (key, value) => void items.set(key, value),
  };
  const start = () => createPlatformClient({ gatewayUrl: process.argv[1], kind: 'customer', storage });
  const [statuses, values] = [[], []];
  await start().signIn(${JSON.stringify(CREDENTIALS)});
  const client = start();
  client.subscribe(() => statuses.push(client.getSnapshot().status));
  values.push(client.getSnapshot().status, client.isSignedIn());
  await client.ready;
  values.push(client.isSignedIn(), client.getSnapshot().user.email, (await client.me()).user.email);
  await client.signOut();
  const next = start();
  await next.ready;
  values.push(next.getSnapshot().status, [...items.values()].join().includes('ada@example.com'));
  console.log(JSON.stringify({ statuses, values }));
`;

/**
 * Starts 100 calls without a response, collects garbage and aborts the calls. Counts the rejected calls and
 * the closed connections.
 */
const ABORT_AFTER_COLLECTION = `
  import { createServer } from 'node:http';
  import { setImmediate } from 'node:timers/promises';
  const { createPlatformClient } = await import(process.argv[1]);
  const CALLS = 100;
  let [open, closed] = [0, 0];
  const server = createServer((_request, response) => {
    open += 1;
    response.on('close', () => (closed += 1));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = createPlatformClient({
    gatewayUrl: 'http://127.0.0.1:' + server.address().port,
    kind: 'customer',
    timeoutSeconds: 60,
  });
  const controllers = Array.from({ length: CALLS }, () => new AbortController());
  const calls = controllers.map(({ signal }) => client.me({ signal }));
  while (open < CALLS) await setImmediate();
  for (let round = 0; round < 10; round += 1) {
    gc();
    await setImmediate();
  }
  for (const controller of controllers) controller.abort(new Error('Left the page'));
  const results = await Promise.allSettled(calls);
  while (closed < CALLS) await setImmediate();
  console.log(results.filter(({ reason }) => reason?.message === 'Left the page').length, closed);
  process.exit();
`;

describe('client outside browsers', () => {
  const { requests, createClient, url } = useFakeGateway();

  it('runs without the globals that React Native lacks, with asynchronous storage', async () => {
    const script = ['--input-type=module', '--eval', REACT_NATIVE, url()];
    const { stdout } = await promisify(execFile)(process.execPath, script, { timeout: 30_000 });
    // The states after loading, the refresh and the sign-out.
    const { statuses, values } = JSON.parse(stdout);
    expect(statuses).to.deep.equal(['signed-in', 'signed-out']);
    const { email } = CREDENTIALS;
    expect(values).to.deep.equal(['unknown', false, true, email, email, 'signed-out', false]);
  });

  it('aborts all of 100 calls after their signals could be collected as garbage', async () => {
    const script = ['--expose-gc', '--input-type=module', '--eval', ABORT_AFTER_COLLECTION, CLIENT];
    const { stdout } = await promisify(execFile)(process.execPath, script, { timeout: 30_000 });
    expect(stdout).to.equal('100 100\n');
  });

  it('rejects calls and `ready` when asynchronous storage cannot be read', async () => {
    const broken = new Error('The storage is broken');
    const storage = { getItem: () => Promise.reject(broken), setItem: () => undefined };
    const client = createClient({ storage });
    const before = requests.length;
    for (const call of [client.ready, client.me(), client.signIn(CREDENTIALS)])
      expect(await caught(call)).to.equal(broken);
    expect(client.getSnapshot().status).to.equal('unknown');
    expect(requests).to.have.length(before);
  });

  for (const [name, setItem] of [
    [
      'storage',
      () => {
        throw new Error('QuotaExceededError');
      },
    ],
    ['asynchronous storage', () => Promise.reject(new Error('QuotaExceededError'))],
  ] as const)
    it(`signs in when the ${name} is full, and warns once`, async () => {
      const { warn } = console;
      const warnings: unknown[] = [];
      console.warn = (...warning) => warnings.push(warning);
      try {
        const getItem = () => (name === 'storage' ? null : Promise.resolve(null));
        const client = createClient({ storage: { getItem, setItem } as DeviceStorage });
        await client.signIn(CREDENTIALS);
        await client.me();
        expect(client.getSnapshot().status).to.equal('signed-in');
        await caught(client.signOut());
        expect(client.getSnapshot().status).to.equal('signed-out');
        expect(warnings).to.have.length(1);
      } finally {
        console.warn = warn;
      }
    });

  it('rejects a sign-out that asynchronous storage did not store', async () => {
    const full = new Error('The storage is full');
    let isFull = false;
    const items = new Map<string, string>();
    const storage = {
      getItem: async (key: string) => items.get(key) ?? null,
      setItem: async (key: string, value: string) => {
        if (isFull) throw full;
        items.set(key, value);
      },
    };
    const client = createClient({ storage });
    await client.signIn(CREDENTIALS);
    isFull = true;
    expect(await caught(client.signOut({ localOnly: true }))).to.equal(full);
  });
});
